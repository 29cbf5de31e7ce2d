/** The only loop that resends a request. */
import type { Adaptation, FailedRequest, RequestPlan } from "./adaptations.ts";
import type { ModelProfile } from "./model-profile.ts";

/** The result of one attempt. Without `failed` the request is finished, whatever its outcome. */
export interface AttemptResult<T> {
  result: T;
  failed?: FailedRequest;
}

export interface Sender<T> {
  /** Sends the request once. A rejection is passed on, not adapted to. */
  send(plan: RequestPlan): Promise<AttemptResult<T>>;
  /** Waits before attempt `attempt` of a plan; rejects if the request was aborted. */
  wait(delayMs: number, failed: FailedRequest, attempt: number): Promise<void>;
}

/**
 * Sends until an attempt succeeds, no remaining adaptation matches, or part of the answer was shown. Resolves with the
 * last attempt. The loop terminates whatever the endpoint answers, because each adaptation has a maximum: there are at
 * most (1 + the sum of `most` over adaptations that change the plan) × (1 + the sum over those that repeat it)
 * requests.
 */
export async function sendAdapting<T>(
  first: RequestPlan,
  table: readonly Adaptation[],
  profile: ModelProfile,
  { send, wait }: Sender<T>,
): Promise<AttemptResult<T>> {
  const changes = new Map<Adaptation, number>();
  let repeats = new Map<Adaptation, number>();
  let plan = first;
  for (;;) {
    const sent = await send(plan);
    const { failed } = sent;
    if (!failed) return sent;
    const adaptation = table.find((row) => {
      const applied = (row.change ? changes : repeats).get(row) ?? 0;
      return applied < row.most && row.matches(failed, plan, profile);
    });
    adaptation?.learn?.(failed, profile);
    if (!adaptation || failed.shown) return sent;
    const { change, delay } = adaptation;
    const delayMs = delay?.(failed, plan);
    // A changed request is a different one and gets its own retries.
    if (change) repeats = new Map();
    const counted = change ? changes : repeats;
    counted.set(adaptation, (counted.get(adaptation) ?? 0) + 1);
    plan = change ? { ...change(plan), attempt: 1 } : { ...plan, attempt: plan.attempt + 1 };
    if (delayMs !== undefined) await wait(delayMs, failed, plan.attempt);
  }
}
