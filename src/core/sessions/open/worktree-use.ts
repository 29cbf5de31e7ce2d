/**
 * Which sessions are open in which worktree. Several sessions can belong to one, because a branch of a conversation continues
 * where the conversation worked; one process at a time has it open, and one session at a time works in it.
 */
import type { Worktree } from "../../../shared/history/worktree.ts";
import type { Log } from "../../ports/system.ts";
import type { SessionStore } from "../session-store.ts";
import { tryClaim } from "./claims.ts";

/** Why a session cannot work in its worktree. */
export class WorktreeUnavailable extends Error {
  override name = "WorktreeUnavailable";

  /** `branch`: "" if it is not known. */
  constructor(
    readonly code: "worktree-gone" | "worktree-in-use",
    readonly branch: string,
  ) {
    super(`${code}: ${branch}`);
  }
}

export class WorktreeUse {
  readonly #store: SessionStore;
  readonly #log: Log;
  /** By the worktree's path, the ids of the sessions that are open in it. */
  readonly #open = new Map<string, Set<string>>();
  /** By the worktree's path, the session that works in it. */
  readonly #working = new Map<string, string>();

  constructor(store: SessionStore, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** False: another process has a session open in it, and `takeOver` is not set. */
  async take({ path }: Worktree, session: string, takeOver: boolean): Promise<boolean> {
    if (!(await tryClaim(this.#store, this.#log, claimOf(path), takeOver))) return false;
    const open = this.#open.get(path) ?? new Set();
    this.#open.set(path, open.add(session));
    return true;
  }

  async leave({ path }: Worktree, session: string): Promise<void> {
    const open = this.#open.get(path);
    if (!open?.delete(session) || open.size > 0) return;
    this.#open.delete(path);
    await this.#store.release(claimOf(path));
  }

  /** The worktree no longer exists; another one may get its name. */
  async forget({ path }: Worktree): Promise<void> {
    if (this.#open.delete(path)) await this.#store.release(claimOf(path));
  }

  /** This process has no session open any more. */
  async dispose(): Promise<void> {
    const paths = [...this.#open.keys()];
    this.#open.clear();
    for (const path of paths) await this.#store.release(claimOf(path));
  }

  /** Throws WorktreeUnavailable if another session works in it. */
  begin({ path, branch }: Worktree, session: string): void {
    const working = this.#working.get(path);
    if (working !== undefined && working !== session)
      throw new WorktreeUnavailable("worktree-in-use", branch);
    this.#working.set(path, session);
  }

  end({ path }: Worktree, session: string): void {
    if (this.#working.get(path) === session) this.#working.delete(path);
  }
}

/** The name under which a process claims a worktree. No session has such an id. */
export function claimOf(path: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? "";
  return `worktree ${name}`;
}
