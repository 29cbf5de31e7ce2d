/**
 * The rules of a task. The rules at its start are part of the system prompt and do not change, even across restarts,
 * so that prompt caches match; later changes are sent with the user's next message. The conversation records what the
 * model received.
 */
import type { EventBody } from "../../shared/event.ts";
import type { Message, RulesBlock } from "../../shared/message.ts";
import type { Settings } from "../../shared/settings.ts";
import type { ProjectFiles } from "../instructions/rule-files.ts";
import { changedRules, type Rule, readRules, rulesText, rulesUpdate } from "../instructions/rules.ts";
import type { UnseenRules } from "../instructions/unseen-rules.ts";
import type { Host } from "../ports/host.ts";

export interface RulesUpdate {
  /** For the model. */
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
}

export class TaskRules {
  readonly #deps: RulesDeps;
  #text = "";
  /** The rules that the model received; undefined: not read yet. */
  #known: readonly Rule[] | undefined;
  /** The conversation records the rules of its start. */
  #isRecorded = true;
  #listed: ProjectFiles | undefined;
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
    if (this.#known !== undefined || this.#recall()) return;
    this.#known = await this.#read(signal);
    this.#text = rulesText(this.#known);
    this.#isRecorded = this.#known.length === 0;
  }

  /** Reads the rules and records them in the conversation, which must have its first message. */
  async begin(signal: AbortSignal): Promise<void> {
    await this.prepare(signal);
    if (this.#isRecorded) return;
    this.#isRecorded = true;
    const rules = this.#known ?? [];
    const { host, conversation } = this.#deps;
    await conversation.append({
      id: host.newId(),
      role: "user",
      createdAt: host.clock.now().toISOString(),
      blocks: [{ type: "rules", rules: [...rules] }],
    });
  }

  /** Restores a continued task's rules, so that its system prompt stays the same. A task without a record began without rules. */
  #recall(): boolean {
    const { messages } = this.#deps.conversation;
    if (!messages.some(({ role }) => role === "assistant")) return false;
    const blocks = messages.flatMap((message) => message.blocks.filter((block) => block.type === "rules"));
    this.#text = rulesText(blocks[0]?.rules ?? []);
    this.#known = blocks.at(-1)?.rules ?? [];
    return true;
  }

  /** Checks for changes before a user message. Rules that are not read yet need no check. */
  async check(signal: AbortSignal): Promise<void> {
    if (this.#known === undefined && !this.#recall()) return;
    const known = this.#known ?? [];
    const rules = await this.#read(signal);
    const text = rulesUpdate(known, rules);
    const block = { type: "rules" as const, rules: [...rules], changed: changedRules(known, rules) };
    this.#update = text === "" ? undefined : { text, block };
  }

  /** Returns the changes for the model, once. */
  takeUpdate(): RulesUpdate | undefined {
    const update = this.#update;
    this.#update = undefined;
    if (update) this.#known = update.block.rules;
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
    const { rules, leftOut, listed } = await readRules(host, wanted, signal, this.#listed);
    this.#leftOut = leftOut.flatMap(({ name, state, why }) => [
      name,
      why?.code ?? state,
      why?.values[0] ?? "",
    ]);
    this.#listed = listed;
    return rules;
  }
}
