/** A place that shows the panel, the view in a side bar or an editor tab, with a session and an unsent text of its own. */
import type { LazyService } from "../../lazy-service.ts";
import type { Drafts } from "../drafts.ts";
import type { ProjectView } from "../requests/context.ts";

/** What a place has once the agent runs. */
export interface Taken extends ProjectView {
  drafts: Drafts;
  /** The session that it was to show could not be opened, which the user knows. */
  missing?: boolean;
  /** The place is gone. A task that works keeps working. */
  close(): Promise<void>;
}

export type Seat = LazyService<Taken>;

/** An editor tab, before the agent runs. */
export interface TabStart {
  /** Identifies the tab over reloads. */
  id: string;
  /** The session to show: an id; "": a new one. */
  session: string;
  /** The place whose unsent text the tab begins with. */
  from?: Taken | undefined;
}

/** The seat's session, as far as it is known. */
export function sessionAt(seat: Seat): string | undefined {
  return seat.current?.view.active.id;
}
