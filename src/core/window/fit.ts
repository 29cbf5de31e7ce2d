/**
 * Makes each request fit the model's context window: shortened results first, then a summary by the model, and whole
 * messages last. Every step is a message of the conversation before the request that it makes possible goes out.
 */
import type { EventBody } from "../../shared/event.ts";
import type { Message, Usage, WindowBlock } from "../../shared/message.ts";
import type { Settings } from "../../shared/settings.ts";
import { Interrupt, ProviderError } from "../errors.ts";
import type { Host } from "../ports/host.ts";
import { hasImage } from "../provider/images.ts";
import type { ModelProfile } from "../provider/model-profile.ts";
import type { Protocol } from "../provider/provider.ts";
import { condenseUpTo } from "./condense.ts";
import type { Windows } from "./model-windows.ts";
import { prune, shorten } from "./shorten.ts";
import { type Frame, goal, keep, type Plan, Sizer } from "./sizer.ts";
import { TokenMeter } from "./token-meter.ts";
import { isUnsent, lastAnswer, type WindowState, windowState } from "./window.ts";

/** Share of the budget above which room is made. */
const start = 0.8;
/** Above this share whole messages go, where there is no summary; below it they stay. */
const brim = 0.95;
/** Share that shortening must gain to be a step of its own. */
const leastStep = 0.1;
/** A prompt of this share of one that was refused is tried where the endpoint names no figures. */
const smaller = 0.8;
/**
 * After condensing, or an attempt at it, the conversation must grow by this share of the budget before the next one: each
 * costs a whole prompt. After so many failures in a row there is no further attempt unless the person asks.
 */
const growthBeforeNext = 0.25;
const mostFailures = 3;
/** Share of the budget that a summary may fill to be one. */
const summaryShare = 0.25;

/** Asks the model for a summary of `messages`. Resolves with "" when it gave none; rejects as a provider does. */
export type Summarize = (messages: readonly Message[], focus: string, signal: AbortSignal) => Promise<string>;

export interface FitDeps {
  host: Pick<Host, "newId" | "clock">;
  settings(): Settings;
  /** The conversation that requests are made of. */
  conversation: {
    readonly messages: readonly Message[];
    append(message: Message): Promise<void>;
    emit(event: EventBody): void;
  };
  windows: Windows;
}

export class Fitter {
  readonly #deps: FitDeps;
  readonly #meters: Record<Protocol, Map<ModelProfile, TokenMeter>> = { native: new Map(), xml: new Map() };
  #sent: { profile: ModelProfile; meter: TokenMeter; raw: number; withImages: boolean } | undefined;
  /** Whether the person was told that the endpoint cuts prompts. */
  #cutTold = false;
  /** A summary that the person accepted, to be put in place before the next request. */
  #accepted: string | undefined;
  #condenseAgainAt = 0;
  #failures = 0;

  constructor(deps: FitDeps) {
    this.#deps = deps;
  }

  /** A summary that the person accepted takes the place of the earlier messages from the next request on. */
  applyCondense(summary: string): void {
    this.#accepted = summary;
  }

  /**
   * The messages of the next request. Rejects with ProviderError `context-length` where the instructions alone, or the
   * newest message, do not fit.
   */
  async fit(frame: Frame, summarize: Summarize, signal: AbortSignal): Promise<Message[]> {
    const { conversation } = this.#deps;
    const sizer = this.#sizer(frame);
    const { budget } = sizer;
    if (sizer.leastFixed > budget)
      throw this.#tooLarge("instructions", sizer.leastFixed, budget, frame.profile);
    if (this.#accepted !== undefined) {
      const summary = this.#accepted;
      this.#accepted = undefined;
      // The person read it as standing for all of it.
      await this.#condenseTo(sizer, summary, undefined, 0);
    }
    let { messages } = conversation;
    let plan = sizer.plan(messages, windowState(messages));
    if (plan.tokens > start * budget) {
      plan = await this.#makeRoom(plan, sizer, summarize, signal);
      messages = conversation.messages;
    }
    const raw = sizer.raw(messages, plan.state);
    const least = sizer.least(raw);
    if (least > budget) throw this.#tooLarge("message", least, budget, frame.profile);
    const derived = sizer.derive(messages, plan.state);
    const { profile } = frame;
    this.#sent = { profile, meter: sizer.meter, raw, withImages: derived.some(hasImage) };
    return derived;
  }

  /** Tokens of our own estimate that a first message may have. */
  room(frame: Frame): number {
    return Math.floor(this.#sizer(frame).rawFor(1));
  }

  /** Tokens of the request that `fit` gave last, where the endpoint does not count them. */
  get sentTokens(): number {
    return Math.round(this.#sent?.meter.expect(this.#sent.raw) ?? 0);
  }

  /** What the endpoint counted for the request that `fit` gave last. */
  observe(usage: Usage): void {
    if (!this.#sent) return;
    const { inputTokens, cachedTokens = 0 } = usage;
    // Some count what they had in their cache apart.
    const counted = cachedTokens > inputTokens ? inputTokens + cachedTokens : inputTokens;
    const cutFrom = this.#sent.meter.observe(this.#sent.raw, counted);
    // How an image is counted differs too much between endpoints to conclude anything from it.
    if (cutFrom === undefined || this.#sent.withImages || this.#cutTold) return;
    this.#cutTold = true;
    this.#notice("prompt-cut", [counted, Math.round(cutFrom)].map(count));
  }

  /** Learns how large the window is from the refusal, as too long, of the request that `fit` gave last. */
  learn(error: ProviderError): void {
    if (!this.#sent) return;
    const { profile, meter, raw } = this.#sent;
    const { windows } = this.#deps;
    const { limit, used } = profile.api.statedLengths(error);
    if (used !== undefined) meter.observe(raw, used);
    const refused = used ?? meter.predict(raw, true);
    const fits = limit !== undefined && windows.budget(profile, limit) < refused;
    // A window that the prompt would fit is not what counts, whatever they say: less than was refused, then.
    const least = Math.floor(Math.min(refused, windows.of(profile)) * smaller);
    profile.learnStatedWindow(fits ? limit : least);
  }

  /** Condenses because the person asked. `display`: what they typed, for the transcript. */
  async compact(
    frame: Frame,
    { focus, display }: { focus: string; display: string },
    summarize: Summarize,
    signal: AbortSignal,
  ): Promise<void> {
    const sizer = this.#sizer(frame);
    const { messages } = this.#deps.conversation;
    const state = windowState(messages);
    const upTo = condenseUpTo(messages, state, 0);
    if (upTo === undefined) {
      this.#notice("condense-nothing");
      return;
    }
    const summary = await this.#summary(sizer, state, focus, summarize, signal);
    if (summary === "" || !(await this.#condenseTo(sizer, summary, display))) this.#notice("condense-failed");
  }

  async #makeRoom(before: Plan, sizer: Sizer, summarize: Summarize, signal: AbortSignal): Promise<Plan> {
    const { conversation, settings } = this.#deps;
    const { budget } = sizer;
    const input = { ...sizer.input(before), messages: conversation.messages };
    const shortened = shorten(input, false);
    const plan = sizer.plan(conversation.messages, shortened.state);
    // A small step would soon be followed by the next, and each one costs the endpoint's prompt cache.
    if (plan.tokens <= start * budget && before.tokens - plan.tokens > leastStep * budget) {
      await this.#record(before, plan);
      return plan;
    }
    const upTo = condenseUpTo(conversation.messages, shortened.state, keep * sizer.rawFor(1));
    // Where a summary could stand for nothing, none is paid for.
    const worthIt = upTo !== undefined && before.tokens >= this.#condenseAgainAt;
    if (settings().context.autoCondense && worthIt && this.#failures < mostFailures) {
      const summary = await this.#summary(sizer, shortened.state, "", summarize, signal);
      const small = sizer.size(summary) <= summaryShare * budget;
      if (summary !== "" && small && (await this.#condenseTo(sizer, summary, undefined))) {
        const { messages } = conversation;
        const after = sizer.plan(messages, windowState(messages));
        const fitting = after.tokens <= start * budget ? after : await this.#lastResort(after, sizer);
        this.#condenseAgainAt = fitting.tokens + growthBeforeNext * budget;
        return fitting;
      }
      this.#failures++;
      this.#condenseAgainAt = before.tokens + growthBeforeNext * budget;
      this.#notice("condense-failed");
    }
    // As long as it fits, nothing is left out for want of a summary.
    return before.tokens <= brim * budget ? before : this.#lastResort(before, sizer);
  }

  /** Shortens all there is, then leaves whole messages out. */
  async #lastResort(before: Plan, sizer: Sizer): Promise<Plan> {
    const { messages } = this.#deps.conversation;
    const { budget } = sizer;
    const steps = [
      () => shorten({ ...sizer.input(before), messages }, false).state,
      () => prune({ ...sizer.input(plan), messages, state: plan.state }),
      () => shorten({ ...sizer.input(plan), messages, state: plan.state }, true).state,
    ];
    let plan = before;
    for (const step of steps) {
      const state = step();
      if (state) plan = sizer.plan(messages, state);
      if (plan.tokens <= goal * budget * 1.2) break;
    }
    if (plan.tokens < before.tokens) {
      await this.#record(before, plan);
      this.#condenseAgainAt = Math.min(this.#condenseAgainAt, plan.tokens + growthBeforeNext * budget);
    }
    return plan;
  }

  /** "" where it failed: then everything stays. */
  async #summary(
    sizer: Sizer,
    state: WindowState,
    focus: string,
    summarize: Summarize,
    signal: AbortSignal,
  ): Promise<string> {
    const { messages } = this.#deps.conversation;
    let plan = sizer.plan(messages, state);
    // The request for the summary must fit as well.
    if (plan.tokens > sizer.budget * 0.95) {
      const pruned = prune({ ...sizer.input(plan), goal: sizer.rawFor(0.9), messages, state });
      if (pruned) plan = sizer.plan(messages, pruned);
    }
    if (plan.tokens > sizer.budget) return "";
    try {
      return await summarize(sizer.derive(messages, plan.state), focus, signal);
    } catch (error) {
      if (error instanceof Interrupt || signal.aborted) throw error;
      if (error instanceof ProviderError) return "";
      throw error;
    }
  }

  /** False: the summary would not be smaller than what it stands for, so everything stays. */
  async #condenseTo(
    sizer: Sizer,
    summary: string,
    display: string | undefined,
    kept = display === undefined ? keep : 0,
  ): Promise<boolean> {
    const { messages } = this.#deps.conversation;
    const state = windowState(messages);
    const upTo = condenseUpTo(messages, state, kept * sizer.rawFor(1));
    if (upTo === undefined) return false;
    const before = sizer.plan(messages, state);
    const after = sizer.plan(messages, { ...state, leftOutUpTo: upTo, summary, pruned: false });
    if (after.tokens >= before.tokens) return false;
    await this.#record(before, after, display);
    this.#failures = 0;
    return true;
  }

  /** On disk before the request that it makes possible. */
  async #record(before: Plan, after: Plan, display?: string): Promise<void> {
    const { conversation, host } = this.#deps;
    const { messages } = conversation;
    const old = before.state;
    const { state } = after;
    const block: WindowBlock = {
      type: "window",
      shortened: [...state.shortened].filter((id) => !old.shortened.has(id)),
      before: before.tokens,
      after: after.tokens,
    };
    const details = state.detailsUpTo > old.detailsUpTo ? messages[state.detailsUpTo] : undefined;
    if (details) block.detailsUpTo = details.id;
    const last = state.leftOutUpTo > old.leftOutUpTo ? messages[state.leftOutUpTo] : undefined;
    if (last) {
      const from = Math.max(1, old.leftOutUpTo + 1);
      const left = messages.slice(from, state.leftOutUpTo + 1);
      const count = left.filter((message) => !isUnsent(message)).length;
      const fresh = state.summary !== old.summary && state.summary !== undefined;
      block.leftOut = { upTo: last.id, count, ...(fresh ? { summary: state.summary } : {}) };
    }
    await conversation.append({
      id: host.newId(),
      role: "user",
      createdAt: host.clock.now().toISOString(),
      blocks: [block],
      ...(display === undefined ? {} : { display }),
    });
  }

  #sizer(frame: Frame): Sizer {
    const { profile, protocol } = frame;
    const meter = this.#meters[protocol].get(profile) ?? new TokenMeter();
    this.#meters[protocol].set(profile, meter);
    const sizer = new Sizer(frame, meter, this.#deps.windows.budget(profile));
    if (!meter.corrected) this.#learnFromHistory(sizer, profile.model);
    return sizer;
  }

  /** After a restart: what the endpoint counted for the last request that this conversation made. */
  #learnFromHistory(sizer: Sizer, model: string): void {
    const { messages } = this.#deps.conversation;
    const last = lastAnswer(messages);
    const answer = messages[last];
    if (last === 0 || answer?.usage === undefined || answer.model !== model) return;
    const before = messages.slice(0, last);
    sizer.meter.observe(sizer.raw(before, windowState(before)), answer.usage.inputTokens);
  }

  #tooLarge(
    what: "instructions" | "message",
    tokens: number,
    budget: number,
    profile: ModelProfile,
  ): ProviderError {
    // The next try asks the endpoint again: its window may have been made larger.
    profile.forgetStatedWindow();
    const detail = `${count(tokens)} > ${count(budget)} tokens`;
    return new ProviderError({ code: "context-length", subject: what, detail });
  }

  #notice(code: "condense-failed" | "condense-nothing" | "prompt-cut", values?: string[]): void {
    const id = this.#deps.host.newId();
    this.#deps.conversation.emit({ type: "notice", id, code, ...(values ? { values } : {}) });
  }
}

function count(tokens: number): string {
  return tokens.toLocaleString("en-US");
}
