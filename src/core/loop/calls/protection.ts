/** What a command would destroy, and which part of it checkpoints cannot back up. */
import type { NotBackedUp } from "../../../shared/event.ts";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { SessionCheckpoints } from "../../checkpoints/checkpoints.ts";
import type { Destruction } from "../../ports/file-trees.ts";
import type { Host } from "../../ports/host.ts";
import { folderPaths } from "../../roots.ts";
import { destructionOf } from "../../safety/destruction/destruction.ts";
import type { Invocation } from "../../tools/tool.ts";

/** Why a call asks although the settings allow it. `doubt`: what is doubtful about the call. */
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

/** undefined: the command destroys nothing that is known, and runs no code that may; or checkpoints are off. */
export async function protectionOf(
  { assets, shell, workspace, system }: Host,
  checkpoints: SessionCheckpoints | undefined,
  { command, coverage }: Pick<Invocation, "command" | "coverage">,
): Promise<Protection | undefined> {
  const { root } = workspace;
  if (!checkpoints || command === undefined || root === undefined) return undefined;
  const around = { roots: folderPaths(workspace), cwd: root, home: system.home };
  const known = await destructionOf(assets, command, shell.kind, around);
  const preview = known && (await checkpoints.previewBackup(known));
  const possible = coverage?.runsCode ? await checkpoints.possible() : undefined;
  if (!possible) return known && preview && { destroys: known, ...preview };
  const notKept = [...(preview?.notKept ?? []), ...(possible.notKept ?? [])];
  const targets = [...(known?.targets ?? []), ...possible.targets];
  const destroys = { ...possible, targets, git: known?.git ?? false };
  return { destroys, notKept, asks: preview?.asks ?? false };
}
