// The words of the status bar item.
import type { ModelState } from "./models";

export function statusText(state: ModelState): string {
  const found = problems(state).map(({ count, kind }) => `$(${kind}) ${count.toLocaleString("en-US")}`);
  return `$(type-hierarchy) ${model(state)} ${found.join(" ") || "$(check)"}`;
}

/** The same without pictures. */
export function statusWords(state: ModelState): string {
  const found = problems(state).map(({ count, kind }) => counted(count, kind));
  return `${model(state)}: ${found.join(", ") || "no findings"}`;
}

function model({ format, dialect, calls }: ModelState): string {
  const name = format ? [format, dialect].filter(Boolean).join(":") : "not readable as a model";
  return format ? `${name}, ${counted(calls, "operator")}` : name;
}

function problems({ errors, warnings, others }: ModelState) {
  const all = [{ count: errors, kind: "error" }, { count: warnings, kind: "warning" }, { count: others, kind: "info" }];
  return all.filter(({ count }) => count > 0);
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
