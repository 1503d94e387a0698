// The words of the status bar item.
import type { ModelState } from "./models";

export function statusText({ format, dialect, nodes, errors, warnings, others }: ModelState): string {
  const problems = [[errors, "error"], [warnings, "warning"], [others, "info"]] as const;
  const found = problems.filter(([count]) => count > 0).map(([count, icon]) => `$(${icon}) ${count.toLocaleString("en-US")}`);
  const name = format ? [format, dialect].filter(Boolean).join(":") : "not readable as a model";
  const count = format ? `, ${nodes.toLocaleString("en-US")} node${nodes === 1 ? "" : "s"}` : "";
  return `$(type-hierarchy) ${name}${count} ${found.join(" ") || "$(check)"}`;
}
