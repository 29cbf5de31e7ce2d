/**
 * Rules that a project or the person keeps in files: our own and those of other agents that projects already have. Read
 * when a task begins, as a part of the system prompt that stays the same; what changes since is told with a message.
 */
import type { Reason } from "../../shared/reason.ts";
import { type RuleFault, type RuleSource, type RuleState, ruleFaults } from "../../shared/rule-list.ts";
import type { Settings } from "../../shared/settings.ts";
import type { Host } from "../ports/host.ts";
import { createIgnoreRules } from "../safety/paths/ignore-rules.ts";
import { readFrontMatter } from "./front-matter.ts";
import { type FoundRule, findGlobalRules, findProjectRules, listFiles } from "./rules-find.ts";
import { readUnasked, type UnaskedFault } from "./unasked-file.ts";

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
  /** Files that cannot be used; `why`: where one cannot be read. */
  leftOut: { name: string; state: RuleFault; why?: Reason }[];
  /** The files of the workspace, by which conditions and nested rules were found. */
  listed: readonly string[];
}

/** What there is of a rules file, and whether the next task gets it. */
export interface SurveyedRule extends Rule {
  /** Absolute. */
  path: string;
  state: RuleState;
  /** Why it is `unreadable`. */
  why?: Reason;
}

export type RuleSettings = Pick<Settings["context"], "rules" | "rulesOff">;

/** Characters of all of them. */
const totalCharacters = 120_000;
const mostFiles = 60;
/** Patterns that the braces of one may stand for. */
const mostChoices = 50;

/**
 * Reads what is switched on. A workspace that is not trusted has no say: then only the person's own rules are read.
 * `known`: its files, where they were listed before; to list 100,000 takes half a second.
 */
export async function readRules(
  host: Host,
  settings: RuleSettings,
  signal: AbortSignal,
  known?: readonly string[],
): Promise<Rules> {
  const { workspace } = host;
  const on = (source: RuleSource) => settings.rules[source];
  const found = on("global") ? await findGlobalRules(host) : [];
  let listed: readonly string[] = [];
  if (workspace.trusted && workspace.root !== undefined) {
    listed = known ?? (await listFiles(host, workspace.root, signal));
    found.push(...(await findProjectRules(host, on, listed)));
  }
  const surveyed = await judge(host, found, listed, settings);
  return {
    listed,
    rules: surveyed
      .filter(({ state }) => state === "applies")
      .map(({ source, name, paths, text }) => ({ source, name, paths, text })),
    leftOut: surveyed.flatMap(({ name, state, why }) => {
      const fault = ruleFaults.find((each) => each === state);
      return fault === undefined ? [] : [{ name, state: fault, ...(why ? { why } : {}) }];
    }),
  };
}

/** Every rules file that is there, those that are switched off or not trusted as well. */
export async function surveyRules(
  host: Host,
  settings: RuleSettings,
  signal: AbortSignal,
): Promise<SurveyedRule[]> {
  const { root, trusted } = host.workspace;
  const found = await findGlobalRules(host);
  if (root === undefined) return judge(host, found, [], settings);
  const listed = trusted ? await listFiles(host, root, signal) : [];
  const ofProject = await findProjectRules(host, () => true, listed);
  if (trusted) return judge(host, [...found, ...ofProject], listed, settings);
  const ofPerson = await judge(host, found, [], settings);
  return [...ofPerson, ...ofProject.map((file) => surveyed(file, "untrusted"))];
}

function surveyed(file: FoundRule, state: RuleState, text = "", paths: string[] = []): SurveyedRule {
  return { source: file.source, name: file.name, path: file.path, paths, text, state };
}

/** Says of each file whether it applies. */
async function judge(
  host: Host,
  found: readonly FoundRule[],
  listed: readonly string[],
  settings: RuleSettings,
): Promise<SurveyedRule[]> {
  const judged: SurveyedRule[] = [];
  const texts = new Set<string>();
  const off = new Set(settings.rulesOff);
  let room = totalCharacters;
  let count = 0;
  for (const file of found) {
    const isOff = !settings.rules[file.source] || off.has(file.name);
    if (!isOff && ++count > mostFiles) {
      judged.push(surveyed(file, "too-many"));
      continue;
    }
    const read = await readOne(host, file);
    if (isOff) {
      const state = settings.rules[file.source] ? "off" : "source-off";
      judged.push(surveyed(file, state, "", "fault" in read ? [] : read.paths));
      continue;
    }
    if ("fault" in read) {
      judged.push({ ...surveyed(file, read.fault), ...(read.why ? { why: read.why } : {}) });
      continue;
    }
    const { text, paths } = read;
    const state = stateOf(text, paths, listed, file.source, texts, room);
    judged.push(surveyed(file, state, text, paths));
    if (state !== "applies") continue;
    texts.add(text);
    room -= text.length;
  }
  return judged;
}

function stateOf(
  text: string,
  paths: readonly string[],
  listed: readonly string[],
  source: RuleSource,
  texts: ReadonlySet<string>,
  room: number,
): RuleState {
  if (text === "") return "empty";
  // The same text under another name, such as a link from CLAUDE.md to AGENTS.md.
  if (texts.has(text)) return "same";
  if (!concerns(paths, listed, source)) return "no-match";
  return text.length > room ? "no-room" : "applies";
}

/** What it says and which files it is for, or why it is not sent. */
async function readOne(
  host: Host,
  file: FoundRule,
): Promise<{ text: string; paths: string[] } | { fault: UnaskedFault; why?: Reason }> {
  const read = await readUnasked(host, file.path, file.within);
  if ("fault" in read) return read;
  const { text, paths } = readFrontMatter(read.text);
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
  return rules.map(ruleText).join("\n\n");
}

function ruleText({ name, paths, text }: Rule): string {
  const only = paths.length === 0 ? "" : `\n(For work on files that match: ${paths.join(", ")})`;
  return `# Rules from ${name}${only}\n\n${text}`;
}

/** Names of the files that are not as they were, or not there any more. */
export function changedRules(before: readonly Rule[], after: readonly Rule[]): string[] {
  const texts = (rules: readonly Rule[]) => new Map(rules.map((rule) => [rule.name, ruleText(rule)]));
  const [old, now] = [texts(before), texts(after)];
  return [...new Set([...now.keys(), ...old.keys()])].filter((name) => old.get(name) !== now.get(name));
}

/** What became different from `before` to `after`, for the model; "" where nothing did. */
export function rulesNews(before: readonly Rule[], after: readonly Rule[]): string {
  const known = new Map(before.map((rule) => [rule.name, ruleText(rule)]));
  const changed = after.filter((rule) => known.get(rule.name) !== ruleText(rule));
  const names = new Set(after.map(({ name }) => name));
  const gone = before.map(({ name }) => name).filter((name) => !names.has(name));
  if (changed.length === 0 && gone.length === 0) return "";
  const parts = [
    "# RULES CHANGED\nThe rules that the person gave for this project are no longer those from above.",
  ];
  if (gone.length > 0) parts.push(`No longer in force: ${gone.join(", ")}.`);
  if (changed.length > 0)
    parts.push("These hold now, in place of those of the same name:", rulesText(changed));
  return parts.join("\n\n");
}
