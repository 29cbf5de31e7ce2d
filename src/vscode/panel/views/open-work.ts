/** Restores after a reload which session the side bar showed, and the messages in the queues of all tasks. */
import type { Project } from "../../../core/agent/project.ts";
import type { View } from "../../../core/agent/view.ts";
import { type Disposable, DisposableStore } from "../../../core/lifecycle.ts";
import { followActive } from "../../attention/active-session.ts";
import type { Drafts } from "../drafts.ts";

/** Restores what the previous window had open. */
export async function restoreOpenWork(project: Project, drafts: Drafts): Promise<void> {
  const inTabs = new Set(drafts.tabs.flatMap(({ session, open }) => (open ? [session] : [])));
  const reopening = await project.restore(drafts.shown, (id) => ({
    queued: drafts.takeQueue(id).map(({ text, images }) => ({ text, images: [...images] })),
    seen: inTabs.has(id),
  }));
  drafts.reopening(reopening);
}

/** Stores the queues and the session that the side bar shows, whenever they change. */
export function keepOpenWork(project: Project, drafts: Drafts): Disposable {
  const store = new DisposableStore();
  store.add(keepShown(project.view, (session) => drafts.keepShown(session)));
  store.add(
    project.onEvent(({ type }) => {
      if (type !== "queue") return;
      const all = project.sessions.flatMap(({ id, queue }) =>
        queue.waiting.map(({ text, images }) => ({ text, images, session: id })),
      );
      drafts.keepQueue(all);
    }),
  );
  return store;
}

/** Calls `keep` with the id of the view's active session, now and whenever that changes; "" for a task without a message. */
export function keepShown(view: View, keep: (session: string) => void): Disposable {
  const showing = () => keep(view.active.chatView.session?.id ?? "");
  showing();
  return followActive(view, ({ type }) => {
    if (type === "session" || type === "switched") showing();
  });
}
