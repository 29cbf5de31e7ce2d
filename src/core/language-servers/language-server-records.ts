/** Which language servers of plugins the user approved, each with everything that decides what runs. */
import { visible } from "../../shared/visible.ts";
import * as z from "../../shared/zod.ts";
import { sha256 } from "../bytes.ts";
import type { PluginOrigin } from "../ports/plugins.ts";
import type { Storage } from "../ports/storage.ts";
import type { Log } from "../ports/system.ts";
import { RecordFile } from "../record-file.ts";
import { approvalsOf } from "./approvals-folder.ts";
import type { LanguageServerDefinition } from "./language-server-file.ts";

const fileSchema = z.object({
  version: z.literal(1),
  /** Hashes of what was approved, by the server's name. */
  approved: z.record(z.string(), z.string()),
});

/** `own`: the user configured it. changed: it is not what the user approved. */
export type LanguageServerTrust = "own" | "approved" | "new" | "changed";

export class LanguageServerRecords {
  readonly #storage: Storage;
  readonly #log: Log;

  /** `storage`: the user's folder of `approvals-folder.ts`. */
  constructor(storage: Storage, log: Log) {
    this.#storage = storage;
    this.#log = log;
  }

  async trustOf(server: LanguageServerDefinition): Promise<LanguageServerTrust> {
    const { plugin, name } = server;
    if (!plugin) return "own";
    const { approved } = await this.#fileOf(plugin).read();
    const hash = Object.hasOwn(approved, name) ? approved[name] : undefined;
    if (hash === undefined) return "new";
    return hash === (await hashOf(server)) ? "approved" : "changed";
  }

  async approve(server: LanguageServerDefinition): Promise<void> {
    const { plugin, name } = server;
    if (!plugin) return;
    const hash = await hashOf(server);
    await this.#fileOf(plugin).change(({ approved }) => {
      approved[name] = hash;
    });
  }

  #fileOf({ name }: PluginOrigin): RecordFile<z.infer<typeof fileSchema>> {
    return new RecordFile(this.#storage, this.#log, {
      name: approvalsOf(name),
      schema: fileSchema,
      empty: () => ({ version: 1, approved: {} }),
      records: `the approved language servers of the plugin ${name}`,
      loss: "they ask again",
    });
  }
}

/** What the user approves, one item a line. Invisible characters are visible. */
export function languageServerLines(server: LanguageServerDefinition): string {
  const { command, args, env, languages, initializationOptions, settings, plugin } = server;
  const lines: [key: string, text: string][] = [
    ["command", command],
    ...args.map((arg): [string, string] => ["args", arg]),
    ...sorted(env).map(([name, value]): [string, string] => ["env", `${name}=${value}`]),
    ["files", sorted(languages).flat().join(" ")],
    ...(initializationOptions === undefined
      ? []
      : [["initializationOptions", JSON.stringify(initializationOptions)] satisfies [string, string]]),
    ...(settings === undefined ? [] : [["settings", JSON.stringify(settings)] satisfies [string, string]]),
    // The hash covers all files of the plugin, so that any change of it asks again.
    ...(plugin ? [["plugin", `${plugin.name} ${plugin.hash}`] satisfies [string, string]] : []),
  ];
  return lines.map(([key, text]) => `${key}: ${visible(text)}`).join("\n");
}

function hashOf(server: LanguageServerDefinition): Promise<string> {
  const { command, args, env, languages, initializationOptions, settings, plugin } = server;
  const parts = [
    command,
    args,
    sorted(env),
    sorted(languages),
    initializationOptions,
    settings,
    plugin?.hash,
  ];
  return sha256(new TextEncoder().encode(JSON.stringify(parts.map((part) => part ?? null))));
}

function sorted(values: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}
