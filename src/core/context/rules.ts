/**
 * Rules that a project or the person keeps in files: our own and those of other agents that projects already have. Read
 * when a task begins and the same for all of it, because they are part of the system prompt.
 */
import { join } from "node:path";
import type { Settings } from "../../shared/settings.ts";
import { Interrupt, messageOf } from "../errors.ts";
import type { Host } from "../ports.ts";
import { createIgnoreRules } from "../safety/ignore.ts";
import { readFrontMatter } from "./front-matter.ts";

export type RuleSource = keyof Settings["context"]["rules"];

export interface Rule {
  source: RuleSource;
  /** As it is named to the model and the person: relative to the workspace, or with `~`. */
  name: string;
  /** Patterns of the files that it is for; none: all of them. */
  paths: string[];
  text: string;
}

export interface Rules {
  rules: Rule[];
  /** Files that were left out, each with the reason. */
  leftOut: string[];
}

/** Bytes of one file, and characters of all of them. */
const fileSize = 100 * 1024;
const totalCharacters = 120_000;
const mostFiles = 60;
/** Files that are looked at for nested rules and for path conditions. */
const listedFiles = 50_000;
/** Patterns that the braces of one may stand for. */
const mostChoices = 50;

type Place = { source: RuleSource; path: string } & ({ kind: "file" } | { kind: "folder"; ending: RegExp });

const places: readonly Place[] = [
  { source: "nekode", path: ".nekode/rules", kind: "folder", ending: /\.md$/i },
  { source: "agents", path: "AGENTS.md", kind: "file" },
  { source: "cline", path: ".clinerules", kind: "file" },
  { source: "cline", path: ".clinerules", kind: "folder", ending: /\.(?:md|txt)$/i },
  { source: "cursor", path: ".cursor/rules", kind: "folder", ending: /\.mdc?$/i },
  { source: "cursor", path: ".cursorrules", kind: "file" },
  { source: "windsurf", path: ".windsurf/rules", kind: "folder", ending: /\.md$/i },
  { source: "windsurf", path: ".windsurfrules", kind: "file" },
  { source: "claude", path: "CLAUDE.md", kind: "file" },
  { source: "copilot", path: ".github/copilot-instructions.md", kind: "file" },
  { source: "copilot", path: ".github/instructions", kind: "folder", ending: /\.instructions\.md$/i },
];

interface Found {
  source: RuleSource;
  name: string;
  path: string;
  /** The folder that the file must really be in. */
  within: string;
  /** What a nested file is for. */
  below?: string;
}

/** Reads what is switched on. A workspace that is not trusted has no say: then only the person's own rules are read. */
export async function readRules(
  host: Host,
  on: Settings["context"]["rules"],
  signal: AbortSignal,
): Promise<Rules> {
  const { workspace, system } = host;
  const found: Found[] = [];
  if (on.global) {
    const folder = join(system.home, ".nekode/rules");
    found.push(...(await filesIn(host, folder, "~/.nekode/rules", /\.md$/i, "global", folder)));
  }
  let listed: string[] = [];
  if (workspace.trusted && workspace.root !== undefined) {
    listed = await listFiles(host, workspace.root, signal);
    for (const root of workspace.roots) {
      const prefix = root.path === workspace.root ? "" : `${root.name}/`;
      for (const place of places)
        if (on[place.source]) found.push(...(await look(host, root.path, prefix, place)));
    }
    if (on.agents) found.push(...nested(workspace.root, listed));
  }
  return readAll(host, found, listed);
}

/** None where they cannot be listed: then conditions and nested files have no effect. */
async function listFiles(host: Host, root: string, signal: AbortSignal): Promise<string[]> {
  try {
    return (await host.search.files(root, { limit: listedFiles, signal })).paths;
  } catch (error) {
    if (error instanceof Interrupt) throw error;
    host.log.error("the files of the workspace could not be listed", error);
    return [];
  }
}

async function look(host: Host, root: string, prefix: string, place: Place): Promise<Found[]> {
  const path = join(root, place.path);
  const name = `${prefix}${place.path}`;
  if (place.kind === "folder") return filesIn(host, path, name, place.ending, place.source, root);
  const stat = await host.files.stat(path).catch(() => undefined);
  return stat?.kind === "file" ? [{ source: place.source, name, path, within: root }] : [];
}

async function filesIn(
  host: Host,
  folder: string,
  name: string,
  ending: RegExp,
  source: RuleSource,
  within: string,
): Promise<Found[]> {
  const stat = await host.files.stat(folder).catch(() => undefined);
  if (stat?.kind !== "directory") return [];
  const entries = await host.files.list(folder).catch(() => []);
  return entries
    .filter((entry) => entry.kind !== "directory" && ending.test(entry.name))
    .map((entry) => entry.name)
    .sort()
    .map((file) => ({ source, name: `${name}/${file}`, path: join(folder, file), within }));
}

function nested(root: string, listed: readonly string[]): Found[] {
  return listed
    .filter((path) => path.endsWith("/AGENTS.md"))
    .sort()
    .map((path) => ({
      source: "agents" as const,
      name: path,
      path: join(root, path),
      within: root,
      below: `${path.slice(0, -"AGENTS.md".length)}**`,
    }));
}

async function readAll(host: Host, found: readonly Found[], listed: readonly string[]): Promise<Rules> {
  const rules: Rule[] = [];
  const leftOut: string[] = [];
  const texts = new Set<string>();
  let room = totalCharacters;
  for (const [index, file] of found.entries()) {
    const outcome =
      index < mostFiles
        ? await readOne(host, file).catch((error: unknown) => messageOf(error))
        : "there are too many";
    if (typeof outcome === "string") {
      leftOut.push(`${file.name} (${outcome})`);
      continue;
    }
    const { text, paths } = outcome;
    // The same text under another name, such as a link from CLAUDE.md to AGENTS.md.
    if (text === "" || texts.has(text) || !concerns(paths, listed, file.source)) continue;
    if (text.length > room) {
      leftOut.push(`${file.name} (no room)`);
      continue;
    }
    texts.add(text);
    room -= text.length;
    rules.push({ source: file.source, name: file.name, paths, text });
  }
  return { rules, leftOut };
}

async function readOne(host: Host, file: Found): Promise<{ text: string; paths: string[] } | string> {
  const { files } = host;
  const [real, within] = await Promise.all([files.realpath(file.path), files.realpath(file.within)]);
  if (!real.startsWith(`${within}/`) && !real.startsWith(`${within}\\`)) return "it is elsewhere";
  const stat = await files.stat(file.path);
  if (stat?.kind !== "file") return "it is no file";
  if (stat.size > fileSize) return "too large";
  let content: string;
  try {
    ({ text: content } = await files.readText(file.path));
  } catch {
    return "not text";
  }
  if (content.includes("\0")) return "not text";
  const { text, paths } = readFrontMatter(content);
  return { text: text.trim(), paths: file.below === undefined ? paths : [file.below, ...paths] };
}

/** A rule for files that the project does not have is not sent. */
function concerns(paths: readonly string[], listed: readonly string[], source: RuleSource): boolean {
  if (paths.length === 0 || source === "global") return true;
  const matcher = createIgnoreRules([{ folder: "", text: paths.flatMap(withoutBraces).join("\n") }]);
  return listed.some((path) => matcher.ignores(path));
}

/** `*.{ts,tsx}` as `*.ts` and `*.tsx`. */
function withoutBraces(pattern: string): string[] {
  let patterns = [pattern];
  while (patterns.length < mostChoices) {
    const next = patterns.flatMap((each) => {
      const group = /\{([^{}]*)\}/.exec(each);
      if (!group) return [each];
      const before = each.slice(0, group.index);
      const after = each.slice(group.index + group[0].length);
      return (group[1] ?? "").split(",").map((choice) => `${before}${choice}${after}`);
    });
    if (next.length === patterns.length && next.every((each, index) => each === patterns[index])) break;
    patterns = next;
  }
  return patterns.slice(0, mostChoices);
}

/** The rules as a part of the system prompt; "" where there are none. */
export function rulesText(rules: readonly Rule[]): string {
  return rules
    .map(({ name, paths, text }) => {
      const only = paths.length === 0 ? "" : `\n(For work on files that match: ${paths.join(", ")})`;
      return `# Rules from ${name}${only}\n\n${text}`;
    })
    .join("\n\n");
}
