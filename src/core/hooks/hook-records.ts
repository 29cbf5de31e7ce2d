/** What Nekode remembers about hooks for this user: which of them they approved with which content, and what they chose for each. */
import { relative, sep } from "node:path";
import * as z from "../../shared/zod.ts";
import { sha256 } from "../bytes.ts";
import type { Storage } from "../ports/storage.ts";
import type { Log } from "../ports/system.ts";
import { RecordFile } from "../record-file.ts";
import type { HookDefinition } from "./hook-types.ts";

const FILE = "hooks.json";

const recordSchema = z.object({
  /** The content that the user approved. */
  approved: z.exactOptional(z.object({ hash: z.string(), content: z.string() })),
  isOff: z.exactOptional(z.boolean()),
  asksIfItFails: z.exactOptional(z.boolean()),
});
export type HookRecord = z.infer<typeof recordSchema>;

const fileSchema = z.object({ version: z.literal(1), hooks: z.record(z.string(), recordSchema) });

export class HookRecords {
  readonly #file: RecordFile<z.infer<typeof fileSchema>>;

  /** `storage`: a folder of the user's that is used for nothing else. */
  constructor(storage: Storage, log: Log) {
    this.#file = new RecordFile(storage, log, {
      name: FILE,
      schema: fileSchema,
      empty: () => ({ version: 1, hooks: {} }),
      records: "the approved hooks",
      loss: "all hooks ask again",
    });
  }

  /** By `hookKey`. */
  async all(): Promise<Readonly<Record<string, HookRecord>>> {
    return (await this.#file.read()).hooks;
  }

  update(key: string, change: HookRecord): Promise<void> {
    return this.#file.change(({ hooks }) => {
      hooks[key] = { ...hooks[key], ...change };
    });
  }

  /** Forgets what the user decided about the hooks of a plugin. */
  async forgetPlugin(name: string): Promise<void> {
    const beginning = JSON.stringify([placeOfPlugin(name)]).slice(0, -2);
    const ofPlugin = Object.keys(await this.all()).filter((key) => key.startsWith(beginning));
    if (ofPlugin.length === 0) return;
    await this.#file.change(({ hooks }) => {
      for (const key of ofPlugin) delete hooks[key];
    });
  }
}

/** Identifies a hook whatever its events and the files that it runs: the file that configures it, and its command. */
export function hookKey({ file, plugin, handler: { command, args = [] } }: HookDefinition): string {
  // The folder of a plugin is another one after each update.
  const place = plugin
    ? `${placeOfPlugin(plugin.name)}${relative(plugin.root, file).split(sep).join("/")}`
    : file;
  return JSON.stringify([place, command, ...args]);
}

/** No absolute path begins so. */
function placeOfPlugin(name: string): string {
  return `plugin:${name}/`;
}

/** A short name for the hook, for command lines. */
export async function hookId(hook: HookDefinition): Promise<string> {
  return (await sha256(new TextEncoder().encode(hookKey(hook)))).slice(0, 8);
}
