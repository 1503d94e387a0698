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

const JOINT = /(?<=[/:=]|[^\d.]\.|\.(?!\d))(?=[^/:=.])/; // between the parts of a name, but not in 0.5
const OPTION = /(?<!\S)(--[\w-]+)/; // a browser would break it behind a hyphen
const LONG = 60; // letters of a part that a table need not have room for

/** An element with a name in it, which a narrow cell breaks between the name's parts, not inside of them. */
export function named<K extends keyof HTMLElementTagNameMap>(tag: K, className: string, text: string): HTMLElementTagNameMap[K] {
  const parts = text.split(JOINT);
  const isLong = parts.some((part) => part.split(/\s/).some((word) => word.length > LONG));
  const nodes = parts.flatMap((part, index) => [...(index > 0 ? [document.createElement("wbr")] : []), ...whole(part)]);
  return element(tag, isLong ? `${className} long` : className, "", ...nodes);
}

function whole(text: string): Node[] {
  return text.split(OPTION).map((part, index) => (index % 2 ? element("span", "option", part) : document.createTextNode(part)));
}

export function button(text: string, run: () => void, title = ""): HTMLButtonElement {
  const made = element("button", "", text);
  made.type = "button";
  made.title = title;
  made.addEventListener("click", run);
  return made;
}
