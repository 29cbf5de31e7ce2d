/**
 * The rules that a task is under. Those of its beginning are part of the system prompt and stay there as they were, over
 * restarts too, for the sake of prompt caches; what changed since is told with what the person says next. What the model
 * knows of them is part of the conversation.
 */
import type { EventBody } from "../../shared/event.ts";
import type { Message, RulesBlock } from "../../shared/message.ts";
import type { Settings } from "../../shared/settings.ts";
import { changedRules, type Rule, readRules, rulesNews, rulesText } from "../context/rules.ts";
import type { Host } from "../ports/host.ts";

export interface RulesNews {
  /** For the model. */
  text: string;
  /** Stands beside it in the same message. */
  block: RulesBlock;
}

export interface RulesDeps {
  host: Host;
  settings(): Settings;
  conversation: {
    readonly messages: readonly Message[];
    append(message: Message): Promise<void>;
    emit(event: EventBody): void;
  };
}

export class RulesInForce {
  readonly #d: RulesDeps;
  #text = "";
  /** As the model knows them; undefined: not read yet. */
  #known: readonly Rule[] | undefined;
  /** The conversation says what it began with. */
  #isKept = true;
  #listed: readonly string[] | undefined;
  /** The values of a notice. */
  #leftOut: string[] = [];
  #told: readonly string[] = [];
  #news: RulesNews | undefined;

  constructor(deps: RulesDeps) {
    this.#d = deps;
  }

  /** For the system prompt. */
  get text(): string {
    return this.#text;
  }

  /** Reads them once for a task. */
  async prepare(signal: AbortSignal): Promise<void> {
    if (this.#known !== undefined || this.#recall()) return;
    this.#known = await this.#read(signal);
    this.#text = rulesText(this.#known);
    this.#isKept = this.#known.length === 0;
  }

  /** Reads them, and keeps them with the task, which has its first message. */
  async begin(signal: AbortSignal): Promise<void> {
    await this.prepare(signal);
    if (this.#isKept) return;
    this.#isKept = true;
    const rules = this.#known ?? [];
    const { host, conversation } = this.#d;
    await conversation.append({
      id: host.newId(),
      role: "user",
      createdAt: host.clock.now().toISOString(),
      blocks: [{ type: "rules", rules: [...rules] }],
    });
  }

  /** A task that was gone on with keeps its system prompt; where it says of no rules, it began without any. */
  #recall(): boolean {
    const { messages } = this.#d.conversation;
    if (!messages.some(({ role }) => role === "assistant")) return false;
    const blocks = messages.flatMap((message) => message.blocks.filter((block) => block.type === "rules"));
    this.#text = rulesText(blocks[0]?.rules ?? []);
    this.#known = blocks.at(-1)?.rules ?? [];
    return true;
  }

  /** Looks again, because the person speaks. What is not read yet needs no second look. */
  async check(signal: AbortSignal): Promise<void> {
    if (this.#known === undefined && !this.#recall()) return;
    const known = this.#known ?? [];
    const rules = await this.#read(signal);
    const text = rulesNews(known, rules);
    const block = { type: "rules" as const, rules: [...rules], changed: changedRules(known, rules) };
    this.#news = text === "" ? undefined : { text, block };
  }

  /** What the model has to hear, once. */
  takeNews(): RulesNews | undefined {
    const news = this.#news;
    this.#news = undefined;
    if (news) this.#known = news.block.rules;
    return news;
  }

  /** Tells the person which files could not be used, once for each such list. */
  tell(): void {
    const { conversation, host } = this.#d;
    const [values, told] = [this.#leftOut, this.#told];
    if (values.length === told.length && values.every((value, index) => value === told[index])) return;
    this.#told = values;
    if (values.length === 0) return;
    conversation.emit({ type: "notice", id: host.newId(), code: "rules-left-out", values });
  }

  async #read(signal: AbortSignal): Promise<readonly Rule[]> {
    const { host, settings } = this.#d;
    const { rules, leftOut, listed } = await readRules(host, settings().context, signal, this.#listed);
    this.#leftOut = leftOut.flatMap(({ name, state, why }) => [
      name,
      why?.code ?? state,
      why?.values[0] ?? "",
    ]);
    this.#listed = listed;
    return rules;
  }
}
