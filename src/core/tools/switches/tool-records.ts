/** What the user chose about tools: built-in ones that are switched off, and those of other extensions that are switched on. */
import * as z from "../../../shared/zod.ts";
import type { Storage } from "../../ports/storage.ts";
import type { Log } from "../../ports/system.ts";
import { RecordFile } from "../../record-file.ts";

const FILE = "tools.json";

const editorChoiceSchema = z.object({
  on: z.boolean(),
  /** The user lets this tool run without approval. */
  always: z.boolean(),
  /** The hash of the definition that the user accepted. */
  accepted: z.string(),
  /** It failed because it works only in the editor's own chat, so it is not offered. */
  needsChat: z.exactOptional(z.boolean()),
});
export type EditorToolChoice = z.infer<typeof editorChoiceSchema>;

const fileSchema = z.object({
  version: z.literal(1),
  /** Names of built-in tools. */
  off: z.array(z.string()),
  /** By extension and name, see `editorToolKey`. */
  editor: z.record(z.string(), editorChoiceSchema),
});

/** The choices apply to all of the user's projects. No project can write them. */
export class ToolRecords {
  readonly #file: RecordFile<z.infer<typeof fileSchema>>;

  /** `storage`: a folder of the user's that is used for nothing else. */
  constructor(storage: Storage, log: Log) {
    this.#file = new RecordFile(storage, log, {
      name: FILE,
      schema: fileSchema,
      empty: () => ({ version: 1, off: [], editor: {} }),
      records: "the tools that are switched on and off",
      loss: "tools of other extensions are off and built-in tools are on",
    });
  }

  async off(): Promise<readonly string[]> {
    return (await this.#file.read()).off;
  }

  async editor(): Promise<Readonly<Record<string, EditorToolChoice>>> {
    return (await this.#file.read()).editor;
  }

  setBuiltIn(name: string, on: boolean): Promise<void> {
    return this.#file.change((content) => {
      const others = content.off.filter((each) => each !== name);
      content.off = on ? others : [...others, name].sort();
    });
  }

  /** `key`: see `editorToolKey`. */
  setEditor(key: string, change: Partial<EditorToolChoice>): Promise<void> {
    return this.#file.change(({ editor }) => {
      const before = editor[key] ?? { on: false, always: false, accepted: "" };
      editor[key] = { ...before, ...change };
    });
  }
}
