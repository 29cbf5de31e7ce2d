/** The commands for what the last turn changed in a file: from the buttons above a hunk, and by keyboard for the one at the cursor. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import { documentOf } from "../editor/open-documents.ts";
import type { TurnHunks } from "./turn-hunks.ts";

/** `hunks`: undefined before a turn changed files in this window. */
export function registerHunkCommands(hunks: () => TurnHunks | undefined): Disposable {
  const store = new DisposableStore();
  const command = (
    name: string,
    run: (shown: TurnHunks, document: vscode.TextDocument, id: number | undefined) => Promise<void>,
  ) =>
    store.add(
      vscode.commands.registerCommand(`nekode.hunk.${name}`, async (target: unknown, id: unknown) => {
        const shown = hunks();
        const place = shown && placeOf(target, shown.current?.document);
        if (!place) return;
        const { document, line } = place;
        const at = line === undefined ? undefined : shown.hunkAt(document, line);
        await run(shown, document, typeof id === "number" ? id : at);
      }),
    );
  command("keep", (shown, document, id) => shown.keep(document, id));
  command("undo", (shown, document, id) => shown.undo(document, id));
  command("keepFile", (shown, document) => shown.keepFile(document));
  command("review", (shown, document) => shown.review(document));
  for (const [name, step] of [
    ["next", 1],
    ["previous", -1],
  ] as const)
    store.add(
      vscode.commands.registerCommand(`nekode.hunk.${name}`, () =>
        hunks()?.go(vscode.window.activeTextEditor, step),
      ),
    );
  return store;
}

/** What a command is called with: by a button or a menu the file, by a link its address, by the menu of a line number the line too. */
function placeOf(
  target: unknown,
  current: vscode.TextDocument | undefined,
): { document: vscode.TextDocument; line?: number } | undefined {
  const isOfLine = typeof target === "object" && target !== null && "lineNumber" in target && "uri" in target;
  const named = isOfLine ? target.uri : target;
  const uri = typeof named === "string" ? vscode.Uri.parse(named) : named;
  const document = uri instanceof vscode.Uri ? documentOf(uri) : current;
  if (!document) return undefined;
  return isOfLine ? { document, line: Number(target.lineNumber) - 1 } : { document };
}
