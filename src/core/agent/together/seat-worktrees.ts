/** What the user does with worktrees at one seat: begins a task in one, reviews it, and ends it. */
import type { Worktree } from "../../../shared/history/worktree.ts";
import type { Merged, WorktreeState } from "../../ports/worktrees.ts";
import type { Images } from "../session.ts";
import type { SessionSwitcher } from "../session-switcher.ts";
import { titleOf } from "../user-input.ts";
import { begunValues, type FoundWorktree, type WorktreeTasks } from "./worktree-tasks.ts";

export class SeatWorktrees {
  readonly #tasks: WorktreeTasks;
  readonly #switcher: SessionSwitcher;

  constructor(tasks: WorktreeTasks, switcher: SessionSwitcher) {
    this.#tasks = tasks;
    this.#switcher = switcher;
  }

  /** Whether tasks can begin in worktrees here. */
  get areOffered(): boolean {
    return this.#tasks.areOffered;
  }

  /**
   * Sends the first message of a task in a worktree of its own, which is named after it. Rejects with WorktreeNotCreated, or as
   * `Session.send` does; the message was then not sent.
   */
  async send(text: string, images: Images = []): Promise<{ queued: boolean }> {
    const created = await this.#switcher.inWorktree((signal) => this.#tasks.create(titleOf(text), signal));
    const session = await this.#switcher.settled();
    const sent = await session.send(text, images);
    if (created) session.notice("worktree-begun", begunValues(created));
    return sent;
  }

  /** Decides where the active session begins, while it has no message. */
  async setBegins(on: boolean): Promise<void> {
    const session = await this.#switcher.settled();
    if (!session.transcript.isStored && session.transcript.worktree === undefined)
      session.emit({ type: "begins-in-worktree", on });
  }

  /** Sends a message; the first one of a session that begins in a worktree as `send` does. */
  async deliver(text: string, images: Images): Promise<{ queued: boolean }> {
    const session = await this.#switcher.settled();
    const begins = session.view.beginsInWorktree === true && !session.transcript.isStored;
    return begins ? this.send(text, images) : session.send(text, images);
  }

  /** See `WorktreeTasks`. */
  list(signal: AbortSignal): Promise<FoundWorktree[]> {
    return this.#tasks.list(signal);
  }

  state(worktree: Worktree, signal: AbortSignal): Promise<WorktreeState | undefined> {
    return this.#tasks.state(worktree, signal);
  }

  diff(worktree: Worktree, signal: AbortSignal): Promise<string> {
    return this.#tasks.diff(worktree, signal);
  }

  merge(worktree: Worktree, message: string, signal: AbortSignal): Promise<Merged> {
    return this.#tasks.merge(worktree, message, signal);
  }

  commit(worktree: Worktree, message: string, signal: AbortSignal): Promise<void> {
    return this.#tasks.commit(worktree, message, signal);
  }

  /** See `WorktreeTasks.remove`. The active session is shown anew if it worked there. */
  async remove(
    worktree: Worktree,
    how: { losing: readonly string[]; branch: "keep" | "delete" },
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const lost = await this.#tasks.remove(worktree, how, signal);
    const { transcript, id } = this.#switcher.active;
    const { worktree: own, isStored } = transcript;
    const wasHere = own !== undefined && own !== "unreadable" && own.path === worktree.path;
    if (lost.length > 0 || !wasHere) return lost;
    // It has no message yet, or it goes on in the project's folder.
    await (isStored ? this.#switcher.open(id, { takeOver: true }) : this.#switcher.newTask());
    return lost;
  }
}
