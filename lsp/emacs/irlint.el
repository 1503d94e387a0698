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

(dolist (mode '(js-mode json-mode js-json-mode json-ts-mode nxml-mode irlint-param-mode))
  (add-to-list 'eglot-server-programs (cons mode (lambda (&rest _) irlint-command))))

(defun irlint-ensure ()
  "Start the server in a file whose name is that of a model."
  (when (and buffer-file-name
             (string-match-p "-symbol\\.json\\'\\|_graph\\.json\\'\\|\\.xml\\'\\|\\.param\\'" buffer-file-name))
    (eglot-ensure)))

(add-hook 'js-mode-hook #'irlint-ensure)
(add-hook 'nxml-mode-hook #'irlint-ensure)
(add-hook 'irlint-param-mode-hook #'irlint-ensure)

(defun irlint-graph ()
  "Open the graph of the model in the browser."
  (interactive)
  (message "irlint: %s" (jsonrpc-request (eglot--current-server-or-lose) :workspace/executeCommand
                                         `(:command "irlint.openGraph" :arguments [,(plist-get (eglot--TextDocumentIdentifier) :uri)]))))

(provide 'irlint)
;;; irlint.el ends here
