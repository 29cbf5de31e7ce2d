/** The journals of all writers of a project, each read on from where it was read to before. */
import type { Storage } from "../ports.ts";
import { decodeFrames, type JournalContent, journalFolder, writerOf } from "./journal.ts";
import type { Problems } from "./problems.ts";
import type { JournalRecord } from "./records.ts";

export interface Stamped {
  writer: string;
  record: JournalRecord;
}

/** What is known of one journal file. */
export interface Followed {
  /** Bytes taken in. */
  offset: number;
  /** Not to be thrown away when taken in: damaged, or partly not understood. */
  keep: boolean;
}

export class JournalFiles {
  readonly #storage: Storage;
  readonly #problems: Problems;

  constructor(storage: Storage, problems: Problems) {
    this.#storage = storage;
    this.#problems = problems;
  }

  async list(): Promise<string[]> {
    return (await this.#storage.list(journalFolder)).filter((file) => writerOf(file) !== undefined);
  }

  /** New records of these files, noting in `followed` how far each was read; undefined: one of them went away. */
  async read(files: readonly string[], followed: Map<string, Followed>): Promise<Stamped[] | undefined> {
    const records: Stamped[] = [];
    for (const file of files) {
      const known = followed.get(file) ?? { offset: 0, keep: false };
      const name = `${journalFolder}/${file}`;
      const size = (await this.#storage.stat(name))?.size;
      if (size === undefined || size < known.offset) return undefined;
      const bytes = size > known.offset ? await this.#storage.read(name, known.offset) : new Uint8Array();
      if (!bytes) return undefined;
      const content = decodeFrames(bytes);
      const keep = known.keep || this.#isWorthKeeping(file, content);
      followed.set(file, { offset: known.offset + content.end, keep });
      const writer = writerOf(file) ?? "";
      for (const record of content.records) records.push({ writer, record });
    }
    return records;
  }

  #isWorthKeeping(file: string, content: JournalContent): boolean {
    if (content.damagedBytes === 0 && content.unknown === 0) return false;
    this.#problems.add(
      "journal-damaged",
      `${writerOf(file)}: ${content.damagedBytes} bytes and ${content.unknown} records could not be read, ` +
        `${content.records.length} records could`,
    );
    return true;
  }
}
