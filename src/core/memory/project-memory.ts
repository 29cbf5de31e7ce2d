/**
 * What is remembered about a project from task to task. It is a file in the user's data folder, which no project can write, and which the
 * hosts of this machine and all worktrees of the project share.
 */
import type { ListedNote, MemoryChange, MemoryNote, MemoryProblem } from "../../shared/memory-list.ts";
import { reasonOf } from "../../shared/reason.ts";
import { messageOf, NothingToDo, ToolError } from "../errors.ts";
import type { Storage } from "../ports/storage.ts";
import type { Log } from "../ports/system.ts";
import {
  bytesOf,
  checkedNote,
  MOST_FILE_BYTES,
  MOST_MEMORY_BYTES,
  MOST_NOTES,
  type NoteDraft,
  type NoteSource,
  noteLines,
  type PlacedNote,
  parseMemory,
  withAppended,
  withReplaced,
} from "./memory-file.ts";

/** In the project's folder below the data folder; also the name of the lock. */
export const MEMORY_FILE = "memory.md";
/** How often a write is tried if an editor saved the file meanwhile. */
const MOST_TRIES = 3;

export interface MemoryContents {
  notes: readonly Omit<ListedNote, "title">[];
  /** The file is not used. It stays as it is. */
  problem?: MemoryProblem;
}

/** What the model asks for: another note, in place of `replaces` if given; without a draft, `replaces` is removed. */
export interface MemoryWrite {
  draft: NoteDraft | undefined;
  replaces: string | undefined;
}

/** A write that is possible, as the user sees it. */
export interface CheckedWrite {
  note: MemoryNote | undefined;
  before: MemoryNote | undefined;
}

interface ReadFile {
  text: string;
  placed: readonly PlacedNote[];
  problem?: MemoryProblem;
}

export class ProjectMemory {
  /** Absolute path, for the user. */
  readonly file: string;
  readonly #storage: Pick<Storage, "read" | "stat" | "replace" | "withLock">;
  readonly #log: Log;

  constructor(storage: Pick<Storage, "read" | "stat" | "replace" | "withLock">, log: Log, file: string) {
    this.#storage = storage;
    this.#log = log;
    this.file = file;
  }

  /** Never rejects. */
  async read(): Promise<MemoryContents> {
    const { placed, problem } = await this.#read();
    return {
      notes: placed.map((each) => ({ ...each.note, ...(each.problem ? { problem: each.problem } : {}) })),
      ...(problem ? { problem } : {}),
    };
  }

  /** Throws ToolError, worded for the model, if the write is not possible, and NothingToDo if it would change nothing. */
  async check({ draft, replaces }: MemoryWrite): Promise<CheckedWrite> {
    const { note, before } = checked(
      await this.#read(),
      draft && (await checkedNote(draft)),
      replaces,
      this.file,
    );
    return { note, before: before?.note };
  }

  /** Throws as `check` does. */
  async write({ draft, replaces }: MemoryWrite, source: NoteSource): Promise<MemoryChange> {
    const wanted = draft && (await checkedNote(draft));
    return this.#change((file) => {
      const { note, before } = checked(file, wanted, replaces, this.file);
      const lines = note ? noteLines({ ...note, ...source }) : "";
      const text = before ? withReplaced(file.text, before, lines) : withAppended(file.text, lines);
      const change = {
        ...(note ? { id: note.id } : {}),
        ...(before ? { before: before.note } : {}),
      };
      return { text, result: change };
    });
  }

  /** False: there is no such note. */
  remove(id: string): Promise<boolean> {
    return this.#change(({ text, placed }) => {
      const all = placed.filter(({ note }) => note.id === id);
      return { text: without(text, all), result: all.length > 0 };
    });
  }

  /** Removes all notes, and nothing else of the file. Returns how many. */
  clear(): Promise<number> {
    return this.#change(({ text, placed }) => ({ text: without(text, placed), result: placed.length }));
  }

  /** Restores what a write changed. False: it is no longer in effect, so there is nothing to restore. */
  async undo({ id, before }: MemoryChange): Promise<boolean> {
    // What comes from a row is checked like what comes from a model.
    const old = before && { ...before, ...(await checkedNote(before)) };
    return this.#change(({ text, placed }) => {
      const has = (wanted: string) => placed.some(({ note }) => note.id === wanted);
      const lines = old && !has(old.id) ? noteLines(old) : "";
      const written = id === undefined ? undefined : placed.find(({ note }) => note.id === id);
      if (written) return { text: withReplaced(text, written, lines), result: true };
      if (id !== undefined || lines === "") return { text, result: false };
      return { text: withAppended(text, lines), result: true };
    });
  }

  /** One process at a time. Rejects with ToolError if the file cannot be used. */
  async #change<T>(change: (file: ReadFile) => { text: string; result: T }): Promise<T> {
    return this.#storage.withLock(MEMORY_FILE, async () => {
      for (let tries = 1; ; tries++) {
        const version = (await this.#storage.stat(MEMORY_FILE))?.version;
        const file = await this.#read();
        if (file.problem) throw unusable(file.problem, this.file);
        const { text, result } = change(file);
        if (text === file.text) return result;
        try {
          await this.#storage.replace(MEMORY_FILE, new TextEncoder().encode(text), { version });
          return result;
        } catch (error) {
          // An editor, which does not know the lock, saved the file meanwhile.
          const isSame = (await this.#storage.stat(MEMORY_FILE))?.version === version;
          if (isSame || tries >= MOST_TRIES) throw error;
        }
      }
    });
  }

  async #read(): Promise<ReadFile> {
    const nothing = { text: "", placed: [] };
    try {
      const { size } = (await this.#storage.stat(MEMORY_FILE)) ?? { size: 0 };
      if (size > MOST_FILE_BYTES) return { ...nothing, problem: "too-large" };
      const bytes = await this.#storage.read(MEMORY_FILE);
      // Kept, so that the file stays as it is.
      const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
      const text = bytes === undefined ? "" : decoder.decode(bytes);
      if (text.includes("\0")) return { ...nothing, problem: "unreadable" };
      return { text, placed: await parseMemory(text) };
    } catch (error) {
      this.#log.info(`${this.file} could not be read: ${messageOf(error)}`);
      return { ...nothing, problem: "unreadable" };
    }
  }
}

function checked(
  { placed, problem }: ReadFile,
  note: MemoryNote | undefined,
  replaces: string | undefined,
  path: string,
): { note: MemoryNote | undefined; before: PlacedNote | undefined } {
  if (problem) throw unusable(problem, path);
  const before = replaces === undefined ? undefined : placed.find((each) => each.note.id === replaces);
  if (replaces !== undefined && !before) throw new ToolError(noSuchNote(replaces, placed));
  if (!note && !before)
    throw new ToolError("Give the text of a note, or the id of one to forget in replaces.");
  if (note && placed.some((each) => each.note.id === note.id))
    throw new NothingToDo(`This is remembered already, as [${note.id}].`);
  if (!note) return { note, before };
  const others = placed.filter((each) => each !== before);
  if (others.length >= MOST_NOTES)
    throw new ToolError(
      `The memory is full: it has ${others.length} notes, and can have ${MOST_NOTES}. ${MAKE_ROOM}`,
    );
  const bytes = [note, ...others.map((each) => each.note)].reduce((sum, each) => sum + bytesOf(each), 0);
  if (bytes > MOST_MEMORY_BYTES)
    throw new ToolError(
      `The memory is full: with this note it would have ${bytes} bytes, and it can have ${MOST_MEMORY_BYTES}. ${MAKE_ROOM}`,
    );
  return { note, before };
}

const MAKE_ROOM =
  "Replace a note that is out of date: call the tool again with its id in replaces. Do not forget notes that are still true.";

function noSuchNote(id: string, placed: readonly PlacedNote[]): string {
  const ids = placed.map(({ note }) => note.id).join(", ");
  const named = JSON.stringify(id.slice(0, 40));
  return ids === ""
    ? `There is no note ${named}: nothing is remembered.`
    : `There is no note ${named}. The notes are: ${ids}.`;
}

function unusable(problem: MemoryProblem, file: string): ToolError {
  const why = problem === "too-large" ? `has more than ${MOST_FILE_BYTES} bytes` : "is not readable text";
  const text = `Nothing was changed: ${file} ${why}. Only the user can repair it; tell them.`;
  return new ToolError(text, reasonOf("memory-unusable", file));
}

/** The last one first, so that the lines of the others stay where they are. */
function without(text: string, placed: readonly PlacedNote[]): string {
  return placed.toReversed().reduce((rest, each) => withReplaced(rest, each, ""), text);
}
