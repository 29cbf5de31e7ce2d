/** Follows the active session among all sessions that are working. */
import type { View } from "../../core/agent/view.ts";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { TaskEvent } from "../../shared/event.ts";

/** A view, as far as following its active session needs it. */
export type ActiveView = Pick<View, "onEvent" | "onSwitched">;

/**
 * Calls `listener` with each event of the active session, and with "switched" when another session that was already open
 * becomes active, whose state is then known without events.
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
