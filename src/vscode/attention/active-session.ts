/** Follows the active session among all sessions that are working. */
import type { View } from "../../core/agent/view.ts";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { TaskEvent } from "../../shared/event.ts";

/** The part of a view that is needed to follow its active session. */
export type ActiveView = Pick<View, "onEvent" | "onSwitched">;

/**
 * Calls `listener` with each event of the active session, and with "switched" when a session that was already open becomes
 * active, because no events report the state of such a session.
 */
export function followActive(
  view: ActiveView,
  listener: (event: TaskEvent | { type: "switched" }) => void,
): Disposable {
  const store = new DisposableStore();
  store.add(view.onEvent(listener));
  store.add(view.onSwitched(() => listener({ type: "switched" })));
  return store;
}
