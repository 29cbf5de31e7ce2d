/** The only loop that sends a request again. */
import type { Adaptation, Failed, RequestPlan } from "./adaptations.ts";
import type { ModelProfile } from "./model-profile.ts";

/** What came of one try; without `failed` the request is over, however it went. */
export interface Sent<T> {
  result: T;
  failed?: Failed;
}

export interface Sending<T> {
  /** Sends the request once. What it rejects with is not adapted to. */
  send(plan: RequestPlan): Promise<Sent<T>>;
  /** Waits before try `attempt` of a plan; rejects where nobody waits any longer. */
  wait(delayMs: number, failed: Failed, attempt: number): Promise<void>;
}

/**
 * Sends until a try succeeds, no adaptation is left that matches, or something of the answer was shown; resolves with the
 * last try. It ends whatever the endpoint says: each adaptation is applied so often and no more, and a plan is repeated so
 * often and no more, which makes at most (1 + the sum of `most` of those that change the plan) × (1 + that of those that
 * repeat it) requests.
 */
export async function sendAdapting<T>(
  first: RequestPlan,
  table: readonly Adaptation[],
  profile: ModelProfile,
  { send, wait }: Sending<T>,
): Promise<Sent<T>> {
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
    // A request that was changed is another one, which is worth its own tries.
    if (change) repeats = new Map();
    const counted = change ? changes : repeats;
    counted.set(adaptation, (counted.get(adaptation) ?? 0) + 1);
    plan = change ? { ...change(plan), attempt: 1 } : { ...plan, attempt: plan.attempt + 1 };
    if (delayMs !== undefined) await wait(delayMs, failed, plan.attempt);
  }
}
