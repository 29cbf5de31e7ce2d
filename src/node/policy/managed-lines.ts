/** What is managed, as text. */
import type { AdminPolicy } from "../../core/policy/admin-policy.ts";
import { managedList } from "../../core/policy/managed-items.ts";
import { managedItemText, managedTitle } from "../../shared/words/managed-words.ts";
import type { Translate } from "../../shared/words/task-words.ts";

/** The policy and who it is from, then one line for each matter. */
export function managedLines(t: Translate, policy: AdminPolicy): string[] {
  const list = managedList(policy);
  return [managedTitle(t, list), ...list.items.map((item) => `  ${managedItemText(t, item)}`)];
}
