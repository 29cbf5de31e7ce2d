/**
 * Calls that wait for the user's decision, and commands that the user approved before a call. Only `decide` and `approveCommand` can
 * approve a call.
 */
import type { Explanation } from "../../../shared/explanation.ts";
import type { AllowScope } from "../../../shared/permission/levels.ts";
import {
  type AnswerDraft,
  type PreparedAnswer,
  UNPREPARED,
} from "../../../shared/permission/prepared-answer.ts";
import { Interrupt } from "../../errors.ts";
import type { Disposable } from "../../lifecycle.ts";
import type { ApprovedPlace } from "../../ports/sandbox.ts";
import type { Clock, Log } from "../../ports/system.ts";
import type { CallPreview, Coverage, PathUse } from "../../tools/tool.ts";
import { type AllowanceDeps, Allowances, type Offer } from "./allowances.ts";

export interface Decision {
  approved: boolean;
  comment: string | undefined;
  /** Indexes of the hunks that the user excluded. */
  excludedHunks?: readonly number[];
}

/** A decision that belongs to a call of another session. */
export interface ForwardedCall {
  prepare(answer: PreparedAnswer): void;
  prepared(): AnswerDraft;
  /** False: it no longer waits there. */
  decide(decision: Decision, options: { allow?: AllowScope }): boolean;
  why(): Promise<Explanation | undefined>;
}

/** A command that the user approves before a call requests it, with the content of the files that it runs. */
export interface ApprovedCommand {
  command: string;
  place: ApprovedPlace;
  /** As it was when the user approved. */
  coverage: Pick<Coverage, "changed">;
}

interface WaitingCall {
  settle(decision: Decision): void;
  prepared: AnswerDraft;
  update(prepared: AnswerDraft): void;
  preview: CallPreview | undefined;
  offer: Offer | undefined;
  allowEdits: (() => Promise<void>) | undefined;
  why: (() => Promise<Explanation>) | undefined;
  paths: readonly PathUse[];
}

interface WaitOptions {
  /** What the user may also allow from now on. */
  offer?: Offer | undefined;
  /** Lets edits run without asking in this session. Absent: the approval does not offer it. */
  allowEdits?: (() => Promise<void>) | undefined;
  /** Explains the question. */
  why?: () => Promise<Explanation>;
  /** The files that the call touches. */
  paths?: readonly PathUse[];
  /** The comment that the user wrote when they were asked before. */
  comment?: string | undefined;
  /** Shows the change without the hunks that the user excludes. */
  preview?: CallPreview | undefined;
  /** Called with the answer that the user prepares, whenever it changes. */
  onPrepared?(prepared: AnswerDraft): void;
}

export interface ApprovalsDeps extends AllowanceDeps {
  host: { log: Log; clock: Pick<Clock, "now"> };
  /** Those of the parent task. Default: the task has its own. */
  allowances?: Allowances;
}

export class Approvals {
  readonly allowances: Allowances;
  readonly #deps: ApprovalsDeps;
  readonly #waiting = new Map<string, WaitingCall>();
  readonly #forwarded = new Map<string, ForwardedCall>();
  /** By command. */
  readonly #approved = new Map<string, ApprovedCommand>();
  /** Milliseconds that calls waited, until their results are written. */
  readonly #waited = new Map<string, number>();
  #decided = 0;

  constructor(deps: ApprovalsDeps) {
    this.#deps = deps;
    this.allowances = deps.allowances ?? new Allowances(deps);
  }

  /**
   * Resolves when the user decides on exactly this call; rejects with Interrupt when `signal` aborts.
   */
  wait(
    callId: string,
    signal: AbortSignal,
    { offer, allowEdits, why, paths = [], comment = "", preview, onPrepared = () => {} }: WaitOptions = {},
  ): Promise<Decision> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(new Interrupt());
        return;
      }
      const onAbort = () => {
        edits?.dispose();
        this.#waiting.delete(callId);
        reject(new Interrupt());
      };
      signal.addEventListener("abort", onAbort, { once: true });
      const asked = this.#deps.host.clock.now().getTime();
      const settle = (decision: Decision) => {
        const waited = this.#deps.host.clock.now().getTime() - asked;
        this.#waited.set(callId, (this.#waited.get(callId) ?? 0) + waited);
        signal.removeEventListener("abort", onAbort);
        edits?.dispose();
        resolve(decision);
      };
      const update = (prepared: AnswerDraft) => {
        waiting.prepared = prepared;
        onPrepared(prepared);
      };
      const waiting: WaitingCall = {
        settle,
        prepared: { ...UNPREPARED, comment },
        update,
        preview,
        offer,
        allowEdits,
        why,
        paths,
      };
      const edits = preview?.onEdited(() => {
        update({ ...waiting.prepared, edited: preview.edited });
        // When the user undoes their edits to a file, its excluded hunks apply again.
        preview.choose(waiting.prepared.left);
      });
      this.#waiting.set(callId, waiting);
    });
  }

  /** Stores what the user has prepared as the answer to a call that waits. */
  prepare(callId: string, answer: PreparedAnswer): void {
    this.#forwarded.get(callId)?.prepare(answer);
    const waiting = this.#waiting.get(callId);
    if (!waiting) return;
    const { left, edited } = waiting.prepared;
    waiting.update({ ...answer, edited });
    if (String(answer.left) !== String(left)) waiting.preview?.choose(answer.left);
  }

  prepared(callId: string): AnswerDraft {
    return this.#forwarded.get(callId)?.prepared() ?? this.#waiting.get(callId)?.prepared ?? UNPREPARED;
  }

  /**
   * Returns false if the call is not waiting: it was decided elsewhere, stopped, or never asked. If the decision has no comment or no
   * excluded hunks, those that the user prepared apply. `allow` also allows what the approval
   * offered, if it offered something: an entry, or edits for the session.
   */
  decide(callId: string, decision: Decision, { allow }: { allow?: AllowScope } = {}): boolean {
    const forwarded = this.#forwarded.get(callId);
    if (forwarded) return forwarded.decide(decision, allow === undefined ? {} : { allow });
    const waiting = this.#waiting.get(callId);
    if (!waiting) return false;
    this.#waiting.delete(callId);
    this.#decided += 1;
    const { prepared, preview } = waiting;
    // The user may answer in a card that shows another choice than the last one that arrived. They approved what that card showed.
    const { excludedHunks } = decision;
    if (excludedHunks && String(excludedHunks) !== String(prepared.left)) preview?.choose(excludedHunks);
    const settle = () => waiting.settle(withPrepared(decision, prepared));
    const failed = (error: unknown) =>
      this.#deps.host.log.error("what the user allowed could not be stored", error);
    const { offer, allowEdits } = waiting;
    const allowed = decision.approved ? allow : undefined;
    // The next edit may follow at once, and must find that edits are allowed.
    if (allowed === "session" && allowEdits) void allowEdits().catch(failed).then(settle);
    else settle();
    if (allowed !== undefined && offer) this.allowances.allow(offer, allowed).catch(failed);
    return true;
  }

  /** Approves the next call in this turn that runs exactly this command. */
  approveCommand(approved: ApprovedCommand): void {
    this.#approved.set(approved.command, approved);
  }

  /** Where the user lets the next call of this command run. undefined: they do not, or files that it runs have changed since. */
  async approvedPlace(command: string): Promise<ApprovedPlace | undefined> {
    const approved = this.#approved.get(command);
    return approved !== undefined && (await approved.coverage.changed()).length === 0
      ? approved.place
      : undefined;
  }

  /** The command runs, so another call of it needs another approval. */
  spendApproved(command: string): void {
    this.#approved.delete(command);
  }

  /** What the user approved for a turn ends with it. */
  forgetApproved(): void {
    this.#approved.clear();
  }

  /** Why the call asks; undefined if it is not waiting. */
  async why(callId: string): Promise<Explanation | undefined> {
    return (this.#forwarded.get(callId) ?? this.#waiting.get(callId))?.why?.();
  }

  /** The files that the call touches; none if it is not waiting, or belongs to another session. */
  paths(callId: string): readonly PathUse[] {
    return this.#waiting.get(callId)?.paths ?? [];
  }

  /** Returns how many milliseconds the call waited for the user in all, once. */
  takeWaited(callId: string): number {
    const waited = this.#waited.get(callId) ?? 0;
    this.#waited.delete(callId);
    return waited;
  }

  /** How many calls the user decided on, including those of subtasks. */
  get decided(): number {
    return this.#decided;
  }

  /** The user decided on a call that was forwarded here. */
  decidedForwarded(): void {
    this.#decided += 1;
  }

  get first(): string | undefined {
    return [...this.#waiting.keys(), ...this.#forwarded.keys()][0];
  }

  isWaiting(callId: string): boolean {
    return this.#waiting.has(callId);
  }

  /** Lets a call of a subtask wait for the user here, under this id, until the returned object is disposed. */
  forward(callId: string, to: ForwardedCall): Disposable {
    this.#forwarded.set(callId, to);
    return { dispose: () => void this.#forwarded.delete(callId) };
  }
}

function withPrepared(decision: Decision, { comment, left }: PreparedAnswer): Decision {
  const { approved, excludedHunks = left } = decision;
  return {
    approved,
    comment: decision.comment ?? (comment.trim() || undefined),
    ...(approved && excludedHunks.length > 0 ? { excludedHunks } : {}),
  };
}
