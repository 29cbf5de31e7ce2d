/**
 * Commands and tools of MCP servers that the user allows in one project. They are stored with the project's sessions in the
 * user's data folder, which no file of the workspace can change, and are shared by the hosts on this machine.
 */
import * as z from "../../../shared/zod.ts";
import type { Storage } from "../../ports/storage.ts";
import type { Log } from "../../ports/system.ts";
import { parsedRecord } from "../../record-file.ts";

/** Writes of tools to a file of this name always ask, wherever it is. */
const FILE = "allowed-commands.json";

/** A tool of a server. `identity` identifies what the user allowed, so that another program or tool with its name asks. */
const toolSchema = z.object({ entry: z.string(), identity: z.string() });
export type AllowedTool = z.infer<typeof toolSchema>;

const fileSchema = z.object({
  version: z.literal(1),
  commands: z.array(z.string()),
  tools: z._default(z.array(toolSchema), []),
});

interface Allowed {
  commands: readonly string[];
  tools: readonly AllowedTool[];
}

const NOTHING: Allowed = { commands: [], tools: [] };

export class WorkspaceCommands {
  readonly #storage: Storage;
  readonly #log: Log;
  #allowed = NOTHING;
  /** The file that `#allowed` was read from; null: not read yet. */
  #version: string | undefined | null = null;

  constructor(storage: Storage, log: Log) {
    this.#storage = storage;
    this.#log = log;
  }

  /** The commands as of the last `refresh`, and changes made here since. */
  get entries(): readonly string[] {
    return this.#allowed.commands;
  }

  /** The tools of MCP servers, likewise. */
  get tools(): readonly AllowedTool[] {
    return this.#allowed.tools;
  }

  /** Reads the file if another window or terminal changed it. A file that cannot be read allows nothing. */
  async refresh(): Promise<void> {
    try {
      const version = (await this.#storage.stat(FILE))?.version;
      if (version === this.#version) return;
      this.#allowed = await this.#read();
      this.#version = version;
    } catch (error) {
      this.#allowed = NOTHING;
      this.#version = null;
      this.#log.error("the allowed commands of the workspace could not be read", error);
    }
  }

  /** Adds a command. Like every change, it applies immediately and is stored when the promise resolves. */
  add(entry: string): Promise<void> {
    return this.#change(({ commands, tools }) => ({
      commands: [...commands.filter((each) => each !== entry), entry],
      tools,
    }));
  }

  addTool(tool: AllowedTool): Promise<void> {
    return this.#change(({ commands, tools }) => ({
      commands,
      tools: [...tools.filter(({ entry }) => entry !== tool.entry), tool],
    }));
  }

  /** Removes a command, or a tool. */
  remove(entry: string): Promise<void> {
    return this.#change(({ commands, tools }) => ({
      commands: commands.filter((each) => each !== entry),
      tools: tools.filter((each) => each.entry !== entry),
    }));
  }

  async #change(change: (allowed: Allowed) => Allowed): Promise<void> {
    this.#allowed = change(this.#allowed);
    await this.#storage.withLock(FILE, async () => {
      const allowed = change(await this.#read());
      const text = `${JSON.stringify({ version: 1, ...allowed }, null, 2)}\n`;
      await this.#storage.replace(FILE, new TextEncoder().encode(text));
      this.#allowed = allowed;
      this.#version = (await this.#storage.stat(FILE))?.version;
    });
  }

  async #read(): Promise<Allowed> {
    const bytes = await this.#storage.read(FILE);
    if (!bytes) return NOTHING;
    const found = fileSchema.safeParse(parsedRecord(bytes));
    if (found.success) return { commands: found.data.commands, tools: found.data.tools };
    this.#log.error(`the file ${FILE} is not valid, so it allows nothing`, found.error);
    return NOTHING;
  }
}
