/**
 * Determines which files that an answer names do not exist. The panel asks the host when the task is idle, for all names on the
 * page at once.
 */
import { useEffect, useSyncExternalStore } from "react";
import { MAX_ANSWER_FILES } from "../../src/shared/view/answer-protocol.ts";
import type { Actions } from "../actions.ts";
import { usePanel, useView } from "../panel.ts";

/** The paths that the host does not know, as of the latest answer. */
const missing = new Set<string>();
const queued = new Set<string>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function ask(path: string, actions: Actions): void {
  // All names on the page are added before the microtask runs.
  if (queued.size === 0) queueMicrotask(() => void askAll(actions));
  queued.add(path);
}

async function askAll(actions: Actions): Promise<void> {
  const paths = [...queued].slice(0, MAX_ANSWER_FILES);
  queued.clear();
  const answer = await actions.quietly("answer/missing", { paths });
  if (!answer) return;
  for (const path of paths) missing.delete(path);
  for (const path of answer.missing) missing.add(path);
  for (const listener of listeners) listener();
}

/** False once the host says that there is no such file. */
export function useExists(path: string): boolean {
  const { actions } = usePanel();
  const isIdle = useView((view) => view.status === "idle");
  useEffect(() => {
    if (isIdle) ask(path, actions);
  }, [isIdle, path, actions]);
  return useSyncExternalStore(subscribe, () => !missing.has(path));
}
