/** What a window keeps over a reload: the session that each place shows, and the messages in the queues of all tasks. */
import type { TaskManager } from "../../../core/agent/manager.ts";
import { type Disposable, DisposableStore } from "../../../core/lifecycle.ts";
import { followActive } from "../../attention/active-session.ts";
import type { Drafts } from "../drafts.ts";

/** Restores what the previous window had open. */
export async function restoreOpenWork(agent: TaskManager, drafts: Drafts): Promise<void> {
  const inTabs = new Set(drafts.tabs.flatMap(({ session, open }) => (open ? [session] : [])));
  const reopening = await agent.restore(drafts.shown, (id) => ({
    queued: drafts.takeQueue(id).map(({ text, images }) => ({ text, images: [...images] })),
    seen: inTabs.has(id),
  }));
  drafts.reopening(reopening);
}

/** Keeps the queues, and what the side bar shows. */
export function keepOpenWork(agent: TaskManager, drafts: Drafts): Disposable {
  const store = new DisposableStore();
  store.add(keepShown(agent, (session) => drafts.keepShown(session)));
  store.add(
    agent.onEvent(({ type }) => {
      if (type !== "queue") return;
      const all = agent.together.all.flatMap(({ id, queue }) =>
        queue.waiting.map(({ text, images }) => ({ text, images, session: id })),
      );
      drafts.keepQueue(all);
    }),
  );
  return store;
}

/** Calls `keep` with the id of the session that a place shows, now and whenever that changes; "" for a task without a message. */
export function keepShown(agent: TaskManager, keep: (session: string) => void): Disposable {
  const showing = () => keep(agent.view.session?.id ?? "");
  showing();
  return followActive(agent, ({ type }) => {
    if (type === "session" || type === "switched") showing();
  });
}
