;;; irlint.el --- model files in Emacs with eglot -*- lexical-binding: t -*-

;; (load "irlint"), then M-x eglot in a model file, or the hooks below.

(require 'eglot)

(defgroup irlint nil "Finds what is wrong in neural-network model files." :group 'tools)

(defcustom irlint-command '("irlint" "server")
  "The command that starts the server."
  :type '(repeat string))

(dolist (mode '(js-mode json-mode js-json-mode json-ts-mode nxml-mode))
  (add-to-list 'eglot-server-programs (cons mode (lambda (&rest _) irlint-command))))

(defun irlint-ensure ()
  "Start the server in a file whose name is that of a model."
  (when (and buffer-file-name
             (string-match-p "-symbol\\.json\\'\\|_graph\\.json\\'\\|\\.xml\\'" buffer-file-name))
    (eglot-ensure)))

(add-hook 'js-mode-hook #'irlint-ensure)
(add-hook 'nxml-mode-hook #'irlint-ensure)

(defun irlint-graph ()
  "Open the graph of the model in the browser."
  (interactive)
  (message "irlint: %s" (jsonrpc-request (eglot--current-server-or-lose) :workspace/executeCommand
                                         `(:command "irlint.openGraph" :arguments [,(plist-get (eglot--TextDocumentIdentifier) :uri)]))))

(provide 'irlint)
;;; irlint.el ends here
