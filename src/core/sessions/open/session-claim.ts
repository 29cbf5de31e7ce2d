/** Claims everything that a process needs to work on a session: the session, and its worktree. */
import type { Worktree } from "../../../shared/history/worktree.ts";
import type { Log } from "../../ports/system.ts";
import type { SessionStore } from "../session-store.ts";
import { tryClaim } from "./claims.ts";
import type { WorktreeUse } from "./worktree-use.ts";

export interface ClaimDeps {
  store: SessionStore;
  host: { log: Log };
  /** Which sessions are open in which worktree. Default: none is shared. */
  worktreeUse?: WorktreeUse | undefined;
}

export class SessionClaim {
  readonly #deps: ClaimDeps;
  readonly #id: string;
  readonly #worktree: Worktree | undefined;

  constructor(deps: ClaimDeps, { id, worktree }: { id: string; worktree?: Worktree | "unreadable" }) {
    this.#deps = deps;
    this.#id = id;
    this.#worktree = worktree === "unreadable" ? undefined : worktree;
  }

  /** The worktree as it is stored and reported. */
  get place(): { worktree?: Worktree } {
    return this.#worktree ? { worktree: this.#worktree } : {};
  }

  /** False: another process works on the session or in its worktree, and `takeOver` is not set. */
  async tryTake(takeOver: boolean): Promise<boolean> {
    const { store, host } = this.#deps;
    if (store.readOnly) return true;
    if (!(await tryClaim(store, host.log, this.#id, takeOver))) return false;
    if (await this.#takeWorktree(takeOver)) return true;
    await store.release(this.#id);
    return false;
  }

  /** For a session that is new. */
  async take(): Promise<void> {
    await this.#deps.store.claim(this.#id);
    await this.#takeWorktree(false);
  }

  async release(): Promise<void> {
    await this.#deps.store.release(this.#id);
    if (this.#worktree) await this.#deps.worktreeUse?.leave(this.#worktree, this.#id);
  }

  async #takeWorktree(takeOver: boolean): Promise<boolean> {
    const { worktreeUse } = this.#deps;
    if (!this.#worktree || !worktreeUse) return true;
    return worktreeUse.take(this.#worktree, this.#id, takeOver);
  }
}
