/** Changes the user's configuration file of MCP servers, atomically and under a lock that windows and terminals share. */
import {
  hasServer,
  type Json,
  withInputs,
  withoutInputs,
  withoutServer,
  withServer,
  withServerValue,
} from "../../core/servers/config/config-edit.ts";
import type { PastedServer } from "../../core/servers/config/pasted-servers.ts";
import { changeConfigFile, createConfigFile } from "./change-config.ts";

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

  /** Resolves with false if there is no such entry. `inputs`: ids of inputs that nothing else refers to, which are removed too. */
  async remove(name: string, inputs: readonly string[] = []): Promise<boolean> {
    return this.#change((text) => {
      const changed = withoutServer(text, name);
      return changed === undefined ? undefined : (withoutInputs(changed, inputs) ?? changed);
    });
  }

  /** Sets a key of an entry, such as `disabled`. Resolves with false if there is no such entry. */
  async set(name: string, key: string, value: Json): Promise<boolean> {
    return this.#change((text) => withServerValue(text, name, key, value));
  }

  /** Creates a file without servers unless there is one. Only the user can read it, because entries may contain secrets. */
  create(): Promise<void> {
    return createConfigFile(this.#file, EMPTY_FILE);
  }

  #change(change: (text: string) => string | undefined): Promise<boolean> {
    return changeConfigFile(this.#file, EMPTY_FILE, change);
  }
}
