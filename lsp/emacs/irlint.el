;;; irlint.el --- model files in Emacs with eglot -*- lexical-binding: t -*-

;; (load "irlint"), then M-x eglot in a model file, or the hooks below.

(require 'eglot)

(defgroup irlint nil "Finds what is wrong in neural-network model files." :group 'tools)

(defcustom irlint-command '("irlint" "server")
  "The command that starts the server."
  :type '(repeat string))

;;;###autoload
(define-derived-mode irlint-param-mode text-mode "param"
  "Param files of ncnn and graphs of pnnx."
  (setq-local font-lock-defaults
              '((("^[ \t]*#.*$" . font-lock-comment-face)
                 ("^[ \t]*\\([^ \t\n=]+\\)[ \t]+\\([^ \t\n]+\\)[ \t]+[0-9]+[ \t]+[0-9]+"
                  (1 font-lock-function-name-face) (2 font-lock-variable-name-face))
                 ("[ \t]\\([^ \t\n=]+\\)=" 1 font-lock-keyword-face))
                t)))

(add-to-list 'auto-mode-alist '("\\.param\\'" . irlint-param-mode))

;;;###autoload
(define-derived-mode irlint-onnx-mode prog-mode "ONNX"
  "The text of ONNX models.  Of a binary it is what `irlint show' prints; the server writes fixes to the file."
  (setq-local comment-start "# "
              font-lock-defaults
              '((("\\_<\\([A-Za-z_][A-Za-z0-9_]*\\)[ ]*:" 1 font-lock-keyword-face)
                 ("= *\\([A-Za-z_][A-Za-z0-9_.]*\\) *[<(]" 1 font-lock-function-name-face)
                 ("^ *\\(\\[[^]]*\\]\\)" 1 font-lock-variable-name-face)))
              revert-buffer-function #'irlint-show)
  (modify-syntax-entry ?# "<" irlint-onnx-mode-syntax-table)
  (modify-syntax-entry ?\n ">" irlint-onnx-mode-syntax-table)
  (when (and buffer-file-name (string-match-p "\\.onnx\\'" buffer-file-name))
    (irlint-show)))

(defun irlint-show (&rest _)
  "Replace the content of the buffer by the text of its file, a binary model."
  (let ((inhibit-read-only t) (file buffer-file-name) (command (append (butlast irlint-command) '("show"))))
    (set-visited-file-modtime)
    (set-buffer-multibyte t)
    (erase-buffer)
    (let ((coding-system-for-read 'utf-8-unix))
      (apply #'call-process (car command) nil '(t nil) nil (append (cdr command) (list (expand-file-name file)))))
    (goto-char (point-min))
    (set-buffer-modified-p nil)
    (setq buffer-read-only t buffer-undo-list t)))

(cl-defmethod eglot-handle-notification (_server (_method (eql irlint/textChanged)) &key uri &allow-other-keys)
  "Show the text of a model again that has changed."
  (when-let ((buffer (find-buffer-visiting (eglot--uri-to-path uri))))
    (with-current-buffer buffer (irlint-show))))

(add-to-list 'auto-mode-alist '("\\.onnx\\(txt\\)?\\'" . irlint-onnx-mode))

(dolist (mode '(js-mode json-mode js-json-mode json-ts-mode nxml-mode irlint-param-mode irlint-onnx-mode))
  (add-to-list 'eglot-server-programs (cons mode (lambda (&rest _) irlint-command))))

(defun irlint-ensure ()
  "Start the server in a file whose name is that of a model."
  (when (and buffer-file-name
             (string-match-p "-symbol\\.json\\'\\|_graph\\.json\\'\\|\\.xml\\'\\|\\.param\\'\\|\\.onnx" buffer-file-name))
    (eglot-ensure)))

(add-hook 'js-mode-hook #'irlint-ensure)
(add-hook 'nxml-mode-hook #'irlint-ensure)
(add-hook 'irlint-param-mode-hook #'irlint-ensure)
(add-hook 'irlint-onnx-mode-hook #'irlint-ensure)

(defun irlint-graph ()
  "Open the graph of the model in the browser."
  (interactive)
  (message "irlint: %s" (jsonrpc-request (eglot--current-server-or-lose) :workspace/executeCommand
                                         `(:command "irlint.openGraph" :arguments [,(plist-get (eglot--TextDocumentIdentifier) :uri)]))))

(provide 'irlint)
;;; irlint.el ends here
