/** Creates, lists, merges and removes the worktrees of a project's tasks. */
import type { Worktree } from "../../../shared/history/worktree.ts";
import type { SessionSummary } from "../../../shared/protocol.ts";
import { type Fault, reasonOf } from "../../../shared/reason.ts";
import type { Settings } from "../../../shared/settings.ts";
import { faultOf, Interrupt, ToolError } from "../../errors.ts";
import type { Host } from "../../ports/host.ts";
import type { Merged, NewlyCreated, WorktreeState, Worktrees } from "../../ports/worktrees.ts";
import { WorktreeUnavailable, type WorktreeUse } from "../../sessions/open/worktree-use.ts";
import type { SessionStore } from "../../sessions/session-store.ts";
import type { Session } from "../session.ts";

/** Why a task did not begin in a worktree. Nothing is left of the attempt. */
export class WorktreeNotCreated extends Error {
  override name = "WorktreeNotCreated";

  constructor(readonly fault: Fault) {
    super(`the worktree was not created: ${fault.code}`);
  }
}

/** A worktree and the session that works in it. Without a session, a process that died created it, or its session was deleted. */
export interface FoundWorktree {
  worktree: Worktree;
  session?: SessionSummary;
}

export interface ProjectWorktreesDeps {
  /** The host in the project's folder. */
  host: Host;
  store: SessionStore;
  settings(): Settings;
  use: WorktreeUse;
  /** The open sessions. */
  all(): readonly Session[];
}

/** How a review is named among the sessions that have a worktree open. */
const REVIEW = "review";

export class ProjectWorktrees {
  readonly #deps: ProjectWorktreesDeps;
  #reviews = 0;

  constructor(deps: ProjectWorktreesDeps) {
    this.#deps = deps;
  }

  /** Whether tasks can begin in worktrees here. */
  get areOffered(): boolean {
    const { worktrees, workspace } = this.#deps.host;
    return worktrees !== undefined && workspace.root !== undefined && workspace.trusted;
  }

  /** Creates a worktree for a task. Rejects with WorktreeNotCreated, or with Interrupt. */
  async create(title: string, signal: AbortSignal, revision?: string): Promise<NewlyCreated> {
    const { host, settings } = this.#deps;
    const folder = host.workspace.root;
    if (folder === undefined) throw new WorktreeNotCreated(reasonOf("not-in-repository"));
    const { setup } = settings().worktrees;
    const start = revision === undefined ? {} : { revision };
    try {
      return await this.#port().create({ folder, title, setup, ...start }, signal);
    } catch (error) {
      if (error instanceof Interrupt) throw error;
      throw new WorktreeNotCreated(faultOf(error));
    }
  }

  /** The existing worktrees, with their sessions. Completes what a process that died could not. */
  async list(signal: AbortSignal): Promise<FoundWorktree[]> {
    const { host, store } = this.#deps;
    const folder = host.workspace.root;
    if (folder === undefined || !host.worktrees) return [];
    const existing = await host.worktrees.list(folder, signal);
    const sessions = await store.list();
    return existing.map((worktree) => {
      const session = sessions.find((each) => each.worktree?.path === worktree.path);
      return session ? { worktree, session } : { worktree };
    });
  }

  /** undefined: the worktree no longer exists. */
  state(worktree: Worktree, signal: AbortSignal): Promise<WorktreeState | undefined> {
    return this.#port().state(worktree, signal);
  }

  diff(worktree: Worktree, signal: AbortSignal): Promise<string> {
    return this.#port().diff(worktree, signal);
  }

  /** Commits everything that is not ignored, and merges the branch into what is checked out in the project's folder. */
  async merge(worktree: Worktree, message: string, signal: AbortSignal): Promise<Merged> {
    const folder = this.#deps.host.workspace.root;
    if (folder === undefined) throw new ToolError("No folder is open.", reasonOf("not-in-repository"));
    return this.#alone(worktree, async () => {
      await this.#port().commit(worktree, `${message}\n`, signal);
      return this.#port().merge(worktree, folder, signal);
    });
  }

  /** Commits everything that is not ignored, so that the branch contains it. */
  async commit(worktree: Worktree, message: string, signal: AbortSignal): Promise<void> {
    await this.#alone(worktree, () => this.#port().commit(worktree, `${message}\n`, signal));
  }

  /**
   * Removes the worktree; its sessions continue in the project's folder. Returns what would be lost and is not in `losing`; then
   * nothing is removed. A worktree that no longer exists counts as removed.
   */
  async remove(
    worktree: Worktree,
    how: { losing: readonly string[]; branch: "keep" | "delete" },
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const { store, use } = this.#deps;
    const lost = await this.#alone(worktree, () => this.#port().remove(worktree, how, signal));
    if (lost.length > 0) return lost;
    await use.forget(worktree);
    for (const { id, worktree: own } of await store.list())
      if (own?.path === worktree.path) await store.update(id, { worktree: null });
    return [];
  }

  /** Rejects with WorktreeUnavailable while something else works in the worktree, or another process has it open. */
  async #alone<T>(worktree: Worktree, work: () => Promise<T>): Promise<T> {
    const { use, all } = this.#deps;
    const isIn = ({ transcript }: Session) =>
      transcript.worktree !== "unreadable" && transcript.worktree?.path === worktree.path;
    const isBusy = all().some((session) => session.busy && isIn(session));
    // Two reviews of this process exclude each other like two sessions.
    const review = `${REVIEW} ${++this.#reviews}`;
    if (isBusy || !(await use.take(worktree, review, false)))
      throw new WorktreeUnavailable("worktree-in-use", worktree.branch);
    try {
      use.begin(worktree, review);
      return await work();
    } finally {
      use.end(worktree, review);
      await use.leave(worktree, review);
    }
  }

  #port(): Worktrees {
    const { worktrees } = this.#deps.host;
    if (!worktrees) throw new ToolError("There are no worktrees here.", reasonOf("git-missing"));
    return worktrees;
  }
}

/** The values of the notice `worktree-begun`. */
export function begunValues({ worktree, uncommitted, incomplete }: NewlyCreated): string[] {
  return [worktree.branch, String(uncommitted.length), ...incomplete.flatMap(({ path, why }) => [path, why])];
}
