/** The view of an editor tab: a session of its own beside the side bar's. */
import * as vscode from "vscode";
import type { Project } from "../../../core/agent/project.ts";
import type { View } from "../../../core/agent/view.ts";
import type { Disposable } from "../../../core/lifecycle.ts";
import type { Log } from "../../../core/ports/system.ts";
import type { Drafts } from "../drafts.ts";
import type { ProjectView } from "../requests/context.ts";
import { keepShown } from "./open-work.ts";
import type { OpenView, TabStart } from "./panel-view.ts";

/** What the tabs of a window share. */
export interface TabParts {
  project: Project;
  drafts: Drafts;
  /** `left` must be called when the user has left the view's last session. */
  follow(view: View): Disposable & { left(): void };
  log: Log;
}

/** Rejects only if no session can be shown. If just this session cannot be opened, the user is informed and gets a new one. */
export async function openTabView(
  { id, session, from }: TabStart,
  { project, drafts: windows, follow, log }: TabParts,
): Promise<OpenView> {
  const drafts = await windows.tab(id);
  const closed = session === "" ? undefined : await windows.closedTab(session);
  const before = from && !from.drafts.isEmpty ? from.drafts.current : closed?.draft;
  if (before && drafts.isEmpty) drafts.keep(before);
  await drafts.flush();
  await closed?.forget();
  const view = project.newView();
  const missing = session === "" ? undefined : await open({ project, view }, session, log);
  const following = follow(view);
  const keeping = keepShown(view, (shown) =>
    windows.keepTab({ id, session: shown || (missing ?? ""), open: true }),
  );
  return {
    project,
    view,
    drafts,
    missing: missing !== undefined,
    async close() {
      keeping.dispose();
      await view.dispose({ keep: true });
      following.left();
      following.dispose();
      await windows.closeTab(id, drafts);
    },
  };
}

/**
 * Returns undefined if the session was opened. Otherwise returns the id of the session that the tab should show after the next
 * reload; "": none.
 */
async function open({ project, view }: ProjectView, session: string, log: Log): Promise<string | undefined> {
  try {
    const { elsewhere } = await view.open(session, { keep: true });
    if (!elsewhere) return undefined;
    const stored = (await project.history()).find(({ id }) => id === session);
    void vscode.window.showInformationMessage(
      vscode.l10n.t("“{0}” is open in another window or terminal.", stored?.title ?? ""),
    );
    return session;
  } catch (error) {
    log.error(`the task ${session} could not be shown in its tab`, error);
    return "";
  }
}
