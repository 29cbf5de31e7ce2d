/**
 * The rules that a task is under. Those of its beginning are part of the system prompt and stay there as they were, for the
 * sake of prompt caches; what changed since is told with what the person says next.
 */
import type { TaskEvent } from "../../shared/event.ts";
import type { Settings } from "../../shared/settings.ts";
import { type Rule, readRules, rulesNews, rulesText } from "../context/rules.ts";
import type { Host } from "../ports.ts";

export interface RulesDeps {
  host: Host;
  settings(): Settings;
  conversation: { emit(event: TaskEvent): void };
}

export class RulesInForce {
  readonly #d: RulesDeps;
  #text = "";
  /** As the model knows them; undefined: not read yet. */
  #known: readonly Rule[] | undefined;
  #listed: readonly string[] | undefined;
  #leftOut = "";
  #told = "";
  #news: string | undefined;

  constructor(deps: RulesDeps) {
    this.#d = deps;
  }

  /** For the system prompt. */
  get text(): string {
    return this.#text;
  }

  /** Reads them once for a task. */
  async begin(signal: AbortSignal): Promise<void> {
    if (this.#known !== undefined) return;
    this.#known = await this.#read(signal);
    this.#text = rulesText(this.#known);
  }

  /** Looks again, because the person speaks. What is not read yet needs no second look. */
  async check(signal: AbortSignal): Promise<void> {
    if (this.#known === undefined) return;
    const now = await this.#read(signal);
    const news = rulesNews(this.#known, now);
    this.#known = now;
    if (news !== "") this.#news = news;
  }

  /** What the model has to hear, once. */
  takeNews(): string | undefined {
    const news = this.#news;
    this.#news = undefined;
    return news;
  }

  /** Tells the person which files could not be used, once for each such list. */
  tell(): void {
    const { conversation, host } = this.#d;
    if (this.#leftOut === this.#told) return;
    this.#told = this.#leftOut;
    if (this.#leftOut === "") return;
    conversation.emit({ type: "notice", id: host.newId(), code: "rules-left-out", values: [this.#leftOut] });
  }

  async #read(signal: AbortSignal): Promise<readonly Rule[]> {
    const { host, settings } = this.#d;
    const { rules, leftOut, listed } = await readRules(host, settings().context, signal, this.#listed);
    this.#leftOut = leftOut.join(", ");
    this.#listed = listed;
    return rules;
  }
}
