/**
 * The rules of a task, and the skills that it can load. Those at its start are part of the system prompt and of the tools, and do not
 * change, even across restarts, so that prompt caches match; later changes are sent with the user's next message. The conversation
 * records what the model received.
 */
import type { EventBody } from "../../shared/event.ts";
import type { KnownSkill, Message, RulesBlock } from "../../shared/message.ts";
import type { Settings } from "../../shared/settings.ts";
import { readSkills } from "../instructions/catalogue.ts";
import type { ProjectFiles } from "../instructions/rule-files.ts";
import { changedRules, type Rule, readRules, rulesText, rulesUpdate } from "../instructions/rules.ts";
import type { UnseenRules } from "../instructions/unseen-rules.ts";
import type { Host } from "../ports/host.ts";
import { changedSkills, skillsUpdate } from "../prompts/skill-texts.ts";

export interface RulesUpdate {
  /** For the model; "": it learns of the change by its tools. */
  text: string;
  /** Recorded in the same message. */
  block: RulesBlock;
}

export interface RulesDeps {
  host: Host;
  settings(): Settings;
  unseenRules?: Pick<UnseenRules, "includes">;
  conversation: {
    readonly messages: readonly Message[];
    append(message: Message): Promise<void>;
    emit(event: EventBody): void;
  };
  /** Called when a turn begins, with the skills that the prompt lists. */
  list(skills: readonly KnownSkill[]): void;
}

export class TaskRules {
  readonly #deps: RulesDeps;
  #text = "";
  /** The rules that the model received; undefined: not read yet. */
  #known: readonly Rule[] | undefined;
  /** The skills that the prompt lists, and those that the model knows by now. */
  #listed: readonly KnownSkill[] = [];
  #skills: readonly KnownSkill[] = [];
  /** The conversation records the rules and skills of its start. */
  #isRecorded = true;
  #files: ProjectFiles | undefined;
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
    if (this.#known === undefined && !this.#recall()) {
      [this.#known, this.#skills] = await Promise.all([this.#read(signal), this.#readSkills(signal)]);
      this.#text = rulesText(this.#known);
      this.#listed = this.#skills;
      this.#isRecorded = this.#known.length + this.#skills.length === 0;
    }
    this.#deps.list(this.#listed);
  }

  /** Reads the rules and records them in the conversation, which must have its first message. */
  async begin(signal: AbortSignal): Promise<void> {
    await this.prepare(signal);
    this.#deps.list(this.#listed);
    if (this.#isRecorded) return;
    this.#isRecorded = true;
    const rules = this.#known ?? [];
    const { host, conversation } = this.#deps;
    await conversation.append({
      id: host.newId(),
      role: "user",
      createdAt: host.clock.now().toISOString(),
      blocks: [{ type: "rules", rules: [...rules], ...skillsIn(this.#skills) }],
    });
  }

  /** Restores a continued task's rules, so that its system prompt stays the same. A task without a record began without rules. */
  #recall(): boolean {
    const { messages } = this.#deps.conversation;
    if (!messages.some(({ role }) => role === "assistant")) return false;
    const blocks = messages.flatMap((message) => message.blocks.filter((block) => block.type === "rules"));
    this.#text = rulesText(blocks[0]?.rules ?? []);
    this.#known = blocks.at(-1)?.rules ?? [];
    this.#skills = blocks.at(-1)?.skills ?? [];
    this.#listed = blocks.find(({ skills = [] }) => skills.length > 0)?.skills ?? [];
    return true;
  }

  /** Checks for changes before a user message. Rules that are not read yet need no check. */
  async check(signal: AbortSignal): Promise<void> {
    if (this.#known === undefined && !this.#recall()) return;
    const known = this.#known ?? [];
    const [rules, skills] = await Promise.all([this.#read(signal), this.#readSkills(signal)]);
    const changed = [...changedRules(known, rules), ...changedSkills(this.#skills, skills)];
    const block = { type: "rules" as const, rules: [...rules], ...skillsIn(skills), changed };
    // The first skills are listed by the tool that comes with them.
    const aboutSkills = this.#listed.length === 0 ? "" : skillsUpdate(this.#skills, skills);
    const text = [rulesUpdate(known, rules), aboutSkills].filter((part) => part !== "").join("\n\n");
    this.#update = changed.length === 0 ? undefined : { text, block };
  }

  /** Returns the changes for the model, once. */
  takeUpdate(): RulesUpdate | undefined {
    const update = this.#update;
    this.#update = undefined;
    if (update) {
      this.#known = update.block.rules;
      this.#skills = update.block.skills ?? [];
      if (this.#listed.length === 0) this.#listed = this.#skills;
    }
    return update;
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
    const { host, settings, unseenRules } = this.#deps;
    const wanted = { ...settings().context, ...(unseenRules ? { unseen: unseenRules } : {}) };
    const { rules, leftOut, listed } = await readRules(host, wanted, signal, this.#files);
    this.#leftOut = leftOut.flatMap(({ name, state, why }) => [
      name,
      why?.code ?? state,
      why?.values[0] ?? "",
    ]);
    this.#files = listed;
    return rules;
  }

  async #readSkills(signal: AbortSignal): Promise<KnownSkill[]> {
    const { host, settings } = this.#deps;
    const skills = await readSkills(host, settings().context, signal);
    return skills.flatMap(({ name, description, paths, byModel }) => {
      const only = paths.length === 0 ? "" : ` (For work on files that match: ${paths.join(", ")})`;
      return byModel ? [{ name, description: `${description}${only}` }] : [];
    });
  }
}

/** Nothing where there are no skills. */
function skillsIn(skills: readonly KnownSkill[]): { skills?: KnownSkill[] } {
  return skills.length === 0 ? {} : { skills: [...skills] };
}
