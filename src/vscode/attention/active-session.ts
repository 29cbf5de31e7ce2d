/** Follows the session that the panel shows, among all that work. */
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { TaskEvent } from "../../shared/event.ts";

export interface ActiveAgent {
  /** The active session. */
  readonly sessionId: string;
  readonly onEvent: (listener: (event: TaskEvent) => void) => Disposable;
  readonly onSwitched: (listener: () => void) => Disposable;
}

/**
 * Calls `listener` with each event of the active session, and with "switched" when another session becomes active that was open
 * already: its state is then known without events.
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
