/**
 * Rules in files of the project or the user, in Nekode's format or that of other agents. They are read when a task begins
 * and become a fixed part of the system prompt; later changes are sent with a message.
 */
import type { Reason } from "../../shared/reason.ts";
import { RULE_FAULTS, type RuleFault, type RuleState } from "../../shared/rule-file.ts";
import type { RuleSource } from "../../shared/rule-list.ts";
import type { Settings } from "../../shared/settings.ts";
import type { Host } from "../ports/host.ts";
import { createIgnoreRules } from "../safety/paths/ignore-rules.ts";
import { readFrontMatter } from "./front-matter.ts";
import { readInstructionFile } from "./instruction-file.ts";
import { findProjectRules, findUserRules, ProjectFiles, type RuleLocation } from "./rule-files.ts";
import type { UnseenRules } from "./unseen-rules.ts";

export interface Rule {
  source: RuleSource;
  /** The name for the model and the user: relative to the workspace, or with `~`. */
  name: string;
  /** Patterns of the files that it applies to; empty: all files. */
  paths: string[];
  text: string;
}

export interface Rules {
  rules: Rule[];
  /** Files that cannot be used; `why`: set for a file that cannot be read. */
  leftOut: { name: string; state: RuleFault; why?: Reason }[];
  /** The workspace's files, as far as they were listed; undefined: the workspace has no folder, or it is not trusted. */
  listed: ProjectFiles | undefined;
}

/** A rules file with its content, and whether it applies to the next task. */
export interface SurveyedRule extends Rule {
  /** Absolute. */
  path: string;
  state: RuleState;
  /** The reason for `unreadable`. */
  why?: Reason;
}

export interface RuleSettings extends Pick<Settings["context"], "rules" | "rulesOff"> {
  /** Files that are off until the user has seen that they are there. Default: there are none. */
  unseen?: Pick<UnseenRules, "includes">;
}

/** Characters of all rules together. */
const TOTAL_CHARACTERS = 120_000;
const MOST_FILES = 60;
/** Patterns that the braces of one pattern may expand to. */
const MOST_CHOICES = 50;

/**
 * Reads the enabled rules. In an untrusted workspace, only the user's own rules are read. `known`: the workspace's files, as far
 * as they were listed before.
 */
export async function readRules(
  host: Host,
  settings: RuleSettings,
  signal: AbortSignal,
  known?: ProjectFiles,
): Promise<Rules> {
  const { workspace } = host;
  const on = (source: RuleSource) => settings.rules[source];
  const locations = on("global") ? await findUserRules(host) : [];
  let listed: ProjectFiles | undefined;
  if (workspace.trusted && workspace.root !== undefined) {
    listed = known ?? new ProjectFiles(host, workspace.root);
    locations.push(...(await findProjectRules(host, on, listed, signal)));
  }
  const judged = await judge(host, locations, listed, settings, signal);
  return {
    listed,
    rules: judged
      .filter(({ state }) => state === "applies")
      .map(({ source, name, paths, text }) => ({ source, name, paths, text })),
    leftOut: judged.flatMap(({ name, state, why }) => {
      const fault = RULE_FAULTS.find((each) => each === state);
      return fault === undefined ? [] : [{ name, state: fault, ...(why ? { why } : {}) }];
    }),
  };
}

/** All rules files, including those that are disabled or untrusted. */
export async function surveyRules(
  host: Host,
  settings: RuleSettings,
  signal: AbortSignal,
): Promise<SurveyedRule[]> {
  const { root, trusted } = host.workspace;
  const ofUser = await findUserRules(host);
  if (root === undefined) return judge(host, ofUser, undefined, settings, signal);
  const listed = trusted ? new ProjectFiles(host, root) : undefined;
  const ofProject = await findProjectRules(host, () => true, listed, signal);
  if (listed) return judge(host, [...ofUser, ...ofProject], listed, settings, signal);
  const judged = await judge(host, ofUser, undefined, settings, signal);
  return [...judged, ...ofProject.map((file) => surveyed(file, "untrusted"))];
}

function surveyed(file: RuleLocation, state: RuleState, text = "", paths: string[] = []): SurveyedRule {
  return { source: file.source, name: file.name, path: file.path, paths, text, state };
}

/** Determines the state of each file. */
async function judge(
  host: Host,
  locations: readonly RuleLocation[],
  listed: ProjectFiles | undefined,
  settings: RuleSettings,
  signal: AbortSignal,
): Promise<SurveyedRule[]> {
  const judged: SurveyedRule[] = [];
  const texts = new Set<string>();
  const off = new Set(settings.rulesOff);
  let room = TOTAL_CHARACTERS;
  let count = 0;
  for (const file of locations) {
    const isOff = !settings.rules[file.source] || off.has(file.name) || settings.unseen?.includes(file.path);
    if (!isOff && ++count > MOST_FILES) {
      judged.push(surveyed(file, "too-many"));
      continue;
    }
    const content = await readOne(host, file);
    if (isOff) {
      judged.push(offRule(file, content, settings));
      continue;
    }
    if ("fault" in content) {
      judged.push(faultyRule(file, content));
      continue;
    }
    const { text, paths } = content;
    const files = needsFiles(paths, file) ? ((await listed?.all(signal)) ?? []) : undefined;
    const state = stateOf(text, paths, files, texts, room);
    judged.push(surveyed(file, state, text, paths));
    if (state !== "applies") continue;
    texts.add(text);
    room -= text.length;
  }
  return judged;
}

function offRule(
  file: RuleLocation,
  content: RuleContent | UnusableRule,
  settings: RuleSettings,
): SurveyedRule {
  const state = settings.rules[file.source] ? "off" : "source-off";
  return surveyed(file, state, "", "fault" in content ? [] : content.paths);
}

function faultyRule(file: RuleLocation, { fault, why }: UnusableRule): SurveyedRule {
  return { ...surveyed(file, fault), ...(why ? { why } : {}) };
}

function stateOf(
  text: string,
  paths: readonly string[],
  files: readonly string[] | undefined,
  texts: ReadonlySet<string>,
  room: number,
): RuleState {
  if (text === "") return "empty";
  // The same text under another name, such as a symlink from CLAUDE.md to AGENTS.md.
  if (texts.has(text)) return "same";
  if (files && !concerns(paths, files)) return "no-match";
  return text.length > room ? "no-room" : "applies";
}

interface RuleContent {
  text: string;
  /** Patterns of the files that it applies to. */
  paths: string[];
}

/** Why a rules file cannot be used. */
interface UnusableRule {
  fault: RuleFault;
  why?: Reason;
}

async function readOne(host: Host, file: RuleLocation): Promise<RuleContent | UnusableRule> {
  const read = await readInstructionFile(host, file.path, file.within);
  if ("fault" in read) return read;
  const content = await readFrontMatter(read.text);
  if ("why" in content) return { fault: "front-matter", why: content.why };
  const { text, paths } = content;
  return { text: text.trim(), paths: file.below === undefined ? paths : [file.below, ...paths] };
}

/** Whether the rule applies only if the project has certain files. A nested rules file is itself a file that it applies to. */
function needsFiles(paths: readonly string[], { source, below }: RuleLocation): boolean {
  return paths.length > 0 && source !== "global" && below === undefined;
}

/** Whether one of the files matches one of the patterns. */
export function concerns(paths: readonly string[], listed: readonly string[]): boolean {
  const matcher = createIgnoreRules([{ folder: "", text: paths.flatMap(withoutBraces).join("\n") }]);
  return listed.some((path) => matcher.ignores(path));
}

/** Expands `*.{ts,tsx}` to `*.ts` and `*.tsx`. */
function withoutBraces(pattern: string): string[] {
  let patterns = [pattern];
  while (patterns.length < MOST_CHOICES) {
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
  return patterns.slice(0, MOST_CHOICES);
}

/** The rules section of the system prompt; "" if there are none. */
export function rulesText(rules: readonly Rule[]): string {
  return rules.map(ruleText).join("\n\n");
}

function ruleText({ name, paths, text }: Rule): string {
  const only = paths.length === 0 ? "" : `\n(For work on files that match: ${paths.join(", ")})`;
  return `# Rules from ${name}${only}\n\n${text}`;
}

/** Names of the rules that were added, changed or removed. */
export function changedRules(before: readonly Rule[], after: readonly Rule[]): string[] {
  const texts = (rules: readonly Rule[]) => new Map(rules.map((rule) => [rule.name, ruleText(rule)]));
  const [old, now] = [texts(before), texts(after)];
  return [...new Set([...now.keys(), ...old.keys()])].filter((name) => old.get(name) !== now.get(name));
}

/** Describes the changes from `before` to `after` for the model; "" if there are none. */
export function rulesUpdate(before: readonly Rule[], after: readonly Rule[]): string {
  const known = new Map(before.map((rule) => [rule.name, ruleText(rule)]));
  const changed = after.filter((rule) => known.get(rule.name) !== ruleText(rule));
  const names = new Set(after.map(({ name }) => name));
  const gone = before.map(({ name }) => name).filter((name) => !names.has(name));
  if (changed.length === 0 && gone.length === 0) return "";
  const parts = [
    "# RULES CHANGED\nThe user's rules for this project have changed since they were given above.",
  ];
  if (gone.length > 0) parts.push(`No longer in force: ${gone.join(", ")}.`);
  if (changed.length > 0) parts.push("These now replace the rules of the same name:", rulesText(changed));
  return parts.join("\n\n");
}
