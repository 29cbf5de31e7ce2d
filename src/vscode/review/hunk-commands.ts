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
      vscode.commands.registerCommand(`nekode.hunk.${name}`, async (uri: unknown, id: unknown) => {
        const document =
          uri instanceof vscode.Uri ? documentOf(uri) : vscode.window.activeTextEditor?.document;
        const shown = hunks();
        if (shown && document) await run(shown, document, typeof id === "number" ? id : undefined);
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
