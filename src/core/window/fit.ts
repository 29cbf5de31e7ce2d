/**
 * Makes each request fit the model's context window: shortens results first, then asks the model for a summary, and
 * omits whole messages last. Each step is stored as a message of the conversation before the request is sent.
 */
import type { EventBody } from "../../shared/event.ts";
import type { Message, Usage, WindowBlock } from "../../shared/message.ts";
import type { Settings } from "../../shared/settings.ts";
import { groupedDigits } from "../../shared/text/grouped-digits.ts";
import { keepingLatest } from "../cached-value.ts";
import { estimateTokens } from "../context/tokens.ts";
import { Interrupt, ProviderError } from "../errors.ts";
import type { Host } from "../ports/host.ts";
import type { Adaptation } from "../provider/adaptations.ts";
import { hasImage } from "../provider/images.ts";
import type { ModelProfile } from "../provider/model-profile.ts";
import type { Protocol } from "../provider/provider.ts";
import { condenseUpTo } from "./condense.ts";
import type { Windows } from "./model-windows.ts";
import { isUnsent, lastAnswerIndex, type WindowState, windowState } from "./request-messages.ts";
import { prune, shorten } from "./shorten.ts";
import { GOAL, KEEP, type Plan, type RequestFrame, Sizer } from "./sizer.ts";
import { TokenMeter } from "./token-meter.ts";

/** Share of the budget above which the conversation is shortened. */
const START = 0.8;
/** Without a summary, whole messages are omitted only above this share of the budget. */
const BRIM = 0.95;
/** Share of the budget that shortening alone must save to be used without a summary. */
const LEAST_STEP = 0.1;
/** Share of a rejected prompt's size to try next if the endpoint states no limit. */
const SMALLER = 0.8;
/**
 * Share of the budget by which the conversation must grow between two attempts to condense, because each costs a
 * whole prompt; and consecutive failures after which only the user can start another attempt.
 */
const GROWTH_BEFORE_NEXT = 0.25;
const MOST_FAILURES = 3;
/** Share of the budget that a usable summary may fill. */
const SUMMARY_SHARE = 0.25;

/** Asks the model for a summary of `messages`. Resolves with "" if there is none; rejects as a provider does. */
export type Summarize = (messages: readonly Message[], focus: string, signal: AbortSignal) => Promise<string>;

export interface FitDeps {
  host: Pick<Host, "newId" | "clock">;
  settings(): Settings;
  /** The conversation from which requests are derived. */
  conversation: {
    readonly messages: readonly Message[];
    append(message: Message): Promise<void>;
    emit(event: EventBody): void;
  };
  windows: Windows;
}

/** The next request's messages, what they omit, and its predicted tokens. */
export interface PlannedRequest {
  messages: readonly Message[];
  state: WindowState;
  tokens: number;
}

export class Fitter {
  readonly #deps: FitDeps;
  readonly #meters: Record<Protocol, Map<ModelProfile, TokenMeter>> = { native: new Map(), xml: new Map() };
  #sent: { profile: ModelProfile; meter: TokenMeter; raw: number; withImages: boolean } | undefined;
  /** The instructions are mostly those of the request before. */
  readonly #instructionTokens = keepingLatest(estimateTokens);
  /** Whether the notice that the endpoint cuts prompts was shown. */
  #cutNoticeShown = false;
  /** A summary that the user accepted, to be applied before the next request. */
  #accepted: string | undefined;
  #condenseAgainAt = 0;
  #failures = 0;

  constructor(deps: FitDeps) {
    this.#deps = deps;
  }

  /** Replaces the earlier messages with a summary that the user accepted, from the next request on. */
  applyCondense(summary: string): void {
    this.#accepted = summary;
  }

  /**
   * The messages of the next request. Rejects with ProviderError `context-length` if the instructions alone, or the
   * newest message, do not fit.
   */
  async fit(frame: RequestFrame, summarize: Summarize, signal: AbortSignal): Promise<Message[]> {
    const { conversation } = this.#deps;
    const sizer = this.#sizer(frame);
    const { budget } = sizer;
    if (sizer.leastFixed > budget)
      throw this.#tooLarge("instructions", sizer.leastFixed, budget, frame.profile);
    if (this.#accepted !== undefined) {
      const summary = this.#accepted;
      this.#accepted = undefined;
      // The user accepted it as a summary of the whole conversation, so no last steps are kept.
      await this.#condenseTo(sizer, summary, undefined, 0);
    }
    const { messages } = conversation;
    let plan = sizer.plan(messages, windowState(messages));
    if (plan.tokens > START * budget) {
      const { state } = await this.#makeRoom(plan, sizer, summarize, signal);
      plan = sizer.plan(conversation.messages, state);
    }
    const least = sizer.least(plan.raw);
    if (least > budget) throw this.#tooLarge("message", least, budget, frame.profile);
    const { profile } = frame;
    const { raw } = plan;
    this.#sent = { profile, meter: sizer.meter, raw, withImages: plan.messages.some(hasImage) };
    return plan.messages;
  }

  /** Estimated tokens that a message may have in a request without other messages. */
  maxMessageTokens(frame: RequestFrame): number {
    return Math.floor(this.#sizer(frame).rawFor(1));
  }

  /** Predicted tokens of the next request, with a message of `words` estimated tokens. */
  forecast(frame: RequestFrame, words: number): number {
    const sizer = this.#sizer(frame);
    const { messages } = this.#deps.conversation;
    return sizer.predict(sizer.raw(messages, windowState(messages)) - sizer.raw([], windowState([])) + words);
  }

  /** What the next request would contain now, without shortening it. */
  planned(frame: RequestFrame): PlannedRequest {
    const sizer = this.#sizer(frame);
    const { messages } = this.#deps.conversation;
    const state = windowState(messages);
    return sizer.plan(messages, state);
  }

  /** Estimated tokens of the request that `fit` returned last, for endpoints that do not count them. */
  get sentTokens(): number {
    return Math.round(this.#sent?.meter.expect(this.#sent.raw) ?? 0);
  }

  /** Takes the endpoint's count for the request that `fit` returned last. */
  observe(usage: Usage): void {
    if (!this.#sent) return;
    const { inputTokens, cachedTokens = 0 } = usage;
    // Some endpoints do not include cached tokens in the input tokens.
    const counted = cachedTokens > inputTokens ? inputTokens + cachedTokens : inputTokens;
    const cutFrom = this.#sent.meter.observe(this.#sent.raw, counted);
    // Endpoints count images too differently to draw a conclusion.
    if (cutFrom === undefined || this.#sent.withImages || this.#cutNoticeShown) return;
    this.#cutNoticeShown = true;
    this.#notice("prompt-cut", [counted, Math.round(cutFrom)].map(count));
  }

  /** Learns the window's size from an endpoint's error that the request that `fit` returned last is too long. */
  learn(error: ProviderError): void {
    if (!this.#sent) return;
    const { profile, meter, raw } = this.#sent;
    const { windows } = this.#deps;
    const { limit, used } = profile.api.statedLengths(error);
    if (used !== undefined) meter.observe(raw, used);
    const refused = used ?? meter.predict(raw, true);
    const fits = limit !== undefined && windows.budget(profile, limit) < refused;
    // A stated limit that the rejected prompt would fit is wrong; assume less than the prompt instead.
    const least = Math.floor(Math.min(refused, windows.of(profile)) * SMALLER);
    profile.learnStatedWindow(fits ? limit : least);
  }

  /** Condenses at the user's request. `display`: the user's input, for the transcript. */
  async compact(
    frame: RequestFrame,
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
    // A small step would soon be followed by another, and each step invalidates the endpoint's prompt cache.
    if (plan.tokens <= START * budget && before.tokens - plan.tokens > LEAST_STEP * budget) {
      await this.#record(before, plan);
      return plan;
    }
    const upTo = condenseUpTo(conversation.messages, shortened.state, KEEP * sizer.rawFor(1));
    // No summary is requested if there is nothing that it could replace.
    const worthIt = upTo !== undefined && before.tokens >= this.#condenseAgainAt;
    if (settings().context.autoCondense && worthIt && this.#failures < MOST_FAILURES) {
      const summary = await this.#summary(sizer, shortened.state, "", summarize, signal);
      const small = sizer.size(summary) <= SUMMARY_SHARE * budget;
      if (summary !== "" && small && (await this.#condenseTo(sizer, summary, undefined))) {
        const { messages } = conversation;
        const after = sizer.plan(messages, windowState(messages));
        const fitting = after.tokens <= START * budget ? after : await this.#lastResort(after, sizer);
        this.#condenseAgainAt = fitting.tokens + GROWTH_BEFORE_NEXT * budget;
        return fitting;
      }
      this.#failures++;
      this.#condenseAgainAt = before.tokens + GROWTH_BEFORE_NEXT * budget;
      this.#notice("condense-failed");
    }
    // Without a summary, nothing is omitted as long as the request fits.
    return before.tokens <= BRIM * budget ? before : this.#lastResort(before, sizer);
  }

  /** Shortens results, then omits whole messages, then shortens the newest results too. */
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
      if (plan.tokens <= GOAL * budget * 1.2) break;
    }
    if (plan.tokens < before.tokens) {
      await this.#record(before, plan);
      this.#condenseAgainAt = Math.min(this.#condenseAgainAt, plan.tokens + GROWTH_BEFORE_NEXT * budget);
    }
    return plan;
  }

  /** Requests a summary; "" if that failed, and then the conversation stays unchanged. */
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

  /** Applies a summary. False: it would not make the request smaller, so nothing changed. */
  async #condenseTo(
    sizer: Sizer,
    summary: string,
    display: string | undefined,
    kept = display === undefined ? KEEP : 0,
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

  /** Stores the step; resolves when it is on disk, before the request is sent. */
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

  #sizer(frame: RequestFrame): Sizer {
    const { profile, protocol } = frame;
    const meter = this.#meters[protocol].get(profile) ?? new TokenMeter();
    this.#meters[protocol].set(profile, meter);
    const sizer = new Sizer(frame, meter, this.#deps.windows.budget(profile), this.#instructionTokens);
    if (!meter.corrected) this.#learnFromHistory(sizer, profile.model);
    return sizer;
  }

  /** After a restart: takes the endpoint's count for this conversation's last request. */
  #learnFromHistory(sizer: Sizer, model: string): void {
    const { messages } = this.#deps.conversation;
    const last = lastAnswerIndex(messages);
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
    const window = this.#deps.windows.of(profile);
    // The answer has to fit too.
    const detail = `${count(tokens)} + ${count(window - budget)} > ${count(window)} tokens`;
    // The next attempt asks the endpoint again, because its window may have been enlarged.
    profile.forgetStatedWindow();
    return new ProviderError({ code: "context-length", subject: what, detail });
  }

  #notice(code: "condense-failed" | "condense-nothing" | "prompt-cut", values?: string[]): void {
    const id = this.#deps.host.newId();
    this.#deps.conversation.emit({ type: "notice", id, code, ...(values ? { values } : {}) });
  }
}

function count(tokens: number): string {
  return groupedDigits(tokens);
}

/**
 * Fits the messages once more, with the window that the endpoint's error states or implies. The limit is two because
 * prompts for native calls and for XML differ.
 */
export function smallerWindow(fitter: Pick<Fitter, "learn">): Adaptation {
  return {
    name: "smaller window",
    most: 2,
    matches: ({ error }, { refits }) => refits === 0 && error.view.code === "context-length",
    learn: ({ error }) => fitter.learn(error),
    change: (plan) => ({ ...plan, refits: 1 }),
  };
}
