/**
 * The files that configure language servers, in the format of Claude Code's plugins: an object with an entry for each server. JSON with
 * comments.
 */
import { getNodeValue, type Node } from "jsonc-parser";
import { type Reason, reasonOf } from "../../shared/reason.ts";
import * as z from "../../shared/zod.ts";
import type { PluginOrigin } from "../ports/plugins.ts";
import { type Property, propertiesOf, propertyOf, readConfigText } from "../servers/config/config-text.ts";
import { pluginLaunchFault } from "../servers/config/plugin-launch.ts";

/** The user's own file, in the folder of their configuration. */
export const LANGUAGE_SERVERS_FILE = "lsp.json";
/** The key of a plugin's manifest that contains such a file. */
export const LANGUAGE_SERVERS_KEY = "lspServers";

/** Milliseconds that a server has to start, and the longest time that a file may give it. */
const START_MS = 30_000;
const LONGEST_START_MS = 10 * 60_000;
const MOST_PROBLEMS = 50;

export interface LanguageServerDefinition {
  /** The key of its entry. */
  name: string;
  /** Absolute path of the file that configures it, and the line of its entry. */
  file: string;
  line: number;
  /** The plugin that it is from; absent: the user's own file. */
  plugin?: PluginOrigin;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** The protocol's names of languages, by the extension of files, such as `.ts`, in lower case. */
  languages: Readonly<Record<string, string>>;
  initializationOptions?: unknown;
  settings?: unknown;
  startupTimeoutMs: number;
}

export interface LanguageServerProblem {
  file: string;
  line: number;
  reason: Reason;
}

export interface LoadedLanguageServers {
  servers: LanguageServerDefinition[];
  problems: LanguageServerProblem[];
}

const entrySchema = z.object({
  command: z.string().check(z.minLength(1)),
  args: z._default(z.array(z.string()), []),
  env: z._default(z.record(z.string(), z.string()), {}),
  extensionToLanguage: z
    .record(z.string().check(z.regex(/^\../)), z.string().check(z.minLength(1)))
    .check(z.refine((languages) => Object.keys(languages).length > 0)),
  transport: z.exactOptional(z.literal("stdio")),
  initializationOptions: z.optional(z.unknown()),
  settings: z.optional(z.unknown()),
  startupTimeout: z._default(z.number().check(z.positive(), z.lte(LONGEST_START_MS)), START_MS),
});

/** `file`: absolute. Never throws, whatever the text. */
export function parseLanguageServers(
  file: string,
  text: string,
  plugin: PluginOrigin | undefined,
): LoadedLanguageServers {
  const { root, errorAt, lineAt } = readConfigText(text.replace(/^\uFEFF/, ""));
  const problems: LanguageServerProblem[] = [];
  const report = (offset: number, reason: Reason) => {
    if (problems.length < MOST_PROBLEMS) problems.push({ file, line: lineAt(offset), reason });
  };
  if (errorAt !== undefined || (root && root.type !== "object")) {
    report(errorAt ?? root?.offset ?? 0, reasonOf("not-json"));
    return { servers: [], problems };
  }
  const servers = new Map<string, LanguageServerDefinition>();
  for (const property of entriesOf(root, report)) {
    const entry = entryOf(property, plugin, report);
    if (!entry) continue;
    const { command, args, env, extensionToLanguage, startupTimeout, initializationOptions, settings } =
      entry;
    const { key: name, offset } = property;
    servers.set(name, {
      ...{ name, file, line: lineAt(offset), command, args, env },
      ...(plugin ? { plugin } : {}),
      languages: Object.fromEntries(
        Object.entries(extensionToLanguage).map(([extension, language]) => [
          extension.toLowerCase(),
          language,
        ]),
      ),
      ...(initializationOptions === undefined ? {} : { initializationOptions }),
      ...(settings === undefined ? {} : { settings }),
      startupTimeoutMs: startupTimeout,
    });
  }
  return { servers: [...servers.values()], problems };
}

type Report = (offset: number, reason: Reason) => void;

function entriesOf(root: Node | undefined, report: Report): Property[] {
  const container = propertyOf(root, LANGUAGE_SERVERS_KEY);
  if (!container) return root ? propertiesOf(root).filter(({ key }) => key !== "$schema") : [];
  if (container.value.type === "object") return propertiesOf(container.value);
  report(container.offset, reasonOf("must-be-object", container.key));
  return [];
}

function entryOf(
  { key, offset, value }: Property,
  plugin: PluginOrigin | undefined,
  report: Report,
): z.infer<typeof entrySchema> | undefined {
  const { data, error } = entrySchema.safeParse(getNodeValue(value));
  if (error) {
    const place = [key, ...(error.issues[0]?.path.map(String) ?? [])].join(".");
    report(offset, reasonOf("invalid-value", place));
    return undefined;
  }
  const { command, args, env } = data;
  const fault = plugin && pluginLaunchFault({ type: "stdio", command, args, env }, plugin);
  if (fault) report(offset, fault);
  return fault ? undefined : data;
}

/** Its command with the arguments, as it is configured. */
export function languageServerLine({
  command,
  args,
}: Pick<LanguageServerDefinition, "command" | "args">): string {
  return [command, ...args].join(" ");
}
