// Light or dark: as the system says, until somebody chooses.

const KEY = "irlint-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

/** @param {() => void} changed @returns {() => void} what switches between the two */
export function dressed(changed) {
  const dress = () => {
    document.documentElement.dataset.theme = chosen() ?? (dark.matches ? "dark" : "light");
    changed();
  };
  dark.addEventListener("change", dress);
  dress();
  return () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // a browser that stores nothing forgets the choice
    }
    document.documentElement.dataset.theme = next;
    changed();
  };
}

function chosen() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
