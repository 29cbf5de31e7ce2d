/** Asks the user whether a call may run, and shows what it would do. */
import type { Danger } from "../../../shared/danger.ts";
import type { ApprovalView } from "../../../shared/event.ts";
import type { Host } from "../../ports/host.ts";
import { folderPaths } from "../../roots.ts";
import { dangersOf } from "../../safety/destruction/dangers.ts";
import { explain } from "../explain/explain.ts";
import type { Transcript } from "../transcript.ts";
import type { Approvals, Decision } from "./approvals.ts";
import { otherReason } from "./protection.ts";
import type { PreparedCall } from "./run-call.ts";

export interface AskDeps {
  host: Host;
  conversation: Transcript;
  approvals: Approvals;
}

/** An approval that no longer counts: the user's comment, and the files that changed since. */
export interface OutdatedApproval {
  comment: string | undefined;
  changed: readonly string[];
}

/** Resolves with the user's decision on exactly this call; rejects with Interrupt when `signal` aborts. */
export async function askUser(
  { call, tool, invocation, permission, protection }: PreparedCall,
  { host, conversation, approvals }: AskDeps,
  signal: AbortSignal,
  outdated?: OutdatedApproval,
): Promise<Decision> {
  const { always: _, ...view } = invocation.view;
  // What is doubtful about this edit tells the user more than that edits ask.
  const isDoubt = permission.reason.code === "editing-asks" && invocation.doubt !== undefined;
  const other = permission.verdict === "allow" || isDoubt ? otherReason(protection, invocation) : undefined;
  const covers = await invocation.coverage?.view();
  const dangers = await dangersIn(invocation.command, host);
  const reason = other ?? permission.reason;
  // The user's choice for this tool would still apply, and a subtask has the permission of its parent.
  const hasChoice = Object.hasOwn(conversation.permission.current.exceptions, tool.name);
  const offersEdits = reason.code === "editing-asks" && !hasChoice && !conversation.isSubtask;
  const approval: ApprovalView = {
    callId: call.id,
    access: tool.access,
    reason,
    ...view,
    ...(view.cwd !== undefined && view.cwd === host.workspace.root ? { isOwnFolder: true } : {}),
    ...(dangers.length > 0 ? { dangers } : {}),
    ...(protection && protection.notKept.length > 0 ? { notKept: protection.notKept } : {}),
    ...(covers ? { covers } : {}),
    ...(outdated ? { changedSince: [...outdated.changed] } : {}),
    ...(permission.outsideSandbox ? { outsideSandbox: true } : {}),
    ...(permission.sandbox?.network ? { network: true } : {}),
    ...(permission.realPath === undefined ? {} : { realPath: permission.realPath }),
    ...(permission.always === undefined ? {} : { always: permission.always }),
    ...(offersEdits ? { offersEdits } : {}),
  };
  const subject = { access: tool.access, tool: tool.name, invocation, mode: conversation.mode };
  const { allowances } = approvals;
  const why = () => explain(host, { settings: allowances.settings(), subject, ignoring: true }, other);
  // Registered before the event, so that the user can decide as soon as the question is shown.
  const decision = approvals.wait(call.id, signal, {
    offer:
      permission.always === undefined
        ? undefined
        : {
            entry: permission.always,
            allowTool: invocation.allowAlways,
            identity: invocation.server?.identity,
          },
    allowEdits: offersEdits ? () => conversation.permission.change({ classes: { edit: true } }) : undefined,
    why,
    paths: invocation.paths,
    comment: outdated?.comment,
    preview: invocation.preview,
    onPrepared: (prepared) => conversation.emit({ type: "prepared", callId: call.id, prepared }),
  });
  conversation.emit({ type: "approval", callId: call.id, approval });
  conversation.emit({ type: "status", status: "approval" });
  return decision;
}

async function dangersIn(command: string | undefined, host: Host): Promise<Danger[]> {
  const { assets, shell, workspace, system } = host;
  const { root } = workspace;
  if (command === undefined || root === undefined) return [];
  const around = { roots: folderPaths(workspace), cwd: root, home: system.home };
  return dangersOf(assets, command, shell.kind, around);
}
