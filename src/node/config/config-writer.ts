/** Changes the user's configuration file of MCP servers, atomically and under a lock that windows and terminals share. */
import { mkdir } from "node:fs/promises";
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
import { realTarget } from "../files/real-target.ts";
import { writeApproved } from "../files/write-file.ts";
import { withLock } from "../store/process-locks.ts";

/** Milliseconds to wait for another process that changes the file. */
const LOCK_WAIT_MS = 10_000;

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

  async #change(change: (text: string) => string | undefined): Promise<boolean> {
    const file = this.#file;
    // Entries may contain secrets.
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const work = async () => {
      const original = (await nodeFiles.stat(file)) ? await nodeFiles.readText(file) : null;
      const text = change(original?.text ?? "");
      if (text === undefined) return false;
      const expected = { expectedVersion: original?.version ?? null, expectedTarget: await realTarget(file) };
      await writeApproved(file, text, { original, ...expected });
      return true;
    };
    return withLock(file, work, LOCK_WAIT_MS);
  }
}
