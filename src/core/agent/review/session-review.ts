/** A review in a session: its findings are the answer to the user's message. */
import type { ReviewProgress, ReviewReport, ReviewScope } from "../../../shared/review.ts";
import { reviewFailureText, reviewMarkdown, reviewProgressText } from "../../../shared/words/review-words.ts";
import type { Translate } from "../../../shared/words/task-words.ts";
import type { RunEnd } from "../../loop/loop.ts";
import type { Transcript } from "../../loop/transcript.ts";
import { ReviewRun, type ReviewRunDeps } from "./review-run.ts";

export interface SessionReviewDeps extends ReviewRunDeps {
  conversation: Transcript;
  t: Translate;
  /** Resolves when the task may work. Rejects with Interrupt. */
  takeSlot(signal: AbortSignal): Promise<void>;
  /** Receives the report once it is stored. `fileOf`: the absolute path of a file of the report. */
  reviewed?(session: string, report: ReviewReport, fileOf: (path: string) => string): void;
}

export interface ReviewOrder {
  scope: ReviewScope;
  /** `connection/id`. */
  model: string;
}

/** Reviews, and stores the findings as the model's answer. Rejects only for errors of the store. */
export async function reviewInSession(
  deps: SessionReviewDeps,
  { scope, model }: ReviewOrder,
  signal: AbortSignal,
): Promise<RunEnd> {
  const { conversation, core, host, t } = deps;
  const answer = new ReviewAnswer(conversation, host.newId());
  const spentBefore = conversation.totals.cost ?? 0;
  const onProgress = (progress: ReviewProgress) => answer.think(reviewProgressText(t, progress));
  const run = new ReviewRun(deps, { scope, model, spentBefore }, { signal, onProgress });
  try {
    await deps.takeSlot(signal);
    conversation.emit({ type: "status", status: "streaming" });
    conversation.emit({ type: "request", messageId: "", number: conversation.totals.requests + 1 });
    const report = await run.run();
    await answer.write(reviewMarkdown(t, report, { links: true }), host.clock.now(), run);
    deps.reviewed?.(conversation.id, report, (path) => run.fileOf(path));
    return { type: "replied" };
  } catch (error) {
    if (error instanceof core.ReviewFailure || error instanceof core.ToolError) {
      const text =
        error instanceof core.ReviewFailure ? reviewFailureText(t, error.code, error.detail) : error.message;
      await answer.write(text, host.clock.now(), run);
      return { type: "replied" };
    }
    if (run.spent.length > 0) await conversation.addUsage(run.spent);
    if (error instanceof core.Interrupt || signal.aborted) return { type: "stopped" };
    if (!(error instanceof core.ReviewRequestFailure)) throw error;
    conversation.emit({ type: "error", id: host.newId(), error: error.view });
    return { type: "failed" };
  }
}

/** The answer, which shows what is being read while there are no findings yet. */
class ReviewAnswer {
  readonly #conversation: Transcript;
  readonly #id: string;
  #thoughts = "";

  constructor(conversation: Transcript, id: string) {
    this.#conversation = conversation;
    this.#id = id;
  }

  think(line: string): void {
    const delta = `${this.#thoughts === "" ? "" : "\n"}${line}`;
    this.#thoughts += delta;
    this.#conversation.emit({ type: "delta", messageId: this.#id, block: 0, kind: "reasoning", delta });
  }

  async write(text: string, now: Date, { spent }: Pick<ReviewRun, "spent">): Promise<void> {
    const thoughts = this.#thoughts === "" ? [] : [{ type: "reasoning" as const, text: this.#thoughts }];
    this.#conversation.emit({
      type: "delta",
      messageId: this.#id,
      block: thoughts.length,
      kind: "text",
      delta: text,
    });
    const blocks = [...thoughts, { type: "text" as const, text }];
    const message = { id: this.#id, role: "assistant" as const, createdAt: now.toISOString(), blocks };
    await this.#conversation.append(message, spent);
  }
}
