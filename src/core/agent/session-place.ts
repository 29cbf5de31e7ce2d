/** The folder that a session works in. Nothing runs in a session whose worktree is gone or is in use by another session. */
import type { NoticeCode } from "../../shared/event.ts";
import type { Transcript } from "../loop/transcript.ts";
import type { Host } from "../ports/host.ts";
import { SessionTakenOver } from "../sessions/open/claims.ts";
import { WorktreeUnavailable, type WorktreeUse } from "../sessions/open/worktree-use.ts";

export interface SessionPlaceDeps {
  /** The host in the session's folder. */
  host: Pick<Host, "files">;
  worktreeUse?: WorktreeUse;
}

interface PlacedSession {
  readonly transcript: Pick<Transcript, "id" | "worktree">;
  notice(code: NoticeCode, values?: string[]): void;
}

export class SessionPlace {
  readonly #deps: SessionPlaceDeps;
  readonly #session: PlacedSession;

  constructor(deps: SessionPlaceDeps, session: PlacedSession) {
    this.#deps = deps;
    this.#session = session;
  }

  /** Whether nothing can run; the user is told why. */
  async isUnavailable(): Promise<boolean> {
    const fault = await this.#fault();
    if (fault) this.#report(fault);
    return fault !== undefined;
  }

  /** Runs `first` if the session may work in its folder. Rejects with WorktreeUnavailable, or as `first` does. */
  async enter(first: () => Promise<void>): Promise<void> {
    try {
      // Without a worktree, nothing delays `first`.
      if (this.#session.transcript.worktree !== undefined) await this.#begin();
      await first();
    } catch (error) {
      this.#report(error);
      throw error;
    }
  }

  /** Call when the work that `enter` began is over. */
  leave(): void {
    const { worktree, id } = this.#session.transcript;
    if (worktree !== undefined && worktree !== "unreadable") this.#deps.worktreeUse?.end(worktree, id);
  }

  async #begin(): Promise<void> {
    const fault = await this.#fault();
    if (fault) throw fault;
    const { worktree, id } = this.#session.transcript;
    if (worktree !== undefined && worktree !== "unreadable") this.#deps.worktreeUse?.begin(worktree, id);
  }

  async #fault(): Promise<WorktreeUnavailable | undefined> {
    const { worktree } = this.#session.transcript;
    if (worktree === undefined) return undefined;
    if (worktree === "unreadable") return new WorktreeUnavailable("worktree-gone", "");
    const stat = await this.#deps.host.files.stat(worktree.root);
    return stat?.kind === "directory" ? undefined : new WorktreeUnavailable("worktree-gone", worktree.branch);
  }

  #report(error: unknown): void {
    if (error instanceof SessionTakenOver) this.#session.notice("taken-over");
    if (error instanceof WorktreeUnavailable) this.#session.notice(error.code, [error.branch]);
  }
}
