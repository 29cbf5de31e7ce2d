/** At the end of a task that carries out a plan: compares its changes with the plan, for the user and, once, for the model. */

import type { SessionCheckpoints } from "../../checkpoints/session-checkpoints.ts";
import type { Host } from "../../ports/host.ts";
import { planDiffers } from "../../prompts/replies.ts";
import { visibleName } from "../../text.ts";
import type { ToolSet } from "../../tools/set/tool-set.ts";
import { displayPath } from "../../tools/tool-paths.ts";
import type { Transcript } from "../transcript.ts";
import { comparePlan, type PlanComparison } from "./plan-comparison.ts";
import { startedPlan } from "./session-plan.ts";

/** Names that a list shows. */
const MOST_NAMES = 5;
/** Characters of one of them. */
const MAX_NAME = 120;

export interface PlanCheckDeps {
  host: Host;
  conversation: Pick<Transcript, "messages" | "todo" | "mode">;
  registry: ToolSet;
  /** Default: what changed is not known. */
  checkpoints?: Pick<SessionCheckpoints, "changedSince">;
}

export interface PlanReport {
  /** Of the notice "plan-compared". */
  values: string[];
  /** The text for the model before the task ends; undefined: nothing is missing, or the model has read such a text already. */
  told: string | undefined;
}

/** undefined: the task carries out no plan, or nothing can be compared. */
export async function reportOnPlan(deps: PlanCheckDeps): Promise<PlanReport | undefined> {
  const { host, conversation, registry, checkpoints } = deps;
  const started = startedPlan(conversation.messages, registry);
  if (!started) return undefined;
  const changed = await checkpoints?.changedSince(started.messageId);
  const facts = { plan: started.text, changed, todo: conversation.todo };
  const comparison = await comparePlan(facts, host);
  if (!comparison) return undefined;
  const lists = listsOf(comparison, (path) => displayPath(host.workspace, path));
  const isMissing = comparison.missing.length > 0 || comparison.open.length > 0;
  const isTold = isMissing && !started.isCompared && conversation.mode === "act";
  return {
    values: [
      String(comparison.changed),
      String(comparison.named),
      ...[lists.missing, lists.others, String(comparison.open.length)],
      ...(isTold ? ["told"] : []),
    ],
    told: isTold ? planDiffers(differences(lists)) : undefined,
  };
}

interface Lists {
  missing: string;
  others: string;
  open: string;
}

function listsOf({ missing, others, open }: PlanComparison, display: (path: string) => string): Lists {
  return { missing: list(missing), others: list(others.map(display)), open: list(open, "; ") };
}

function list(names: readonly string[], separator = ", "): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => {
    const visible = visibleName(name);
    return visible.length > MAX_NAME ? `${visible.slice(0, MAX_NAME - 1)}…` : visible;
  });
  if (names.length > shown.length) shown.push(`+${names.length - shown.length}`);
  return shown.join(separator);
}

function differences({ missing, others, open }: Lists): string[] {
  return [
    ...(missing === "" ? [] : [`The plan names these files, and they were not changed: ${missing}`]),
    ...(open === "" ? [] : [`These steps are not done in the todo list: ${open}`]),
    ...(others === "" ? [] : [`The plan does not name these files, and they were changed: ${others}`]),
  ];
}
