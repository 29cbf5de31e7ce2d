/** The views of the panel in VS Code: in the side bar and in each editor tab, with a session and an unsent text of their own. */
import type { LazyService } from "../../lazy-service.ts";
import type { Drafts } from "../drafts.ts";
import type { ProjectView } from "../requests/context.ts";

/** A view of the panel, with its draft, once the project is open. */
export interface OpenView extends ProjectView {
  drafts: Drafts;
  /** The session that it was to show could not be opened, which the user knows. */
  missing?: boolean;
  /** The side bar or the tab is gone. A task that works keeps working. */
  close(): Promise<void>;
}

/** The same from the beginning: the project is opened on first use. */
export type PanelView = LazyService<OpenView>;

/** An editor tab, before its view is open. */
export interface TabStart {
  /** Identifies the tab over reloads. */
  id: string;
  /** The session to show: an id; "": a new one. */
  session: string;
  /** The view whose unsent text the tab begins with. */
  from?: OpenView | undefined;
}

/** The view's session, as far as it is known. */
export function sessionAt(panelView: PanelView): string | undefined {
  return panelView.current?.view.active.id;
}
