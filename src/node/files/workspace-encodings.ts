/** The encodings that a workspace's `.vscode/settings.json` names, for a host that is not the editor. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { getNodeValue, type Node } from "jsonc-parser";
import type { Log } from "../../core/ports/system.ts";
import { isInside } from "../../core/roots.ts";
import { propertiesOf, propertyOf, readConfigText } from "../../core/servers/config/config-text.ts";
import * as z from "../../shared/zod.ts";
import { stat } from "./direct-calls.ts";
import { languageOf } from "./encoding/file-language.ts";
import { LANGUAGE_TABLE } from "./encoding/language-table.ts";
import type { EncodingNames } from "./encoding-names.ts";

interface NamedEncodings {
  all?: string | undefined;
  /** By the identifier of the language. */
  languages: ReadonlyMap<string, string>;
  associations: unknown;
}

/** Bytes of the largest file that is read. */
const LARGEST = 1_000_000;
/** The editor's default, which is no evidence about a file. */
const UTF8 = "utf8";

const nameSchema = z.catch(z.optional(z.string()), undefined);
const NOTHING: NamedEncodings = { languages: new Map(), associations: {} };

/**
 * `roots`: the project's folder first, then its worktrees. The settings of the one that contains a file apply to it; those of the
 * project apply to other files, and in a worktree that has none. A file of settings that cannot be read counts as empty, and each
 * version of it is named once in the log.
 */
export function workspaceEncodings(roots: () => readonly string[], log: Pick<Log, "error">): EncodingNames {
  const known = new Map<string, { version: string; named: NamedEncodings }>();

  async function namedIn(folder: string): Promise<NamedEncodings | undefined> {
    const file = path.join(folder, ".vscode", "settings.json");
    const stats = await stat(file).catch(() => undefined);
    if (!stats) return undefined;
    const version = `${stats.ino}-${stats.mtimeMs}-${stats.size}`;
    const last = known.get(file);
    if (last?.version === version) return last.named;
    const read = stats.isFile() && stats.size <= LARGEST ? await settingsOf(file) : undefined;
    const named = read ?? NOTHING;
    // Another call may have read this version meanwhile.
    if (!read && known.get(file)?.version !== version)
      log.error(`${file} cannot be read, so it names no encoding of files`);
    known.set(file, { version, named });
    return named;
  }

  return async (file) => {
    const all = roots();
    // The innermost: a worktree may be in the project.
    const [own] = all.filter((root) => isInside(root, file)).sort((a, b) => b.length - a.length);
    const [project = own] = all;
    if (project === undefined) return undefined;
    const {
      all: plain,
      languages,
      associations,
    } = (await namedIn(own ?? project)) ?? (own === project ? undefined : await namedIn(project)) ?? NOTHING;
    const language = languages.size === 0 ? undefined : languageOf(file, associations, LANGUAGE_TABLE);
    const name = (language === undefined ? undefined : languages.get(language)) ?? plain;
    return name === UTF8 ? undefined : name;
  };
}

/** undefined: the file cannot be read, or is not such JSON as the editor reads. */
async function settingsOf(file: string): Promise<NamedEncodings | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  const config = text === undefined ? undefined : readConfigText(text.replace(/^\ufeff/, ""));
  if (!config || config.errorAt !== undefined) return undefined;
  if (!config.root) return NOTHING;
  if (config.root.type !== "object") return undefined;
  const languages = new Map<string, string>();
  for (const { key, value } of propertiesOf(config.root)) {
    const name = /^(?:\[[^\]]+\])+$/.test(key) ? encodingIn(value) : undefined;
    if (name === undefined) continue;
    // One block may be for several languages: "[c][cpp]".
    for (const [, id = ""] of key.matchAll(/\[([^\]]+)\]/g)) languages.set(id, name);
  }
  const associations = propertyOf(config.root, "files.associations")?.value;
  return {
    all: encodingIn(config.root),
    languages,
    associations: associations && getNodeValue(associations),
  };
}

function encodingIn(block: Node): string | undefined {
  return nameSchema.parse(propertyOf(block, "files.encoding")?.value.value);
}
