/** Creates the worktree of a subtask that changes files, proposes its changes to the user, and removes it. */
import { reasonInEnglish } from "../../../shared/words/reasons/reasons.ts";
import { ToolError } from "../../errors.ts";
import type { Host } from "../../ports/host.ts";
import type { Worktree } from "../../ports/worktrees.ts";
import { CHANGES, notInWorktree } from "../../prompts/replies.ts";
import type { SessionStore } from "../../sessions/session-store.ts";
import type { RunContext, ToolOutput } from "../../tools/tool.ts";
import { type WorkerChangesDeps, workerChange } from "./worker-changes.ts";

export interface WorkerDeps extends WorkerChangesDeps {
  store: SessionStore;
  /** The command that prepares a new worktree; "": none. */
  setup: string;
}

/** What became of the changes. */
export interface Settled extends Pick<ToolOutput, "outcome" | "failed"> {
  /** For the model. */
  text: string;
  /** The worktree is still there. */
  isKept: boolean;
}

/** Throws ToolError if the host has no worktrees. */
export function expectWorktrees({
  worktrees,
  inFolder,
  workspace,
}: Host): Required<Pick<Host, "worktrees" | "inFolder">> & { root: string } {
  if (!worktrees || !inFolder || workspace.root === undefined)
    throw new ToolError("Only tasks of kind explore can be started here: there are no git worktrees.");
  return { worktrees, inFolder, root: workspace.root };
}

export async function beginWorktree(
  { host, setup }: WorkerDeps,
  title: string,
  signal: AbortSignal,
): Promise<{ worktree: Worktree; note: string }> {
  const { worktrees, root } = expectWorktrees(host);
  const request = { folder: root, title, ...(setup === "" ? {} : { setup }) };
  const { worktree, uncommitted } = await worktrees.create(request, signal);
  return { worktree, note: uncommitted.length === 0 ? "" : notInWorktree(uncommitted) };
}

/** Proposes the changes to the user. Removes the worktree once the project has them, or if there are none. */
export async function settleWorker(
  deps: WorkerDeps,
  { id, worktree }: { id: string; worktree: Worktree },
  { propose, signal }: RunContext,
): Promise<Settled> {
  const { branch } = worktree;
  const notApplied = (why: string): Settled => ({
    text: CHANGES.denied(branch, why),
    isKept: true,
    failed: true,
  });
  try {
    const change = await workerChange(deps, worktree, signal);
    if (change.type === "impossible") return notApplied(change.why);
    if (change.type === "none") {
      const isKept = await remains(deps, { id, worktree }, [], signal);
      return { text: CHANGES.none, isKept };
    }
    const proposed = await propose(change.invocation);
    if (proposed.type === "denied") return notApplied(reasonInEnglish(proposed.reason));
    if (proposed.type === "rejected")
      return { text: CHANGES.rejected(branch, proposed.comment), isKept: true, outcome: "rejected" };
    const isKept =
      !(await change.isUnchanged()) || (await remains(deps, { id, worktree }, change.paths, signal));
    return { text: CHANGES.applied(change.names, proposed.comment, isKept ? branch : undefined), isKept };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return notApplied(error.message);
  }
}

/** Removes the worktree, unless it has changes besides these files, which the project has already. Returns whether it still exists. */
async function remains(
  { host, store }: WorkerDeps,
  { id, worktree }: { id: string; worktree: Worktree },
  paths: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const { worktrees } = expectWorktrees(host);
  try {
    const state = await worktrees.state(worktree, signal);
    const branch = state?.commits === 0 ? ("delete" as const) : ("keep" as const);
    if (state && (await worktrees.remove(worktree, { losing: paths, branch }, signal)).length > 0)
      return true;
    await store.update(id, { worktree: null });
    return false;
  } catch (error) {
    // The project has its changes already. The user finds the worktree in the list and can remove it there.
    host.log.error(`the worktree ${worktree.path} was not removed`, error);
    return true;
  }
}
