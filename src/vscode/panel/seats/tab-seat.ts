/** The seat of an editor tab: a session of its own beside the side bar's. */
import * as vscode from "vscode";
import type { TaskManager } from "../../../core/agent/manager.ts";
import type { Disposable } from "../../../core/lifecycle.ts";
import type { Log } from "../../../core/ports/system.ts";
import type { Drafts } from "../drafts.ts";
import { keepShown } from "./open-work.ts";
import type { TabStart, Taken } from "./seat.ts";

/** What the tabs of a window share. */
export interface TabParts {
  /** The side bar's seat. */
  agent: TaskManager;
  drafts: Drafts;
  /** `left`: to be called when the user has left the seat's last session. */
  follow(agent: TaskManager): Disposable & { left(): void };
  log: Log;
}

/** Rejects only if nothing can be shown: a session that cannot be opened is reported, and the tab shows a new one. */
export async function takeTab(
  { id, session, from }: TabStart,
  { agent: first, drafts: windows, follow, log }: TabParts,
): Promise<Taken> {
  const drafts = await windows.tab(id);
  const closed = session === "" ? undefined : await windows.closedTab(session);
  const before = from && !from.drafts.isEmpty ? from.drafts.current : closed?.draft;
  if (before && drafts.isEmpty) drafts.keep(before);
  await drafts.flush();
  await closed?.forget();
  const agent = first.another();
  const missing = session === "" ? undefined : await open(agent, session, log);
  const following = follow(agent);
  const keeping = keepShown(agent, (shown) =>
    windows.keepTab({ id, session: shown || (missing ?? ""), open: true }),
  );
  return {
    agent,
    drafts,
    missing: missing !== undefined,
    async close() {
      keeping.dispose();
      await agent.dispose({ keep: true });
      following.left();
      following.dispose();
      await windows.closeTab(id, drafts);
    },
  };
}

/** Returns undefined, or the session that the tab should show after the next reload because it could not be opened now; "": none. */
async function open(agent: TaskManager, session: string, log: Log): Promise<string | undefined> {
  try {
    const { elsewhere } = await agent.open(session, { keep: true });
    if (!elsewhere) return undefined;
    const stored = (await agent.history()).find(({ id }) => id === session);
    void vscode.window.showInformationMessage(
      vscode.l10n.t("“{0}” is open in another window or terminal.", stored?.title ?? ""),
    );
    return session;
  } catch (error) {
    log.error(`the task ${session} could not be shown in its tab`, error);
    return "";
  }
}
