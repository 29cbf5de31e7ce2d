/** Changes the user's configuration file of MCP servers, atomically and under a lock that windows and terminals share. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import {
  hasServer,
  type Json,
  withInputs,
  withoutServer,
  withServer,
  withServerValue,
} from "../../core/servers/config/config-edit.ts";
import type { PastedServer } from "../../core/servers/config/pasted-servers.ts";
import { nodeFiles } from "../files/disk-files.ts";
import { codeOf } from "../files/fs-errors.ts";
import { realTarget } from "../files/real-target.ts";
import { writeApproved } from "../files/write-file.ts";
import { withLock } from "../store/process-locks.ts";

/** Milliseconds to wait for another process that changes the file. */
const LOCK_WAIT_MS = 10_000;

const EMPTY_FILE = '{\n  "mcpServers": {}\n}\n';

/** All methods reject with ToolError, without a change, if the file is not valid JSON. */
export class UserServersFile {
  readonly #file: string;

  /** `file`: absolute; see `userFileIn`. */
  constructor(file: string) {
    this.#file = file;
  }

  /** Adds an entry. Resolves with false, without a change, if there is one of this name and `replace` is not set. */
  async add(name: string, { entry, inputs }: Omit<PastedServer, "name">, replace = false): Promise<boolean> {
    return this.#change((text) =>
      !replace && hasServer(text, name) ? undefined : withInputs(withServer(text, name, entry), inputs),
    );
  }

  /** Resolves with false if there is no such entry. */
  async remove(name: string): Promise<boolean> {
    return this.#change((text) => withoutServer(text, name));
  }

  /** Sets a key of an entry, such as `disabled`. Resolves with false if there is no such entry. */
  async set(name: string, key: string, value: Json): Promise<boolean> {
    return this.#change((text) => withServerValue(text, name, key, value));
  }

  /** Creates a file without servers unless there is one. Only the user can read it, because entries may contain secrets. */
  async create(): Promise<void> {
    await this.#createFolder();
    try {
      await writeFile(this.#file, EMPTY_FILE, { flag: "wx", mode: 0o600 });
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }

  async #createFolder(): Promise<void> {
    await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
  }

  async #change(change: (text: string) => string | undefined): Promise<boolean> {
    const file = this.#file;
    await this.#createFolder();
    const read = async () => ((await nodeFiles.stat(file)) ? nodeFiles.readText(file) : null);
    const work = async () => {
      let original = await read();
      if (change(original?.text ?? "") === undefined) return false;
      if (!original) {
        await this.create();
        original = await read();
      }
      const text = change(original?.text ?? "");
      if (text === undefined) return false;
      const expected = { expectedVersion: original?.version ?? null, expectedTarget: await realTarget(file) };
      await writeApproved(file, text, { original, ...expected });
      return true;
    };
    return withLock(file, work, LOCK_WAIT_MS);
  }
}
