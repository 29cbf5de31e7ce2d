/** Follows the turns that end in this window, and loads what shows their changes with the first one that changed files. */

import type { Disposable } from "../../core/lifecycle.ts";
import type { CheckpointView, TaskEvent } from "../../shared/event.ts";

interface Shown {
  update(session: string, checkpoint: CheckpointView): Promise<void>;
}

/** What is known of a session that worked in this window. */
interface Worked {
  isIdle: boolean;
  /** What was reported of turns while one ran, by their messages. It is shown when that one has ended. */
  waiting: Map<string, CheckpointView>;
}

export function followFinishedTurns(
  onEvent: (listener: (event: TaskEvent) => void) => Disposable,
  shown: () => Promise<Shown>,
): Disposable {
  const sessions = new Map<string, Worked>();
  const show = async (session: string, turn: CheckpointView) => (await shown()).update(session, turn);
  return onEvent((event) => {
    const worked = sessions.get(event.session);
    if (event.type === "status") {
      const isIdle = event.status === "idle";
      // Checkpoints of sessions that are only opened are those of earlier times.
      if (!worked) {
        if (!isIdle) sessions.set(event.session, { isIdle, waiting: new Map() });
        return;
      }
      worked.isIdle = isIdle;
      if (!isIdle) return;
      for (const turn of worked.waiting.values()) void show(event.session, turn);
      worked.waiting.clear();
    } else if (event.type === "checkpoint" && event.checkpoint.kind === "message" && worked) {
      if (worked.isIdle) void show(event.session, event.checkpoint);
      else worked.waiting.set(event.checkpoint.id, event.checkpoint);
    }
  });
}
