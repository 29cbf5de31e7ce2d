/** Connects a session to its checkpoints: marks messages as restore points and reports checkpoints as rows. */
import type { TaskEvent } from "../../shared/event.ts";
import { type Message, toolCalls } from "../../shared/message.ts";
import { type ChatView, rowsOf } from "../../shared/view/reducer.ts";
import type { Checkpoints, SessionCheckpoints } from "../checkpoints/checkpoints.ts";
import { type Disposable, DisposableStore } from "../lifecycle.ts";
import type { ForkPoint, Transcript } from "../loop/transcript.ts";
import type { Log } from "../ports/system.ts";
import type { FileWriters } from "../tools/editing/file-writers.ts";

export interface CheckpointLinkDeps {
  checkpoints: Checkpoints;
  transcript: Transcript;
  /** The session's current view. */
  view(): ChatView;
  onEvent(listener: (event: TaskEvent) => void): Disposable;
  log: Log;
  /** Records which tasks of the project wrote files. What a command changed is known only from its checkpoint. */
  writers?: FileWriters | undefined;
}

/** Whether this is a part of an answer that the model is writing. */
const isOfAnswer = ({ type }: TaskEvent): boolean => type === "delta" || type === "call";

export class CheckpointLink implements Disposable {
  readonly #deps: CheckpointLinkDeps;
  readonly #store = new DisposableStore();
  /** The session's own checkpoints. */
  readonly own: SessionCheckpoints;
  #isRead = false;
  #hasCalls = false;
  /** Whether the model answers the results of calls. */
  #answersResults = false;

  constructor(deps: CheckpointLinkDeps) {
    const { checkpoints, transcript, onEvent, writers } = deps;
    this.#deps = deps;
    this.own = checkpoints.session(transcript.id, () => this.#lastRow());
    this.#store.add(
      onEvent((event) => {
        if (event.type === "session") this.#open();
        // Deferred, so that other listeners handle the event first.
        if (event.type === "earlier") queueMicrotask(() => this.#report());
        if (event.type === "request") this.#answersResults = this.#hasCalls;
        if (event.type === "approval" || (isOfAnswer(event) && this.#answersResults))
          this.own.expectChanges();
      }),
    );
    this.#store.add(transcript.onAppended((message) => this.#mark(message)));
    const writer = writers?.of(transcript.id, () => transcript.title);
    this.#store.add(
      this.own.onCommandChanged((paths) => {
        for (const path of paths) writer?.wrote(path);
      }),
    );
    this.#store.add(this.own.onView((checkpoint) => transcript.emit({ type: "checkpoint", checkpoint })));
  }

  /** Copies the checkpoints of the session that this one branches from. */
  async forked({ from, messageId }: ForkPoint): Promise<void> {
    // Imported sessions have none.
    if (messageId === undefined) return;
    await this.#deps.checkpoints.fork(from, this.own.id, messageId);
    this.#isRead = true;
    this.#report();
  }

  dispose(): void {
    this.#store.dispose();
    void this.#deps.checkpoints.release(this.own);
  }

  #open(): void {
    const { transcript, log } = this.#deps;
    if (!transcript.isStored) return;
    this.own
      .open()
      .then(() => {
        this.#isRead = true;
        this.#report();
      })
      .catch((error: unknown) => log.error("the checkpoints of the session cannot be read", error));
  }

  /** Reports checkpoints of rows in the view that have not been reported yet. */
  #report(): void {
    if (!this.#isRead || this.#deps.transcript.closed) return;
    const view = this.#deps.view();
    const known = new Set<string>();
    const ids = new Set<string>();
    for (const row of rowsOf(view)) {
      ids.add(row.id);
      const shown = row.kind === "call" || row.kind === "checkpoint" ? row.checkpoint : undefined;
      if (shown) known.add(shown.id);
    }
    const isWhole = view.earlier === 0;
    for (const checkpoint of this.own.views()) {
      if (known.has(checkpoint.id) || !(isWhole || ids.has(checkpoint.at))) continue;
      this.#deps.transcript.emit({ type: "checkpoint", checkpoint });
    }
  }

  #mark(message: Message): void {
    if (message.display !== undefined) this.own.mark(message.id);
    if (toolCalls(message).length > 0) this.#hasCalls = true;
  }

  /** The row under which a restore is shown, even after the session is reopened. */
  #lastRow(): string {
    const lasting = rowsOf(this.#deps.view()).findLast(
      ({ kind }) => kind !== "notice" && kind !== "error" && kind !== "checkpoint",
    );
    return lasting?.id ?? "";
  }
}
