/** Saving a document of the editor, although something else saves it at the same moment. */
import * as vscode from "vscode";
import { within } from "../../node/clock.ts";

/** Milliseconds that the editor gets for saving with all that happens on a save. */
export const savePatience = 30_000;
/** Milliseconds until a save that stands in the way may have ended without writing: no event tells that. */
const otherSave = 1_000;
/** How often a save of ours may begin and end without a write before the file counts as one that cannot be saved. */
const mostFailures = 2;
/** How often the editor may refuse to begin one. It always does where the user made the file read-only. */
const mostRefusals = 10;

/** `late`: something that runs on saving does not end. `failed`: the editor refuses, or cannot write the file. */
export type SaveOutcome = "saved" | "late" | "failed";

/**
 * Resolves when the document as it is now is on the disk, after the editor's formatting. One call of `save` is not
 * enough. While what runs on saving works for another save (automatic, or by the user's key), VS Code refuses ours at
 * once; that other save usually writes our text too. It writes nothing, and neither does one of ours, when a formatter
 * or the like answers that it was cancelled, as many do when the text changes.
 */
export async function saveWithOthers(document: vscode.TextDocument): Promise<SaveOutcome> {
  const watch = new SaveWatch(document);
  const deadline = Date.now() + savePatience;
  try {
    for (let failures = 0, refusals = 0; failures < mostFailures && refusals < mostRefusals; ) {
      const begunBefore = watch.begun;
      const answer = await within(document.save(), deadline - Date.now());
      if (answer === "late") return document.isDirty ? "late" : "saved";
      // Dirty after a write: the user typed while the file was being written.
      if (answer || !document.isDirty || watch.written) return "saved";
      if (watch.begun > begunBefore) {
        failures++;
        refusals = 0;
        continue;
      }
      refusals++;
      await within(watch.nextWrite(), otherSave);
      if (!document.isDirty || watch.written) return "saved";
    }
    return "failed";
  } finally {
    watch.dispose();
  }
}

/** What the editor tells about saves of a document. */
class SaveWatch {
  readonly #events: vscode.Disposable;
  readonly #waiting: (() => void)[] = [];
  /** How many saves came to the point where extensions are asked. */
  begun = 0;
  /** A save that began after this watch has written the file. */
  written = false;

  constructor(document: vscode.TextDocument) {
    this.#events = vscode.Disposable.from(
      vscode.workspace.onWillSaveTextDocument((event) => {
        if (event.document === document) this.begun++;
      }),
      vscode.workspace.onDidSaveTextDocument((saved) => {
        if (saved !== document) return;
        // Without a beginning the text may have been taken before ours came to it.
        this.written ||= this.begun > 0;
        for (const resolve of this.#waiting.splice(0)) resolve();
      }),
    );
  }

  /** Resolves when the file is written the next time, if ever. */
  nextWrite(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  dispose(): void {
    this.#events.dispose();
  }
}
