/** What a command would destroy, and what part of that checkpoints cannot keep. */
import type { NotBackedUp } from "../../../shared/event.ts";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { SessionCheckpoints } from "../../checkpoints/checkpoints.ts";
import type { Destruction } from "../../ports/file-trees.ts";
import type { Host } from "../../ports/host.ts";
import { destructionOf } from "../../safety/destruction/destruction.ts";
import type { Invocation } from "../../tools/tool.ts";

/** Why a call asks although the settings allow it. */
export function otherReason(
  protection: Pick<Protection, "asks"> | undefined,
  { alwaysAsks = false, doubt }: { alwaysAsks?: boolean; doubt?: Reason },
): Reason {
  if (protection?.asks) return reasonOf("cannot-be-kept");
  if (doubt) return doubt;
  return reasonOf(alwaysAsks ? "always-asks" : "waited-before");
}

export interface Protection {
  destroys: Destruction;
  notKept: NotBackedUp[];
  /** The command asks, whatever the settings allow. */
  asks: boolean;
}

/** undefined: the command is not known to destroy anything, nor does it run what may, or checkpoints are off. */
export async function protectionOf(
  { assets, shell, workspace, system }: Host,
  checkpoints: SessionCheckpoints | undefined,
  { command, coverage }: Pick<Invocation, "command" | "coverage">,
): Promise<Protection | undefined> {
  const { root } = workspace;
  if (!checkpoints || command === undefined || root === undefined) return undefined;
  const roots = [...new Set([root, ...workspace.roots.map(({ path }) => path)])];
  const around = { roots, cwd: root, home: system.home };
  const known = await destructionOf(assets, command, shell.kind, around);
  const foreseen = known && (await checkpoints.foresee(known));
  const possible = coverage?.runsCode ? await checkpoints.possible() : undefined;
  if (!possible) return known && foreseen && { destroys: known, ...foreseen };
  const notKept = [...(foreseen?.notKept ?? []), ...(possible.notKept ?? [])];
  const targets = [...(known?.targets ?? []), ...possible.targets];
  const destroys = { ...possible, targets, git: known?.git ?? false };
  return { destroys, notKept, asks: foreseen?.asks ?? false };
}
