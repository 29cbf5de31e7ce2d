/** Whether environment details say what the model has not received yet: they stay in every later request of the task. */
import { CURRENT_FILE, type EnvironmentDetails, MODIFIED, RUNNING, TIME, USAGE } from "./environment.ts";
import { NEW_OUTPUT } from "./terminals.ts";

/** Milliseconds after which the time is news, and the share of the context window that is. */
const TIME_STEP = 5 * 60_000;
const USAGE_STEP = 0.05;

/** How long a command has been running. */
const RUNNING_FOR = /\(running for [^()]*\)/g;

/** `before`: what the model received last. */
export function hasNews(before: EnvironmentDetails, now: EnvironmentDetails): boolean {
  if (now.at - before.at >= TIME_STEP) return true;
  if (now.usedShare > 0 && before.usedShare === 0) return true;
  if (Math.abs(now.usedShare - before.usedShare) >= USAGE_STEP) return true;
  return [...now.sections.keys(), CURRENT_FILE, RUNNING].some((title) => isNew(title, before, now));
}

function isNew(title: string, before: EnvironmentDetails, now: EnvironmentDetails): boolean {
  if (title === TIME || title === USAGE) return false;
  const text = now.sections.get(title) ?? "";
  // These report what happened, which may be the same twice.
  if ((title === MODIFIED && text !== "") || text.includes(NEW_OUTPUT)) return true;
  const known = before.sections.get(title) ?? "";
  return text.replace(RUNNING_FOR, "") !== known.replace(RUNNING_FOR, "");
}
