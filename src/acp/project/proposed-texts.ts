/** Keeps what the agent's edits propose, so that an editor can show a change before the user decides on it. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Editor } from "../../core/ports/editor.ts";

export interface ProposedText {
  /** null: a new file. */
  before: string | null;
  after: string;
}

/** The proposals of one session, by absolute path. */
export class ProposedTexts {
  static readonly #current = new AsyncLocalStorage<ProposedTexts>();
  readonly #byPath = new Map<string, ProposedText>();

  /** An editor that stores each proposal with the session whose work makes it, even if several sessions use the editor. */
  static keptBy(editor: Editor): Editor {
    return {
      ...editor,
      preview(file, original, options) {
        const preview = editor.preview(file, original, options);
        const owner = ProposedTexts.#current.getStore();
        if (!owner) return preview;
        const finish = preview.finish.bind(preview);
        const save = preview.save.bind(preview);
        const discard = preview.discard.bind(preview);
        preview.finish = async (text) => {
          owner.#byPath.set(file, { before: original?.text ?? null, after: text });
          await finish(text);
        };
        preview.save = async (chosen) => {
          const saved = await save(chosen);
          owner.#byPath.delete(file);
          return saved;
        };
        preview.discard = async () => {
          owner.#byPath.delete(file);
          await discard();
        };
        return preview;
      },
    };
  }

  /** Runs work of this session. */
  during<T>(work: () => T): T {
    return ProposedTexts.#current.run(this, work);
  }

  of(path: string): ProposedText | undefined {
    return this.#byPath.get(path);
  }
}
