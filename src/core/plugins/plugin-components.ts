/** What a plugin adds, in the words of its files, before anything of it is installed; and how that differs from what is installed. */
import { join } from "node:path";
import type { PluginComponent, PluginDifference, PluginProblem } from "../../shared/plugin-list.ts";
import type { ReasonData } from "../../shared/reason.ts";
import { hookCommand } from "../hooks/hook-content.ts";
import { parseHookFile } from "../hooks/hook-files.ts";
import { agentOf } from "../instructions/agents.ts";
import { commandOf } from "../instructions/commands.ts";
import type { DefinitionFile } from "../instructions/definition-files.ts";
import { readFields } from "../instructions/front-matter.ts";
import { skillOf } from "../instructions/skills.ts";
import { languageServerLine, parseLanguageServers } from "../language-servers/language-server-file.ts";
import type { PluginOrigin } from "../ports/plugins.ts";
import type { SystemInfo } from "../ports/system.ts";
import { parseServerFile } from "../servers/config/configuration.ts";
import { launchLine } from "../servers/content-hashes.ts";
import { boundedLine } from "../servers/server-text.ts";
import { LARGEST_JSON, type PluginManifest } from "./plugin-manifest.ts";
import type { FileRecord, PluginTree } from "./plugin-tree.ts";

/** Characters of a description. A command is never shortened. */
const DETAIL_LENGTH = 300;
/** Bytes of the largest file of a skill, a command or an agent. */
const LARGEST_DEFINITION = 100 * 1024;
const MOST_PROBLEMS = 100;

const DEFINERS = { skill: skillOf, command: commandOf, agent: agentOf } as const;

export interface PluginContent {
  components: PluginComponent[];
  problems: PluginProblem[];
}

export async function contentOfPlugin(
  tree: PluginTree,
  manifest: PluginManifest,
  platform: SystemInfo["platform"],
): Promise<PluginContent> {
  const reader = new ContentReader(tree, manifest, platform);
  await reader.read();
  const problems = [...tree.problems, ...manifest.problems, ...reader.problems];
  return { components: reader.components, problems: problems.slice(0, MOST_PROBLEMS) };
}

class ContentReader {
  readonly components: PluginComponent[] = [];
  readonly problems: PluginProblem[] = [];
  readonly #tree: PluginTree;
  readonly #manifest: PluginManifest;
  readonly #platform: SystemInfo["platform"];
  /** Only its name and format matter before it is installed. */
  readonly #origin: PluginOrigin;

  constructor(tree: PluginTree, manifest: PluginManifest, platform: SystemInfo["platform"]) {
    this.#tree = tree;
    this.#manifest = manifest;
    this.#platform = platform;
    this.#origin = { name: manifest.name, format: manifest.format, hash: "", root: "/", data: "" };
  }

  async read(): Promise<void> {
    const { skills, commands, agents, hooks, servers, languageServers } = this.#manifest.places;
    for (const file of skills) await this.#definition("skill", file);
    for (const file of commands) await this.#definition("command", file);
    for (const file of agents) await this.#definition("agent", file);
    for (const file of hooks) this.#hooks(file);
    for (const file of servers) this.#servers(file);
    for (const file of languageServers) this.#languageServers(file);
  }

  #text(file: string, limit: number): string | undefined {
    const bytes = this.#tree.files.get(file)?.bytes;
    if (bytes === undefined) return undefined;
    if (bytes.length <= limit) return new TextDecoder().decode(bytes);
    this.problems.push({ code: "component-too-large", values: [file, String(limit / 1024)] });
    return undefined;
  }

  async #definition(kind: "skill" | "command" | "agent", file: string): Promise<void> {
    const text = this.#text(file, LARGEST_DEFINITION);
    if (text === undefined) return;
    const front = await readFields(text);
    if ("why" in front) this.#report(file, 1, front.why);
    const { fields, text: body } = "why" in front ? { fields: {}, text: "" } : front;
    const described = definitionFile(file, this.#origin);
    const { name, description } = DEFINERS[kind](described, fields, body);
    this.components.push({ kind, name, detail: boundedLine(description, DETAIL_LENGTH), file });
  }

  #hooks(file: string): void {
    const text = this.#text(file, LARGEST_JSON);
    if (text === undefined) return;
    const place = { reader: "claude", source: "plugin", base: "/", file, plugin: this.#origin } as const;
    const { hooks, problems } = parseHookFile(place, text, undefined, this.#platform);
    for (const hook of hooks)
      this.components.push({
        kind: "hook",
        name: [...new Set(hook.bindings.map(({ event }) => event))].join(", "),
        detail: hookCommand(hook),
        file,
      });
    for (const { line, reason } of problems) this.#report(file, line, reason);
  }

  #servers(file: string): void {
    const text = this.#text(file, LARGEST_JSON);
    if (text === undefined) return;
    const { servers, problems } = parseServerFile({ source: "plugin", file, text, plugin: this.#origin });
    for (const server of servers)
      this.components.push({ kind: "server", name: server.name, detail: launchLine(server), file });
    for (const { line, reason } of problems) this.#report(file, line, reason);
  }

  #languageServers(file: string): void {
    const text = this.#text(file, LARGEST_JSON);
    if (text === undefined) return;
    const { servers, problems } = parseLanguageServers(file, text, this.#origin);
    for (const server of servers)
      this.components.push({
        kind: "language-server",
        name: server.name,
        detail: languageServerLine(server),
        file,
      });
    for (const { line, reason } of problems) this.#report(file, line, reason);
  }

  #report(file: string, line: number, { code, values }: ReasonData): void {
    this.problems.push({ code: "in-file", values: [file, String(line), code, ...values] });
  }
}

function definitionFile(file: string, plugin: PluginOrigin): DefinitionFile {
  return {
    ...({
      source: "plugin",
      scope: "plugin",
      name: file,
      path: join("/", file),
      folder: "/",
      within: "/",
    } as const),
    below: file.split("/"),
    plugin,
    content: { text: "" },
  };
}

/** What is compared of an installed plugin. */
export interface InstalledContent {
  version?: string;
  components: readonly PluginComponent[];
  files: Readonly<Record<string, FileRecord>>;
}

export function pluginDifference(before: InstalledContent, after: InstalledContent): PluginDifference {
  const { version } = before;
  return {
    ...(version === undefined ? {} : { version }),
    components: componentChanges(before.components, after.components),
    files: fileChanges(before.files, after.files),
  };
}

function componentChanges(
  before: readonly PluginComponent[],
  after: readonly PluginComponent[],
): PluginDifference["components"] {
  const key = (component: PluginComponent) => JSON.stringify(component);
  const [old, now] = [new Set(before.map(key)), new Set(after.map(key))];
  return [
    ...after
      .filter((each) => !old.has(key(each)))
      .map((component) => ({ change: "added" as const, component })),
    ...before
      .filter((each) => !now.has(key(each)))
      .map((component) => ({ change: "removed" as const, component })),
  ];
}

/** Sorted by path. */
export function fileChanges(
  before: Readonly<Record<string, FileRecord>>,
  after: Readonly<Record<string, FileRecord>>,
): PluginDifference["files"] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return paths.flatMap((path): PluginDifference["files"] => {
    const [old, now] = [before[path], after[path]];
    if (old === undefined) return [{ change: "added", path }];
    if (now === undefined) return [{ change: "removed", path }];
    const isSame = old.hash === now.hash && old.isExecutable === now.isExecutable;
    return isSame ? [] : [{ change: "changed", path }];
  });
}
