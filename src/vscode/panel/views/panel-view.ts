/**
 * The views of the panel in VS Code: one in the side bar and one in each editor tab. Each has its own session and unsent
 * text.
 */
import type { LazyService } from "../../lazy-service.ts";
import type { Drafts } from "../drafts.ts";
import type { ProjectView } from "../requests/context.ts";

/** A view of the panel, with its draft, once the project is open. */
export interface OpenView extends ProjectView {
  drafts: Drafts;
  /** The session that the view should show could not be opened, and the user was informed. */
  missing?: boolean;
  /** Must be called when the side bar or the tab no longer exists. A task that works keeps working. */
  close(): Promise<void>;
}

/** A view whose project is opened on first use. */
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

/** The id of the view's session; undefined until the view is open. */
export function sessionAt(panelView: PanelView): string | undefined {
  return panelView.current?.view.active.id;
}
