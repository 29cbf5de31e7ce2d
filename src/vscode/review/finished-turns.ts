/**
 * Follows the turns that end in this window, and those whose changes the window showed when it was closed, and loads what shows their
 * changes with the first one that changed files.
 */

import type { SessionCheckpoints } from "../../core/checkpoints/checkpoints.ts";
import type { Disposable } from "../../core/lifecycle.ts";
import type { CheckpointView, TaskEvent } from "../../shared/event.ts";

interface Shown {
  update(session: string, checkpoint: CheckpointView): Promise<void>;
}

interface OpenSession {
  readonly id: string;
  readonly checkpoints: Pick<SessionCheckpoints, "settled" | "views">;
}

export interface FinishedTurnsDeps {
  onEvent(listener: (event: TaskEvent) => void): Disposable;
  /** The open sessions. */
  sessions(): readonly OpenSession[];
  /** The turns whose changes were shown when the window was closed. */
  saved: readonly { session: string; mark: string }[];
  shown(): Promise<Shown>;
}

/** What is known of a session that worked in this window, or whose last turn is shown again. */
interface Followed {
  isIdle: boolean;
  /** What was reported of turns while one ran, by their messages. It is shown when that one has ended. */
  waiting: Map<string, CheckpointView>;
}

export function followFinishedTurns({ onEvent, sessions, saved, shown }: FinishedTurnsDeps): Disposable {
  const followed = new Map<string, Followed>();
  /** The turns to show again once their sessions are open. */
  const marks = new Map(saved.map(({ session, mark }) => [session, mark]));
  const show = async (session: string, turn: CheckpointView) => (await shown()).update(session, turn);

  /** The checkpoints of a session are read after it is open, and report only those of rows that the panel has. */
  const showAgain = async (id: string) => {
    const mark = marks.get(id);
    const session = sessions().find((each) => each.id === id);
    if (mark === undefined || !session) return;
    marks.delete(id);
    await session.checkpoints.settled();
    const turn = session.checkpoints.views().find((view) => view.kind === "message" && view.id === mark);
    if (!turn) return;
    if (!followed.has(id)) followed.set(id, { isIdle: true, waiting: new Map() });
    await show(id, turn);
  };

  const following = onEvent((event) => {
    const known = followed.get(event.session);
    // Deferred, so that the session's checkpoints handle the event first.
    if (event.type === "session") queueMicrotask(() => void showAgain(event.session));
    else if (event.type === "status") {
      const isIdle = event.status === "idle";
      // Checkpoints of sessions that are only opened are those of earlier times.
      if (!known) {
        if (!isIdle) followed.set(event.session, { isIdle, waiting: new Map() });
        return;
      }
      known.isIdle = isIdle;
      if (!isIdle) return;
      for (const turn of known.waiting.values()) void show(event.session, turn);
      known.waiting.clear();
    } else if (event.type === "checkpoint" && event.checkpoint.kind === "message" && known) {
      if (known.isIdle) void show(event.session, event.checkpoint);
      else known.waiting.set(event.checkpoint.id, event.checkpoint);
    }
  });
  for (const { id } of sessions()) void showAgain(id);
  return following;
}
