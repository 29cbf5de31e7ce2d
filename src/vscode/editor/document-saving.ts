/** Saves a document, even if another save of it is in progress. */
import * as vscode from "vscode";
import { within } from "../../node/clock.ts";

/** Milliseconds that a save may take, including formatters and code actions that run on save. */
export const SAVE_TIMEOUT = 30_000;
/** Milliseconds to wait for another save that blocks ours. It may end without writing, which no event reports. */
const OTHER_SAVE_TIMEOUT = 1_000;
/** How many of our saves may begin and end without writing before saving fails. */
const MAX_FAILURES = 2;
/** How often VS Code may refuse to begin a save before saving fails. It always refuses if the file is read-only. */
const MAX_REFUSALS = 10;

/**
 * `late`: something that runs on save did not end in time. `failed`: the editor refuses to save, or cannot write the
 * file.
 */
export type SaveOutcome = "saved" | "late" | "failed";

/**
 * Resolves when the document's current text is on disk, after formatting on save. One call of `document.save` is not
 * enough: while formatters and other save participants run for another save (auto save, or the user's), VS Code
 * refuses ours immediately. That other save usually writes our text too. But a save, that one or ours, writes nothing
 * if a participant reports that it was canceled, as many do when the text changes.
 */
export async function saveWithOthers(document: vscode.TextDocument): Promise<SaveOutcome> {
  const watch = new SaveWatch(document);
  const deadline = Date.now() + SAVE_TIMEOUT;
  try {
    let failures = 0;
    let refusals = 0;
    while (failures < MAX_FAILURES && refusals < MAX_REFUSALS) {
      const attempt = await trySave(document, watch, deadline);
      if (attempt === "saved" || attempt === "late") return attempt;
      refusals = attempt === "refused" ? refusals + 1 : 0;
      if (attempt === "not-written") failures += 1;
    }
    return "failed";
  } finally {
    watch.dispose();
  }
}

/**
 * `not-written`: our save began and ended without writing. `refused`: VS Code did not begin it, and no other save wrote the
 * text.
 */
async function trySave(
  document: vscode.TextDocument,
  watch: SaveWatch,
  deadline: number,
): Promise<"saved" | "late" | "not-written" | "refused"> {
  const begunBefore = watch.begun;
  const answer = await within(document.save(), deadline - Date.now());
  if (answer === "late") return document.isDirty ? "late" : "saved";
  // A document that is dirty after a write was edited during it.
  if (answer || !document.isDirty || watch.written) return "saved";
  if (watch.begun > begunBefore) return "not-written";
  await within(watch.nextWrite(), OTHER_SAVE_TIMEOUT);
  return !document.isDirty || watch.written ? "saved" : "refused";
}

/** Observes the saves of a document. */
class SaveWatch {
  readonly #events: vscode.Disposable;
  readonly #waiting: (() => void)[] = [];
  /** The number of saves that began to run save participants. */
  begun = 0;
  /** Whether a save that began after this watch wrote the file. */
  written = false;

  constructor(document: vscode.TextDocument) {
    this.#events = vscode.Disposable.from(
      vscode.workspace.onWillSaveTextDocument((event) => {
        if (event.document === document) this.begun++;
      }),
      vscode.workspace.onDidSaveTextDocument((saved) => {
        if (saved !== document) return;
        // A save that began before the watch may have used the text before our change.
        this.written ||= this.begun > 0;
        for (const resolve of this.#waiting.splice(0)) resolve();
      }),
    );
  }

  /** Resolves when the file is written the next time. May never settle. */
  nextWrite(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  dispose(): void {
    this.#events.dispose();
  }
}
