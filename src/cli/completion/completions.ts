/** What `nekode completion` prints. It is a bundle of its own, which the terminal host loads for this command alone. */

import type { CompletionFormat } from "./completion-options.ts";
import { bashCompletion, fishCompletion, powershellCompletion, zshCompletion } from "./completion-scripts.ts";
import { manPage } from "./man-page.ts";
import { commandTable } from "./usage-table.ts";

/** `usages`: the help of each command by its name, with that of `nekode` itself first, as "". */
export function completionText(
  format: CompletionFormat,
  usages: Readonly<Record<string, string>>,
  version: string,
): string {
  const table = commandTable(usages);
  switch (format) {
    case "bash":
      return bashCompletion(table);
    case "zsh":
      return zshCompletion(table);
    case "fish":
      return fishCompletion(table);
    case "powershell":
      return powershellCompletion(table);
    case "man":
      return manPage(table, version);
  }
}
