/**
 * A change to one file whose new text is known: made once, and the same object is shown, approved and written. The disk
 * is compared with the original again right before the write, by the host's editor.
 */
import { changedRegions } from "../../edits/regions.ts";
import type { Preview } from "../../ports/editor.ts";
import type { TextFile } from "../../ports/files.ts";
import type { Invocation, ToolContext, ToolOutput } from "../tool.ts";
import { displayPath } from "../tool-paths.ts";
import { describeSaved } from "./saved-text.ts";

/** Characters of a saved file that the model receives whole; of a longer one it receives the changed regions. */
const wholeFileLimit = 20_000;

export interface EditTarget {
  /** Absolute. */
  path: string;
  /** null: a new file. */
  original: TextFile | null;
  text: string;
}

/** An edit by a tool for one file, which `streamed` may already show. It opens nothing where no approval is needed. */
export async function prepareStreamed(
  context: ToolContext,
  target: EditTarget,
  streamed: { preview: Preview } | undefined,
): Promise<PreparedEdit> {
  const show = streamed !== undefined || !(await context.editAllowed(target.path));
  return PreparedEdit.open(context, target, { preview: streamed?.preview, show });
}

export class PreparedEdit {
  readonly target: EditTarget;
  /** Lines of the proposal against the original. */
  readonly added: number;
  readonly removed: number;
  readonly #context: ToolContext;
  readonly #preview: Preview;

  /** `preview`: one that showed the change while it streamed. `show`: whether one is shown that did not. */
  static async open(
    context: ToolContext,
    target: EditTarget,
    { preview, show }: { preview?: Preview | undefined; show: boolean },
  ): Promise<PreparedEdit> {
    const { path, original, text } = target;
    const shown = preview ?? context.host.editor.preview(path, original, { show });
    await shown.finish(text);
    return new PreparedEdit(context, target, shown);
  }

  private constructor(context: ToolContext, target: EditTarget, preview: Preview) {
    this.#context = context;
    this.#preview = preview;
    this.target = target;
    const { added, removed } = changedRegions(target.original?.text ?? "", target.text);
    this.added = added;
    this.removed = removed;
  }

  /** As users and models name the file. */
  get name(): string {
    return displayPath(this.#context.host.workspace, this.target.path);
  }

  /** Writes it; what that did, in words for the model. Rejects as `Preview.save` does. */
  async save(limit = wholeFileLimit): Promise<ReturnType<typeof describeSaved>> {
    const { path, original, text } = this.target;
    const saved = await this.#preview.save();
    const stat = await this.#context.host.files.stat(path);
    if (stat) this.#context.seen.set(path, stat.version);
    return describeSaved(this.name, original, text, saved, limit);
  }

  discard(): Promise<void> {
    return this.#preview.discard();
  }

  /** The call of a tool that makes this change and no other. */
  invocation(): Invocation {
    const { path, original, text } = this.target;
    const created = original === null;
    return {
      paths: [{ path, access: "write", change: { before: original?.text ?? null, after: text } }],
      view: { path: this.name, added: this.added, removed: this.removed, created },
      run: async (): Promise<ToolOutput> => {
        const saved = await this.save();
        const { added, removed } = saved;
        return { parts: [{ type: "text", text: saved.text }], shown: { added, removed, created } };
      },
      discard: () => this.discard(),
    };
  }
}
