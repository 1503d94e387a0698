// Elements made of text only: names of a model's author never become markup.

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = "",
  text = "",
  ...children: Node[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className) {
    made.className = className;
  }
  if (text) {
    made.textContent = text;
  }
  made.append(...children);
  return made;
}

export function button(text: string, run: () => void, title = ""): HTMLButtonElement {
  const made = element("button", "", text);
  made.type = "button";
  made.title = title;
  made.addEventListener("click", run);
  return made;
}
