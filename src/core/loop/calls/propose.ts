/** The changes that a call proposes while it runs: judged, asked about and made like a call of their own. */
import { reasonOf } from "../../../shared/reason.ts";
import type { Invocation, Proposed } from "../../tools/tool.ts";
import { type AskDeps, askUser } from "./ask-user.ts";
import type { Judge } from "./permission.ts";
import { type PreparedCall, type RunCallDeps, runProposed } from "./run-call.ts";

export interface ProposeDeps extends AskDeps, RunCallDeps {
  judge: Judge;
}

/** The approval is that of the call itself, whose row shows it. Rejects with Interrupt when `signal` aborts. */
export async function propose(
  { call, tool }: Pick<PreparedCall, "call" | "tool">,
  change: Invocation,
  deps: ProposeDeps,
  signal: AbortSignal,
): Promise<Proposed> {
  const { approvals, conversation, judge } = deps;
  const editing = { ...tool, access: "edit" as const };
  let runs = false;
  try {
    await approvals.allowances.refresh();
    const permission = await judge.permission(editing, change, conversation.mode);
    if (permission.verdict === "deny") return { type: "denied", reason: permission.reason };
    const prepared = { call, tool: editing, invocation: change, permission, protection: undefined };
    const asks = permission.verdict === "ask" || change.alwaysAsks;
    const decision = asks ? await askUser(prepared, deps, signal) : { approved: true, comment: undefined };
    const { approved, comment } = decision;
    if (!approved) return { type: "rejected", comment };
    // The mode may have changed while the change waited.
    if (conversation.mode === "plan") return { type: "denied", reason: reasonOf("plan-mode") };
    runs = true;
    return { type: "made", output: await runProposed(prepared, deps, signal), comment };
  } finally {
    if (!runs) await change.discard?.();
  }
}
