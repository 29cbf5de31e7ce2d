/**
 * The rules of a task, and the skills that it can load. Those at its start are part of the system prompt and of the tools, and do not
 * change, even across restarts, so that prompt caches match; later changes are sent with the user's next message, and the rules of a
 * folder with the next message after the task has worked on a file there. The conversation records what the model received.
 */
import { dirname } from "node:path";
import type { EventBody } from "../../shared/event.ts";
import type { Block, KnownSkill, Message, RulesBlock } from "../../shared/message.ts";
import type { RuleFile } from "../../shared/rule-file.ts";
import type { SessionAgent } from "../../shared/session-agent.ts";
import type { Settings } from "../../shared/settings.ts";
import { ruleItem } from "../context/rule-items.ts";
import { readOwnAgents } from "../instructions/agent-catalogue.ts";
import { readSkills } from "../instructions/catalogue.ts";
import {
  findNestedRules,
  foldersDownTo,
  nestedFolder,
  type ProjectFiles,
  type RuleLocation,
} from "../instructions/rule-files.ts";
import type { Rule, RuleSettings, RuleSurvey } from "../instructions/rule-survey.ts";
import {
  changedRules,
  type KnownRules,
  type LeftOutRule,
  leftOutOf,
  nestedRulesText,
  readRules,
  rulesAfter,
  rulesIn,
  rulesText,
  rulesUpdate,
} from "../instructions/rules.ts";
import type { Host } from "../ports/host.ts";
import { changedSkills, skillsUpdate } from "../prompts/skill-texts.ts";

/** Changes, for a message. */
export interface RulesUpdate {
  /** The record of them. */
  block: RulesBlock;
  /** What the message gets: a text for the model, unless it learns of the change by its tools, and the record. */
  blocks: Block[];
}

export interface RulesDeps {
  host: Host;
  settings(): Settings;
  conversation: {
    readonly messages: readonly Message[];
    /** The one that the user chose last. */
    readonly agent: SessionAgent | undefined;
    append(message: Message): Promise<void>;
    emit(event: EventBody): void;
  };
  /** Called when a turn begins, with the skills and the subtasks' agents that the prompt lists. */
  list(skills: readonly KnownSkill[], agents: readonly KnownSkill[]): void;
  /** The task can start subtasks, for which agents are listed. */
  hasSubtasks: boolean;
  /** The files that the task has read or edited. Absolute. */
  workedOn(): Iterable<string>;
}

export class TaskRules {
  readonly #deps: RulesDeps;
  #text = "";
  /** The rules and skills at the task's start; undefined: not read yet. */
  #start: KnownRules | undefined;
  /** The skills that the prompt lists. */
  #listed: readonly KnownSkill[] = [];
  /** The agents at its start, for subtasks. */
  #agents: readonly KnownSkill[] = [];
  #files: ProjectFiles | undefined;
  /** What decided about the files when they were last read; undefined: a restored task has not read them. */
  #survey: RuleSurvey | undefined;
  /** The files that the task has worked on, as far as their folders were looked at. */
  readonly #workedOn = new Set<string>();
  /** Those folders, absolute, and what the task works on in each, for the user. */
  readonly #folders = new Map<string, string>();
  /** The files that could not be used, as the values of a notice. */
  #leftOut: string[] = [];
  #notified: readonly string[] = [];
  #update: RulesUpdate | undefined;
  #preparing: Promise<void> | undefined;

  constructor(deps: RulesDeps) {
    this.#deps = deps;
  }

  /** For the system prompt. */
  get text(): string {
    return this.#text;
  }

  /** Reads the rules once for a task. */
  prepare(signal: AbortSignal): Promise<void> {
    this.#preparing ??= this.#prepare(signal).finally(() => {
      this.#preparing = undefined;
    });
    return this.#preparing;
  }

  /** Begins to read the rules beside other work. If that fails, `begin` tries again and rejects. */
  start(signal: AbortSignal): void {
    this.prepare(signal).catch(() => undefined);
  }

  async #prepare(signal: AbortSignal): Promise<void> {
    if (this.#start === undefined && !this.#recall()) {
      const [rules, skills, agents] = await Promise.all([
        this.#read(signal),
        this.#readSkills(signal),
        this.#readAgents(),
      ]);
      this.#start = { rules, skills };
      this.#agents = agents;
      this.#text = rulesText(rules);
      this.#listed = skills;
    }
    this.#deps.list(this.#listed, this.#agents);
  }

  /** Reads the rules and records them in the conversation, which must have its first message. */
  async begin(signal: AbortSignal): Promise<void> {
    await this.prepare(signal);
    this.#deps.list(this.#listed, this.#agents);
    const [block] = this.#unrecorded();
    if (!block) return;
    const { host, conversation } = this.#deps;
    await conversation.append({
      id: host.newId(),
      role: "user",
      createdAt: host.clock.now().toISOString(),
      blocks: [block],
    });
  }

  /** What the conversation has yet to record of the rules and skills at its start. */
  #unrecorded(): RulesBlock[] {
    const { rules, skills } = this.#start ?? { rules: [], skills: [] };
    const agents = this.#agents;
    if (rules.length + skills.length + agents.length === 0 || startBlock(this.#blocks())) return [];
    const listed = agents.length === 0 ? {} : { agents: [...agents] };
    return [{ type: "rules", rules: [...rules], ...skillsIn(skills), ...listed }];
  }

  #blocks(): RulesBlock[] {
    const { messages } = this.#deps.conversation;
    return messages.flatMap((message) => message.blocks.filter((block) => block.type === "rules"));
  }

  /** What the model knows by now. */
  #known(): KnownRules {
    return rulesAfter(this.#blocks()) ?? this.#start ?? { rules: [], skills: [] };
  }

  /** Restores a continued task's rules, so that its system prompt stays the same. A task without a record began without rules. */
  #recall(): boolean {
    const { host, conversation } = this.#deps;
    const blocks = this.#blocks();
    const start = startBlock(blocks);
    if (!start && !conversation.messages.some(({ role }) => role === "assistant")) return false;
    const { rules = [], skills = [], agents = [] } = start ?? {};
    this.#start = { rules, skills };
    this.#agents = agents;
    this.#text = rulesText(rules);
    this.#listed = blocks.find(({ skills = [] }) => skills.length > 0)?.skills ?? [];
    for (const { name, paths } of this.#known().rules) {
      const folder = nestedFolder(name, paths, host.workspace);
      if (folder !== undefined) this.#folders.set(folder, dirname(name));
    }
    return true;
  }

  /** Checks for changes before a user message. Rules that are not read yet need no check. */
  async check(signal: AbortSignal): Promise<void> {
    if (this.#start === undefined && !this.#recall()) return;
    this.#takeFolders();
    const known = this.#known();
    const [rules, skills] = await Promise.all([this.#read(signal), this.#readSkills(signal)]);
    const changed = [...changedRules(known.rules, rules), ...changedSkills(known.skills, skills)];
    const block = { type: "rules" as const, rules: [...rules], ...skillsIn(skills), changed };
    // The first skills are listed by the tool that comes with them.
    const aboutSkills = this.#listed.length === 0 ? "" : skillsUpdate(known.skills, skills);
    const text = [rulesUpdate(known.rules, rules), aboutSkills].filter((part) => part !== "").join("\n\n");
    const told: Block[] = text === "" ? [] : [{ type: "text", text }];
    this.#update =
      changed.length === 0 ? undefined : { block, blocks: [...this.#unrecorded(), ...told, block] };
  }

  /** Returns the changes for the model, once. */
  takeUpdate(): RulesUpdate | undefined {
    const update = this.#update;
    this.#update = undefined;
    if (update && this.#listed.length === 0) this.#listed = update.block.skills ?? [];
    return update;
  }

  /**
   * Blocks of the next message: the rules of the folders whose files the task has worked on since the last one. A file that changed
   * after the user's last message waits for the next one, whoever changed it. `before`: the rules that the message already brings.
   */
  async visit(
    { isOfUser, before }: { isOfUser: boolean; before: RulesBlock | undefined },
    signal: AbortSignal,
  ): Promise<Block[]> {
    const { host, settings, conversation } = this.#deps;
    if (!host.workspace.trusted) return [];
    const folders = this.#takeFolders();
    if (folders.length === 0) return [];
    const located = await findNestedRules(host, folders, (source) => settings().context.rules[source]);
    if (located.length === 0) return [];
    await this.prepare(signal);
    const survey = await this.#surveyed(located, signal);
    const last = isOfUser
      ? undefined
      : conversation.messages.findLast(({ display }) => display !== undefined);
    const judged = await survey.add(located, signal, last && Date.parse(last.createdAt));
    this.#leftOut = [...this.#leftOut, ...noticeValues(leftOutOf(judged))];
    const known = before ?? this.#known();
    const names = new Set(known.rules.map(({ name }) => name));
    const added = rulesIn(judged).filter(({ name }) => !names.has(name));
    if (added.length === 0) return [];
    return [
      ...(before ? [] : this.#unrecorded()),
      { type: "text", text: nestedRulesText(added) },
      { type: "rules", rules: added, changed: added.map(({ name }) => name), adds: true },
    ];
  }

  /** What decides about the rules of folders. A restored task reads the other rules before, because the same text counts once. */
  async #surveyed(located: readonly RuleLocation[], signal: AbortSignal): Promise<RuleSurvey> {
    if (this.#survey) return this.#survey;
    const paths = new Set(located.map(({ path }) => path));
    const { survey } = await this.#readAll(signal, ({ path }) => !paths.has(path));
    return survey;
  }

  /** The folders of files that the task has worked on since the last call, the nearest to the workspace first. */
  #takeFolders(): string[] {
    const { host, workedOn } = this.#deps;
    const added: string[] = [];
    for (const path of workedOn()) {
      if (this.#workedOn.has(path)) continue;
      this.#workedOn.add(path);
      const { folders, name } = foldersDownTo(path, host.workspace);
      for (const folder of folders) {
        if (this.#folders.has(folder)) continue;
        this.#folders.set(folder, name);
        added.push(folder);
      }
    }
    return added;
  }

  /** The rules that the model has, and those that it does not have, with the reasons. */
  async list(signal: AbortSignal): Promise<RuleFile[]> {
    const { host, conversation } = this.#deps;
    // The rules of a task are those at its first message, not those at a look before it.
    if (this.#start === undefined && conversation.messages.length === 0)
      return (await readRules(host, this.#wanted(), signal)).survey.judged.map(ruleItem);
    await this.prepare(signal);
    const { survey } = this.#survey ? { survey: this.#survey } : await this.#readAll(signal);
    const { rules } = this.#known();
    const names = new Set(rules.map(({ name }) => name));
    const judged = new Map(survey.judged.map((rule) => [rule.name, rule]));
    const items = rules.map((rule) => {
      const found = judged.get(rule.name);
      const known = found?.state === "applies" || found?.state === "described" ? found : {};
      return ruleItem({ state: "applies", ...known, ...rule, ...this.#reasonOf(rule) });
    });
    for (const rule of survey.judged) {
      if (names.has(rule.name)) continue;
      items.push(ruleItem(rulesIn([rule]).length > 0 ? { ...rule, state: "next-message" } : rule));
    }
    return items;
  }

  /** Why a nested file applies. */
  #reasonOf({ name, paths }: Rule): { workedOn?: string } {
    const folder = nestedFolder(name, paths, this.#deps.host.workspace);
    const workedOn = folder === undefined ? undefined : this.#folders.get(folder);
    return workedOn === undefined ? {} : { workedOn };
  }

  /** Notifies the user of files that could not be used, once for each such list. */
  notify(): void {
    const { conversation, host } = this.#deps;
    const [values, notified] = [this.#leftOut, this.#notified];
    if (values.length === notified.length && values.every((value, index) => value === notified[index]))
      return;
    this.#notified = values;
    if (values.length === 0) return;
    conversation.emit({ type: "notice", id: host.newId(), code: "rules-left-out", values });
  }

  async #read(signal: AbortSignal): Promise<readonly Rule[]> {
    return (await this.#readAll(signal)).rules;
  }

  /** Reads the rules, those of the folders that the task has worked in with them. `isWanted`: which of these. */
  async #readAll(
    signal: AbortSignal,
    isWanted: (file: RuleLocation) => boolean = () => true,
  ): Promise<{ rules: readonly Rule[]; survey: RuleSurvey }> {
    const { host } = this.#deps;
    const wanted = this.#wanted();
    const { rules, leftOut, listed, survey } = await readRules(host, wanted, signal, this.#files);
    const located = host.workspace.trusted
      ? await findNestedRules(host, [...this.#folders.keys()], (source) => wanted.rules[source])
      : [];
    const nested = await survey.add(located.filter(isWanted), signal);
    this.#leftOut = noticeValues([...leftOut, ...leftOutOf(nested)]);
    this.#files = listed;
    this.#survey = survey;
    return { rules: [...rules, ...rulesIn(nested)], survey };
  }

  #wanted(): RuleSettings {
    const { settings, conversation } = this.#deps;
    const { agent } = conversation;
    return { ...settings().context, ...(agent ? { agent: agent.name } : {}) };
  }

  async #readSkills(signal: AbortSignal): Promise<KnownSkill[]> {
    const { host, settings } = this.#deps;
    const skills = await readSkills(host, settings().context, signal);
    return skills.flatMap(({ name, description, paths, byModel }) => {
      const only = paths.length === 0 ? "" : ` (For work on files that match: ${paths.join(", ")})`;
      return byModel ? [{ name, description: `${description}${only}` }] : [];
    });
  }

  async #readAgents(): Promise<KnownSkill[]> {
    const { hasSubtasks, host, settings } = this.#deps;
    const agents = hasSubtasks ? await readOwnAgents(host, settings().context) : [];
    return agents.flatMap(({ name, description, byModel }) => (byModel ? [{ name, description }] : []));
  }
}

/** The record of the rules at a task's start; undefined: it began without any. */
function startBlock(blocks: readonly RulesBlock[]): RulesBlock | undefined {
  return blocks.find(({ changed }) => changed === undefined);
}

/** See `rules-left-out`. */
function noticeValues(leftOut: readonly LeftOutRule[]): string[] {
  return leftOut.flatMap(({ name, state, why }) => [name, why?.code ?? state, why?.values[0] ?? ""]);
}

/** Nothing where there are no skills. */
function skillsIn(skills: readonly KnownSkill[]): { skills?: KnownSkill[] } {
  return skills.length === 0 ? {} : { skills: [...skills] };
}
