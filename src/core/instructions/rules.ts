/**
 * Rules in files of the project or the user, in Nekode's format or that of other agents. They are read when a task begins
 * and become a fixed part of the system prompt; later changes are sent with a message.
 */
import type { KnownSkill, RulesBlock } from "../../shared/message.ts";
import type { Reason } from "../../shared/reason.ts";
import { RULE_FAULTS, type RuleFault } from "../../shared/rule-file.ts";
import type { RuleSource } from "../../shared/rule-list.ts";
import type { Host } from "../ports/host.ts";
import { findProjectRules, findUserRules, listNestedRules, ProjectFiles } from "./rule-files.ts";
import { type Rule, type RuleSettings, RuleSurvey, type SurveyedRule } from "./rule-survey.ts";

export interface Rules {
  rules: Rule[];
  /** Files that cannot be used; `why`: set for a file that cannot be read. */
  leftOut: LeftOutRule[];
  /** The workspace's files, as far as they were listed; undefined: the workspace has no folder, or it is not trusted. */
  listed: ProjectFiles | undefined;
  /** Decides about more files. */
  survey: RuleSurvey;
}

export interface LeftOutRule {
  name: string;
  state: RuleFault;
  why?: Reason;
}

/**
 * Reads the enabled rules, without nested ones. In an untrusted workspace, only the user's own rules are read. `known`: the
 * workspace's files, as far as they were listed before.
 */
export async function readRules(
  host: Host,
  settings: RuleSettings,
  signal: AbortSignal,
  known?: ProjectFiles,
): Promise<Rules> {
  const { root, trusted } = host.workspace;
  const on = (source: RuleSource) => settings.rules[source];
  const isRead = trusted && root !== undefined;
  const listed = isRead ? (known ?? new ProjectFiles(host, root)) : undefined;
  const survey = new RuleSurvey(host, settings, listed);
  const [ofUser, ofProject] = await Promise.all([
    findUserRules(host, on),
    isRead ? findProjectRules(host, on) : [],
  ]);
  const judged = await survey.add([...ofUser, ...ofProject], signal);
  return { listed, survey, rules: rulesIn(judged), leftOut: leftOutOf(judged) };
}

/** Those that the model gets. */
export function rulesIn(judged: readonly SurveyedRule[]): Rule[] {
  return judged
    .filter(
      ({ state, text }) => state === "applies" || state === "described" || (state === "same" && text !== ""),
    )
    .map(({ source, name, paths, text }) => ({ source, name, paths, text }));
}

export function leftOutOf(judged: readonly SurveyedRule[]): LeftOutRule[] {
  return judged.flatMap(({ name, state, why }) => {
    const fault = RULE_FAULTS.find((each) => each === state);
    return fault === undefined ? [] : [{ name, state: fault, ...(why ? { why } : {}) }];
  });
}

/** All rules files, including those that are disabled or untrusted, and nested ones as far as a list shows them. */
export async function surveyRules(
  host: Host,
  settings: RuleSettings,
  signal: AbortSignal,
): Promise<SurveyedRule[]> {
  const { root, trusted } = host.workspace;
  const all = () => true;
  const listed = trusted && root !== undefined ? new ProjectFiles(host, root) : undefined;
  const survey = new RuleSurvey(host, settings, listed);
  await survey.add(await findUserRules(host, all), signal);
  const ofProject = root === undefined ? [] : await findProjectRules(host, all);
  if (!listed) survey.addUntrusted(ofProject);
  else await survey.add(ofProject, signal);
  const found = [...survey.judged];
  if (!listed) return found;
  // They take no space before a task works in their folders, so that they do not keep each other out here.
  const nested = new RuleSurvey(host, settings, listed);
  const ofFolders = await nested.add(await listNestedRules(host, signal), signal);
  const known = new Set(found.map(({ path }) => path));
  return [
    ...found,
    ...ofFolders
      .filter(({ path, state }) => !known.has(path) && state !== "too-many")
      .map((rule) => (rule.state === "applies" ? { ...rule, state: "nested" as const } : rule)),
  ];
}

/** The rules section of the system prompt; "" if there are none. */
export function rulesText(rules: readonly Rule[]): string {
  return rules.map(ruleText).join("\n\n");
}

function ruleText({ name, paths, text }: Rule): string {
  const only = paths.length === 0 ? "" : `\n(For work on files that match: ${paths.join(", ")})`;
  return `# Rules from ${name}${only}\n\n${text}`;
}

/** The rules and skills that the model knows. */
export interface KnownRules {
  rules: readonly Rule[];
  skills: readonly KnownSkill[];
}

/** What the model knows after these records of a conversation; undefined: there are none. */
export function rulesAfter(records: readonly RulesBlock[]): KnownRules | undefined {
  let known: KnownRules | undefined;
  for (const { rules, skills = [], adds } of records)
    known = adds
      ? { rules: [...(known?.rules ?? []), ...rules], skills: known?.skills ?? [] }
      : { rules, skills };
  return known;
}

/** Names of the rules that were added, changed or removed. */
export function changedRules(before: readonly Rule[], after: readonly Rule[]): string[] {
  const texts = (rules: readonly Rule[]) => new Map(rules.map((rule) => [rule.name, ruleText(rule)]));
  const [old, now] = [texts(before), texts(after)];
  return [...new Set([...now.keys(), ...old.keys()])].filter((name) => old.get(name) !== now.get(name));
}

/** Tells the model of rules that apply since it works in their folders. */
export function nestedRulesText(rules: readonly Rule[]): string {
  return `# RULES OF FOLDERS\nFolders of files that you work on have rules of their own, which apply from here on. Where they contradict other rules, those of the folder that is nearest to a file count for it.\n\n${rulesText(rules)}`;
}

/** The rules of `after` that are new or different, and the names of those that are gone. */
export function rulesDifference(
  before: readonly Rule[],
  after: readonly Rule[],
): { changed: Rule[]; gone: string[] } {
  const known = new Map(before.map((rule) => [rule.name, ruleText(rule)]));
  const names = new Set(after.map(({ name }) => name));
  return {
    changed: after.filter((rule) => known.get(rule.name) !== ruleText(rule)),
    gone: before.map(({ name }) => name).filter((name) => !names.has(name)),
  };
}

/** Describes the changes from `before` to `after` for the model; "" if there are none. */
export function rulesUpdate(before: readonly Rule[], after: readonly Rule[]): string {
  const { changed, gone } = rulesDifference(before, after);
  if (changed.length === 0 && gone.length === 0) return "";
  const parts = [
    "# RULES CHANGED\nThe user's rules for this project have changed since they were given above.",
  ];
  if (gone.length > 0) parts.push(`No longer in force: ${gone.join(", ")}.`);
  if (changed.length > 0) parts.push("These now replace the rules of the same name:", rulesText(changed));
  return parts.join("\n\n");
}
