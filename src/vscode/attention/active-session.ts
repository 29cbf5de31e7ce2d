/** Follows the active session among all sessions that are working. */
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { TaskEvent } from "../../shared/event.ts";

export interface ActiveAgent {
  /** The active session. */
  readonly sessionId: string;
  readonly onEvent: (listener: (event: TaskEvent) => void) => Disposable;
  readonly onSwitched: (listener: () => void) => Disposable;
}

/**
 * Calls `listener` with each event of the active session, and with "switched" when another session that was already open
 * becomes active, whose state is then known without events.
 */
export function followActive(
  agent: ActiveAgent,
  listener: (event: TaskEvent | { type: "switched" }) => void,
): Disposable {
  const store = new DisposableStore();
  store.add(
    agent.onEvent((event) => {
      if (event.session === agent.sessionId) listener(event);
    }),
  );
  store.add(agent.onSwitched(() => listener({ type: "switched" })));
  return store;
}
