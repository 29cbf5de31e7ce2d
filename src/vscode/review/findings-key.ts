/** Where the findings with open threads are stored. In a file of its own, because the extension looks at its start whether there are any. */
import type { Memento } from "vscode";

export const FINDINGS_KEY = "nekode.review.findings";

export function hasSavedFindings(memento: Pick<Memento, "get">): boolean {
  return memento.get(FINDINGS_KEY) !== undefined;
}
