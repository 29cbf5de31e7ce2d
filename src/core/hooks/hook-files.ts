/**
 * Finds and reads the files in which users of other agents configure hooks: those in the home folder, and those in each folder of the
 * workspace. In an untrusted workspace there are no hooks at all, because the user's own may run what is in it. One bad entry does not
 * affect the others.
 */
import { join } from "node:path";
import type { Node } from "jsonc-parser";
import { getNodeValue } from "jsonc-parser";
import {
  type HookEvent,
  type HookProblem,
  type HookReader,
  hookEventSchema,
} from "../../shared/hook-list.ts";
import { type Reason, reasonOf } from "../../shared/reason.ts";
import * as z from "../../shared/zod.ts";
import { faultOf } from "../errors.ts";
import type { Files } from "../ports/files.ts";
import type { PluginOrigin, Plugins } from "../ports/plugins.ts";
import type { SystemInfo } from "../ports/system.ts";
import type { Workspace } from "../ports/workspace.ts";
import { isInside } from "../roots.ts";
import { type ConfigText, propertiesOf, propertyOf, readConfigText } from "../servers/config/config-text.ts";
import type { HookBinding, HookDefinition, HookHandler, LoadedHooks } from "./hook-types.ts";
import { isUsableMatcher } from "./matcher.ts";

/** Bytes of the largest file that is read. */
const LARGEST_FILE = 1024 * 1024;
const MOST_FILES_IN_FOLDER = 100;
const MOST_HOOKS = 200;
const MOST_PROBLEMS = 50;

/** Where the files are, relative to the home folder or the project; one that ends in `/` is a folder of `.json` files. */
const USER_PLACES: readonly (readonly [HookReader, string])[] = [
  ["claude", ".claude/settings.json"],
  ["copilot", ".copilot/hooks/"],
  ["codex", ".codex/hooks.json"],
];
const PROJECT_PLACES: readonly (readonly [HookReader, string])[] = [
  ["claude", ".claude/settings.json"],
  ["claude", ".claude/settings.local.json"],
  ["vscode", ".github/hooks/"],
  ["codex", ".codex/hooks.json"],
];

/** Seconds that a hook may take if its file does not say. */
const DEFAULT_SECONDS: Readonly<Record<HookReader, number>> = {
  claude: 600,
  codex: 600,
  vscode: 30,
  copilot: 30,
};

/** The events of the Copilot CLI, where they have other names than ours in lower camel case. */
const OTHER_NAMES: Readonly<Record<string, HookEvent>> = { userPromptSubmitted: "UserPromptSubmit" };

export interface HookSources {
  files: Pick<Files, "stat" | "realpath" | "readText" | "list">;
  workspace: Workspace;
  system: Pick<SystemInfo, "home" | "platform">;
  plugins?: Plugins;
}

export interface HookConfigFile {
  reader: HookReader;
  source: HookDefinition["source"];
  /** The home folder, or the folder of the workspace or the plugin. */
  base: string;
  file: string;
  /** The plugin that the file is from. */
  plugin?: PluginOrigin;
}

export async function loadHooks(sources: HookSources): Promise<LoadedHooks> {
  const found: LoadedHooks = { hooks: [], problems: [] };
  if (!sources.workspace.trusted) return found;
  let isOff = false;
  for (const place of await configFilesOf(sources)) {
    const loaded = await readConfigFile(place, sources);
    // `disableAllHooks` of the user applies to all files of that agent, and that of a project to the project's.
    if (place.source === "user" && place.reader === "claude") isOff = loaded.disablesAll;
    if (loaded.disablesAll || (isOff && place.reader === "claude")) continue;
    found.hooks.push(...loaded.hooks);
    found.problems.push(...loaded.problems);
  }
  return { hooks: found.hooks.slice(0, MOST_HOOKS), problems: found.problems.slice(0, MOST_PROBLEMS) };
}

async function configFilesOf(sources: HookSources): Promise<HookConfigFile[]> {
  const { files, workspace, system } = sources;
  const folders = workspace.roots.map(({ path }) => path);
  const wanted = [
    ...USER_PLACES.map(([reader, name]) => ({ reader, source: "user" as const, base: system.home, name })),
    ...folders.flatMap((base) =>
      PROJECT_PLACES.map(([reader, name]) => ({ reader, source: "project" as const, base, name })),
    ),
  ];
  const listed = await Promise.all(
    wanted.map(async ({ name, ...place }) => {
      const path = join(place.base, name.replace(/\/$/, ""));
      if (!name.endsWith("/")) return [{ ...place, file: path }];
      if ((await files.stat(path))?.kind !== "directory") return [];
      const names = (await files.list(path))
        .map((entry) => entry.name)
        .filter((each) => each.endsWith(".json"));
      return names
        .sort()
        .slice(0, MOST_FILES_IN_FOLDER)
        .map((each) => ({ ...place, file: join(path, each) }));
    }),
  );
  return [...listed.flat(), ...(await pluginFilesOf(sources))];
}

async function pluginFilesOf({ plugins }: HookSources): Promise<HookConfigFile[]> {
  return ((await plugins?.active()) ?? []).flatMap((plugin) =>
    plugin.hooks.map((file) => ({
      reader: "claude" as const,
      source: "plugin" as const,
      base: plugin.root,
      file: join(plugin.root, file),
      plugin,
    })),
  );
}

type Read = LoadedHooks & { disablesAll: boolean };

async function readConfigFile(
  place: HookConfigFile,
  { files, workspace, system }: HookSources,
): Promise<Read> {
  const { file } = place;
  const failed = (reason: Reason): Read => ({
    hooks: [],
    problems: [{ file, line: 1, reason }],
    disablesAll: false,
  });
  try {
    const stat = await files.stat(file);
    if (!stat) return { hooks: [], problems: [], disablesAll: false };
    if (stat.kind !== "file") return failed(reasonOf("is-a-folder"));
    if (stat.size > LARGEST_FILE)
      return failed(reasonOf("file-too-large", `${(stat.size / 1024 / 1024).toFixed(1)} MB`));
    if (place.source !== "user") {
      const [target, root] = await Promise.all([files.realpath(file), files.realpath(place.base)]);
      if (!isInside(root, target)) return failed(reasonOf("link-elsewhere", target));
    }
    const { text } = await files.readText(file);
    const folder = place.source === "project" ? place.base : workspace.root;
    return parseHookFile(place, text, folder, system.platform);
  } catch (error) {
    return failed(faultOf(error));
  }
}

/** `folder`: see `HookDefinition`. Never throws, whatever the text. */
export function parseHookFile(
  place: HookConfigFile,
  text: string,
  folder: string | undefined,
  platform: SystemInfo["platform"],
): Read {
  return new HookFile(place, text, folder, platform).read();
}

const texts = z.record(
  z.string(),
  z.pipe(z.union([z.string(), z.number(), z.boolean()]), z.transform(String)),
);
const maybeText = z.exactOptional(z.string().check(z.minLength(1)));

/** A handler of any of the agents. Other keys do not change what runs. */
const handlerSchema = z.object({
  type: z._default(z.string(), "command"),
  command: maybeText,
  args: z.exactOptional(z.array(z.string())),
  shell: z.exactOptional(z.enum(["bash", "powershell"])),
  /** The command on one platform: VS Code's names, Codex', and the Copilot CLI's, which names shells. */
  windows: maybeText,
  linux: maybeText,
  osx: maybeText,
  commandWindows: maybeText,
  bash: maybeText,
  powershell: maybeText,
  cwd: maybeText,
  env: z._default(texts, {}),
  timeout: z.exactOptional(z.number().check(z.positive(), z.lte(86_400))),
  timeoutSec: z.exactOptional(z.number().check(z.positive(), z.lte(86_400))),
  async: z._default(z.boolean(), false),
  if: z.exactOptional(z.string()),
  matcher: z.exactOptional(z.string()),
});
type Handler = z.infer<typeof handlerSchema>;

class HookFile {
  readonly #place: HookConfigFile;
  readonly #folder: string | undefined;
  readonly #platform: SystemInfo["platform"];
  readonly #config: ConfigText;
  readonly #problems: HookProblem[] = [];
  /** By everything that decides what runs. */
  readonly #hooks = new Map<string, HookDefinition & { bindings: HookBinding[] }>();

  constructor(
    place: HookConfigFile,
    text: string,
    folder: string | undefined,
    platform: SystemInfo["platform"],
  ) {
    this.#place = place;
    this.#folder = folder;
    this.#platform = platform;
    this.#config = readConfigText(text.replace(/^\uFEFF/, ""));
  }

  read(): Read {
    const { root, errorAt } = this.#config;
    if (errorAt !== undefined || (root && root.type !== "object"))
      this.#report(errorAt ?? root?.offset ?? 0, reasonOf("not-json"));
    else this.#events(this.#hooksIn(root));
    const disablesAll = propertyOf(root, "disableAllHooks")?.value.value === true;
    return { hooks: [...this.#hooks.values()], problems: this.#problems, disablesAll };
  }

  /** In the manifest of a plugin, the value may be the content of such a file. */
  #hooksIn(root: Node | undefined): Node | undefined {
    const hooks = propertyOf(root, "hooks")?.value;
    const inner =
      this.#place.plugin && hooks?.type === "object" ? propertyOf(hooks, "hooks")?.value : undefined;
    return inner?.type === "object" ? inner : hooks;
  }

  #report(offset: number, reason: Reason): void {
    if (this.#problems.length >= MOST_PROBLEMS) return;
    this.#problems.push({ file: this.#place.file, line: this.#config.lineAt(offset), reason });
  }

  #events(hooks: Node | undefined): void {
    if (hooks && hooks.type !== "object") this.#report(hooks.offset, reasonOf("must-be-object", "hooks"));
    for (const { key, offset, value } of hooks?.type === "object" ? propertiesOf(hooks) : []) {
      const event = eventNamed(key);
      if (!event) this.#report(offset, reasonOf("hook-event-unknown", key));
      else if (value.type !== "array") this.#report(offset, reasonOf("must-be-list", `hooks.${key}`));
      else for (const entry of value.children ?? []) this.#entry(event, entry);
    }
  }

  /** A handler, or Claude Code's group of handlers with a matcher. */
  #entry(event: HookEvent, entry: Node): void {
    const group = propertyOf(entry, "hooks")?.value;
    const matcher: unknown = propertyOf(entry, "matcher")?.value.value;
    if (group === undefined) this.#handler(event, entry, undefined);
    else if (group.type !== "array") this.#report(group.offset, reasonOf("must-be-list", "hooks"));
    else
      for (const handler of group.children ?? [])
        this.#handler(event, handler, typeof matcher === "string" ? matcher : undefined);
  }

  #handler(event: HookEvent, node: Node, group: string | undefined): void {
    const { data, error } = handlerSchema.safeParse(getNodeValue(node));
    const handler = data?.type === "command" ? handlerFor(this.#platform, data) : undefined;
    const matcher = group ?? data?.matcher;
    if (error) {
      const place = error.issues[0]?.path.map(String).join(".") ?? "";
      this.#report(node.offset, reasonOf("invalid-value", place === "" ? event : place));
    } else if (data.type !== "command")
      this.#report(node.offset, reasonOf("hook-type-unsupported", data.type));
    else if (!handler) this.#report(node.offset, reasonOf("hook-command-missing"));
    else if (matcher !== undefined && !isUsableMatcher(matcher))
      this.#report(node.offset, reasonOf("hook-matcher-unusable", matcher));
    else
      this.#add(node, handler, {
        event,
        ...(matcher === undefined ? {} : { matcher }),
        ...(data.if === undefined ? {} : { condition: data.if }),
      });
  }

  #add(node: Node, handler: HookHandler, binding: HookBinding): void {
    const { reader, source, file, plugin } = this.#place;
    const key = JSON.stringify(handler);
    const line = this.#config.lineAt(node.offset);
    const hook = this.#hooks.get(key) ?? {
      ...{ reader, source, file, line, handler },
      ...(plugin ? { plugin } : {}),
      folder: this.#folder,
      bindings: [],
    };
    hook.bindings.push(binding);
    this.#hooks.set(key, hook);
  }
}

/** undefined: there is no command for this platform. */
function handlerFor(platform: SystemInfo["platform"], data: Handler): HookHandler | undefined {
  const isWindows = platform === "win32";
  const forWindows = data.windows ?? data.commandWindows ?? data.powershell;
  const forOthers = (platform === "darwin" ? data.osx : data.linux) ?? data.bash;
  const command = (isWindows ? forWindows : forOthers) ?? data.command ?? (isWindows ? data.bash : undefined);
  if (command === undefined) return undefined;
  const isPowerShell = data.shell === "powershell" || (isWindows && forWindows !== undefined);
  const seconds = data.timeout ?? data.timeoutSec;
  return {
    command,
    ...(data.args ? { args: data.args } : {}),
    shell: isPowerShell ? "powershell" : "sh",
    ...(data.cwd === undefined ? {} : { cwd: data.cwd }),
    env: data.env,
    ...(seconds === undefined ? {} : { timeoutMs: seconds * 1000 }),
    isAsync: data.async,
  };
}

/** The event of this name, in any agent's spelling; undefined: it is not one of ours. */
export function eventNamed(name: string): HookEvent | undefined {
  if (Object.hasOwn(OTHER_NAMES, name)) return OTHER_NAMES[name];
  return hookEventSchema.safeParse(name.charAt(0).toUpperCase() + name.slice(1)).data;
}

/** How long a run may take. Events that the user waits for, and the end of a session, get less by default. */
export function timeLimit({ handler: { timeoutMs }, reader }: HookDefinition, event: HookEvent): number {
  if (event === "SessionEnd") return Math.min(timeoutMs ?? 1_500, 60_000);
  const usual = event === "UserPromptSubmit" ? 30 : DEFAULT_SECONDS[reader];
  return timeoutMs ?? usual * 1_000;
}
