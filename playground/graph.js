// The page around the graph viewer, in the role that VS Code has for it in the editor.
"use strict";

/** @type {any} */ (globalThis).acquireVsCodeApi = () => ({
  postMessage: (/** @type {unknown} */ message) => parent.postMessage(message, location.origin),
});

addEventListener("message", ({ data }) => {
  if (data.type === "theme") document.body.className = data.dark ? "vscode-dark" : "vscode-light";
});
