/**
 * The file of results, one JSON line for each task that ended. A line counts once it is complete, and it is synced before its
 * task counts as ended. A batch that was killed therefore continues with the tasks without a line.
 */
import { constants } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import path from "node:path";
import { SerialQueue } from "../core/async.ts";
import { messageOf } from "../core/errors.ts";
import {
  createSynced,
  removeStaleTempFiles,
  replaceFile,
  syncFolder,
  tempFilePath,
} from "../node/files/atomic-write.ts";
import { takeLock } from "../node/store/process-locks.ts";
import { type BatchResult, batchResultSchema } from "../shared/run/batch-lines.ts";
import { fileNameOf } from "./batch-file.ts";

/** The results file cannot be used. Nothing in it was changed. */
export class ResultsError extends Error {
  constructor(
    readonly file: string,
    readonly fault:
      | { code: "in-use"; lock: string }
      | { code: "not-a-result"; line: number }
      | { code: "not-written"; id: string; why: string },
  ) {
    super(`${file}: ${fault.code}`);
  }
}

export class ResultsFile {
  readonly file: string;
  readonly #handle: FileHandle;
  readonly #release: () => Promise<void>;
  readonly #results: Map<string, BatchResult>;
  readonly #writes = new SerialQueue();
  /** Bytes of complete lines. */
  #size: number;

  private constructor(
    file: string,
    handle: FileHandle,
    release: () => Promise<void>,
    read: { results: Map<string, BatchResult>; size: number },
  ) {
    this.file = file;
    this.#handle = handle;
    this.#release = release;
    this.#results = read.results;
    this.#size = read.size;
  }

  /** Rejects with ResultsError or a system error. `takeOver`: also if another process seems to write to it. */
  static async open(file: string, takeOver: boolean): Promise<ResultsFile> {
    await mkdir(path.dirname(file), { recursive: true });
    const lockFile = `${file}.lock`;
    const lock = await takeLock(lockFile, takeOver);
    if (!lock) throw new ResultsError(file, { code: "in-use", lock: lockFile });
    const release = () => lock.release();
    try {
      await removeStaleTempFiles(patchFolder(file));
      const handle = await open(file, constants.O_RDWR | constants.O_CREAT, 0o666);
      try {
        const read = resultsOf(file, await handle.readFile("utf8"));
        await syncFolder(path.dirname(file));
        return new ResultsFile(file, handle, release, read);
      } catch (error) {
        await handle.close();
        throw error;
      }
    } catch (error) {
      await release();
      throw error;
    }
  }

  get results(): ReadonlyMap<string, BatchResult> {
    return this.#results;
  }

  /**
   * Durable when this resolves. A second result of a task is dropped. Rejects with ResultsError if it could not be written; the file
   * then ends as before.
   */
  append(result: BatchResult, patch: string): Promise<void> {
    return this.#writes.run(async () => {
      if (this.#results.has(result.id)) return;
      try {
        const named = patch === "" ? result : { ...result, patch: await this.#writePatch(result.id, patch) };
        await this.#writeLine(named);
        this.#results.set(result.id, named);
      } catch (error) {
        throw new ResultsError(this.file, { code: "not-written", id: result.id, why: messageOf(error) });
      }
    });
  }

  async close(): Promise<void> {
    await this.#writes.run(() => this.#handle.close());
    await this.#release();
  }

  async #writeLine(result: BatchResult): Promise<void> {
    const line = Buffer.from(`${JSON.stringify(result)}\n`);
    try {
      // Removes what a write that failed or was cut off left behind.
      await this.#handle.truncate(this.#size);
      for (let done = 0; done < line.length; ) {
        const { bytesWritten } = await this.#handle.write(line, done, line.length - done, this.#size + done);
        done += bytesWritten;
      }
      await this.#handle.datasync();
    } catch (error) {
      // A part that remains is dropped before the next write, or when the file is read.
      await this.#handle.truncate(this.#size).catch(() => undefined);
      throw error;
    }
    this.#size += line.length;
  }

  async #writePatch(id: string, patch: string): Promise<string> {
    const folder = patchFolder(this.file);
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, `${fileNameOf(id)}.patch`);
    const write = (temp: string) => createSynced(temp, Buffer.from(patch));
    await replaceFile({ temp: tempFilePath(folder), file, write });
    return path.relative(path.dirname(this.file), file).replaceAll(path.sep, "/");
  }
}

export function patchFolder(resultsFile: string): string {
  return `${resultsFile.replace(/\.jsonl$/i, "")}.patches`;
}

/** A last line that a kill cut off is dropped. Throws ResultsError for any other line that is no result. */
function resultsOf(file: string, text: string): { results: Map<string, BatchResult>; size: number } {
  const results = new Map<string, BatchResult>();
  const end = text.lastIndexOf("\n") + 1;
  const complete = text.slice(0, end);
  for (const [index, line] of complete.split("\n").entries()) {
    if (line.trim() === "") continue;
    const result = resultOf(line);
    if (!result) throw new ResultsError(file, { code: "not-a-result", line: index + 1 });
    if (!results.has(result.id)) results.set(result.id, result);
  }
  return { results, size: Buffer.byteLength(complete) };
}

function resultOf(line: string): BatchResult | undefined {
  try {
    return batchResultSchema.safeParse(JSON.parse(line)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
