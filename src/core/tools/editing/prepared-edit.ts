/**
 * A change to one file whose new text is known. The same object is previewed, approved and written. The host's editor
 * compares the file on disk with the original again right before the write.
 */
import type { ApprovalView, ShownHunks } from "../../../shared/event.ts";
import { reasonOf } from "../../../shared/reason.ts";
import { hunksOf, withoutHunks } from "../../../shared/text/hunks.ts";
import type { Elision } from "../../edits/blocks/elision.ts";
import { changedRegions } from "../../edits/regions.ts";
import { messageOf, ToolError } from "../../errors.ts";
import { type Disposable, DisposableStore } from "../../lifecycle.ts";
import type { Preview } from "../../ports/editor.ts";
import type { TextFile } from "../../ports/files.ts";
import type { CallPreview, Invocation, ToolContext, ToolOutput } from "../tool.ts";
import { displayPath } from "../tool-paths.ts";
import { whoWrote } from "./original-file.ts";
import { type Description, describeSaved } from "./saved-text.ts";

/** Characters up to which the model receives a saved file in full; of a longer file it receives the changed regions. */
const WHOLE_FILE_LIMIT = 20_000;

export interface EditTarget {
  /** Absolute. */
  path: string;
  /** null: a new file. */
  original: TextFile | null;
  text: string;
}

/**
 * Prepares a one-file edit, with the preview that streaming may have opened. Opens none if no approval is needed. `asks`:
 * approval is needed whatever the settings allow.
 */
export async function prepareStreamed(
  context: ToolContext,
  target: EditTarget,
  streamed: { preview: Preview | undefined } | undefined,
  asks = false,
): Promise<PreparedEdit> {
  const needsApproval = streamed ? streamed.preview !== undefined : !(await context.editAllowed(target.path));
  return PreparedEdit.open(context, target, { preview: streamed?.preview, show: asks || needsApproval });
}

/** The text without its own byte order mark, if the file keeps the existing one. */
export function withOneMark(text: string, original: TextFile | null): string {
  if (original === null) return text.replace(/^\ufeff+/, "\ufeff");
  return original.bom && !original.text.startsWith("\ufeff") ? text.replace(/^\ufeff+/, "") : text;
}

/** The encodings of existing files that are not in UTF-8, for the approval. */
export function shownEncodings(
  files: readonly { name: string; original: TextFile | null }[],
): Pick<ApprovalView, "encodings"> {
  const encodings = files.flatMap(({ name, original }) => {
    if (original === null || original.encoding === "utf8" || original.encoding === "binary") return [];
    return [{ path: name, encoding: original.encoding, isGuess: original.alternatives !== undefined }];
  });
  return encodings.length === 0 ? {} : { encodings };
}

/** Characters that the encoding of the file cannot represent, or might not, are refused before the user is asked. */
async function refuseUnwritable({ host }: ToolContext, { path, original, text }: EditTarget): Promise<void> {
  if (original === null || (original.encoding === "utf8" && !original.inexact)) return;
  await host.files.checkText?.(path, original, text);
}

export class PreparedEdit {
  readonly target: EditTarget;
  /** Lines added and removed by the proposal. */
  readonly added: number;
  readonly removed: number;
  readonly #context: ToolContext;
  readonly #preview: Preview;
  /** When it was proposed; see `TaskWriters`. */
  readonly #since: number | undefined;

  /** `preview`: the one that showed the change while it streamed. `show`: whether a new preview is shown. */
  static async open(
    context: ToolContext,
    target: EditTarget,
    { preview, show }: { preview?: Preview | undefined; show: boolean },
  ): Promise<PreparedEdit> {
    const { path, original } = target;
    const text = withOneMark(target.text, original);
    try {
      await refuseUnwritable(context, { path, original, text });
    } catch (error) {
      await preview?.discard();
      throw error;
    }
    const shown =
      preview ?? context.host.editor.preview(path, original, { show, session: context.sessionId() });
    await shown.finish(text);
    return new PreparedEdit(context, { path, original, text }, shown);
  }

  private constructor(context: ToolContext, target: EditTarget, preview: Preview) {
    this.#context = context;
    this.#since = context.writers?.mark();
    this.#preview = preview;
    this.target = target;
    const { added, removed } = changedRegions(target.original?.text ?? "", target.text);
    this.added = added;
    this.removed = removed;
  }

  /** The display path. */
  get name(): string {
    return displayPath(this.#context.host.workspace, this.target.path);
  }

  /** The user edited the proposal in its preview. */
  get isEdited(): boolean {
    return this.#preview.isEdited?.() ?? false;
  }

  onEdited(listener: () => void): Disposable {
    return this.#preview.onEdited?.(listener) ?? { dispose() {} };
  }

  /** See `Preview.hide`. */
  async hide(): Promise<void> {
    await this.#preview.hide?.();
  }

  /** Shows the change without the hunks of the indexes in `excluded`, unless the user edited it. */
  choose(excluded: readonly number[] | "all"): void {
    const { original, text } = this.target;
    this.#preview.choose?.(excluded === "all" ? (original?.text ?? "") : (this.#without(excluded) ?? text));
  }

  /** undefined: nothing is excluded. */
  #without(excluded: readonly number[]): string | undefined {
    const { original, text } = this.target;
    return excluded.length === 0 ? undefined : withoutHunks(original?.text ?? "", text, new Set(excluded));
  }

  /**
   * Writes the file, as the user edited it or without the hunks of the indexes in `excluded`, and describes the result for the model.
   * Rejects as `Preview.save` does.
   */
  async save(
    description: Description,
    excluded: readonly number[] = [],
    options?: Parameters<Preview["save"]>[1],
  ): Promise<ReturnType<typeof describeSaved>> {
    const { path, original, text } = this.target;
    const chosen = this.isEdited ? undefined : this.#without(excluded);
    if (chosen !== undefined && chosen === (original?.text ?? ""))
      throw new ToolError("The user took none of the changes. Nothing was written.");
    const saved = await this.#preview.save(chosen, options).catch((error: unknown) => {
      const who = error instanceof ToolError ? whoWrote(this.#context, path, this.#since) : undefined;
      throw who === undefined ? error : new ToolError(`${messageOf(error)} It was changed by ${who}.`);
    });
    this.#context.writers?.wrote(path);
    const stat = await this.#context.host.files.stat(path);
    if (stat) this.#context.seen.set(path, stat.version);
    return describeSaved(this.name, original, text, saved, description);
  }

  discard(): Promise<void> {
    return this.#preview.discard();
  }

  /**
   * The invocation of a tool call that makes only this change. `written`: the text of the call, see `Description`. `note` is added to its
   * result.
   */
  invocation(written?: string, note?: string): Invocation {
    const { path, original, text } = this.target;
    const created = original === null;
    return {
      paths: [{ path, access: "write", change: { before: original?.text ?? null, after: text } }],
      view: {
        path: this.name,
        added: this.added,
        removed: this.removed,
        created,
        hunks: shownHunks(original?.text ?? "", text),
        ...shownEncodings([{ name: this.name, original }]),
      },
      preview: callPreview([this], (excluded) => this.choose(excluded)),
      run: async ({ excludedHunks }): Promise<ToolOutput> => {
        const saved = await this.save({ limit: WHOLE_FILE_LIMIT, isOnly: true, written }, excludedHunks);
        const { added, removed } = saved;
        const text = note === undefined ? saved.text : `${saved.text}\n\n${note}`;
        return { parts: [{ type: "text", text }], shown: { added, removed, created } };
      },
      discard: () => this.discard(),
    };
  }
}

interface FilePreview {
  /** The display path. */
  readonly name: string;
  readonly isEdited: boolean;
  onEdited(listener: () => void): Disposable;
}

/** The change of a call as the diffs of its files show it. */
export function callPreview(
  files: readonly FilePreview[],
  choose: (excluded: readonly number[]) => void,
): CallPreview {
  return {
    choose,
    get edited() {
      return files.filter(({ isEdited }) => isEdited).map(({ name }) => name);
    },
    onEdited(listener) {
      const store = new DisposableStore();
      for (const file of files) store.add(file.onEdited(listener));
      return store;
    },
  };
}

/** Makes an invocation ask, with the line as the reason. */
export function omissionDoubt({ line, text }: Elision): Pick<Invocation, "alwaysAsks" | "doubt"> {
  return { alwaysAsks: true, doubt: reasonOf("may-omit-code", String(line), text) };
}

/** Lines of all hunks together, and characters of a line. The diff editor shows the rest. */
const MOST_LINES = 400;
const LONGEST_LINE = 500;

/** The number of lines that an approval may still show. */
interface HunkRoom {
  lines: number;
}

export const hunkRoom = (): HunkRoom => ({ lines: MOST_LINES });

/** The first hunks, in order, so that their indexes are those of all hunks. `room` is reduced by the lines that they use. */
export function shownHunks(before: string, after: string, room = hunkRoom()): ShownHunks {
  const part = (lines: readonly string[]) => {
    const shown = lines.slice(0, room.lines).map((line) => line.replace(/\r$/, "").slice(0, LONGEST_LINE));
    room.lines -= shown.length;
    return shown;
  };
  const all = hunksOf(before, after);
  const hunks: { line: number; removed: string[]; added: string[]; more?: number }[] = [];
  for (const { line, removed, added } of all) {
    if (room.lines <= 0) break;
    // An empty text has no line to remove.
    const gone = before === "" ? [] : removed;
    const [out, into] = [part(gone), part(added)];
    const more = gone.length + added.length - out.length - into.length;
    hunks.push({ line, removed: out, added: into, ...(more > 0 ? { more } : {}) });
  }
  return { shown: hunks, more: all.length - hunks.length };
}
