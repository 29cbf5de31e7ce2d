/** Shows the commands in the background, of all sessions, in the active session of a seat. */
import type { TaskEvent } from "../../../shared/event.ts";
import type { Disposable } from "../../lifecycle.ts";
import type { BackgroundCommands } from "../../loop/calls/background-list.ts";
import type { SessionSwitcher } from "../session-switcher.ts";

export function shareBackground(
  background: BackgroundCommands,
  seat: SessionSwitcher,
  onEvent: (listener: (event: TaskEvent) => void) => Disposable,
): Disposable[] {
  const share = () => seat.active.emit({ type: "background", commands: [...background.all] });
  return [
    background.onChange(share),
    seat.onSwitched(share),
    onEvent(({ type, session }) => {
      if (type === "session" && session === seat.active.id && background.all.length > 0) share();
    }),
  ];
}
