/** A code that identifies exactly what an approval shows, so that a later answer applies only to that. */
import { createHash } from "node:crypto";
import type { Host } from "../../core/ports/host.ts";
import type { ApprovalView } from "../../shared/event.ts";
import { projectCode } from "./project-code.ts";

/** Returns the code of an approval as it is now. `diffOf`: see `Run`. */
export async function currentCode(
  approval: ApprovalView,
  {
    host,
    diffOf,
  }: { host: Pick<Host, "files" | "search">; diffOf(path: string | undefined): string | undefined },
): Promise<string> {
  const { covers, cwd } = approval;
  const project = covers?.runsCode && cwd !== undefined ? await projectCode(host, cwd) : undefined;
  return shownCode(approval, diffOf(approval.path), project);
}

/** Hexadecimal digits: enough that nobody finds another approval with the same code. */
const LENGTH = 32;

/** `diff`: of the file that the call changes. `project`: of the code that a command may load, as `projectCode` names it. */
export function shownCode(approval: ApprovalView, diff: string | undefined, project?: string): string {
  // The reason for asking does not change what runs, so it is left out.
  const { changedSince: _, ...shown } = approval;
  const text = JSON.stringify([shown, diff ?? null, project ?? null]);
  return createHash("sha256").update(text).digest("hex").slice(0, LENGTH);
}
