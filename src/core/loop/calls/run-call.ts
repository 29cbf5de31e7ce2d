/** Runs one allowed call, with checkpoints of what it changes before and after. */
import type { ShownSandboxPlace, ToolCallBlock } from "../../../shared/message.ts";
import type { SessionCheckpoints } from "../../checkpoints/checkpoints.ts";
import type { SandboxUse } from "../../ports/sandbox.ts";
import { shownPlace } from "../../tools/sandbox-block.ts";
import type { Invocation, ProposalOutcome, Tool, ToolOutput } from "../../tools/tool.ts";
import type { Transcript } from "../transcript.ts";
import type { Approvals } from "./approvals.ts";
import type { BackgroundCommands, ForegroundCalls } from "./background-list.ts";
import type { Permission } from "./permission.ts";
import type { Protection } from "./protection.ts";
import type { ServerForms } from "./server-forms.ts";

/** A call that was validated and judged. */
export interface PreparedCall {
  call: ToolCallBlock;
  tool: Tool;
  invocation: Invocation;
  permission: Permission;
  protection: Protection | undefined;
  /** Indexes of the hunks that the user excluded. */
  excludedHunks?: readonly number[];
}

/** A call that may run. See `RunContext`. */
export interface AllowedCall extends PreparedCall {
  /** As in `RunContext`. */
  sandbox?: SandboxUse;
  isRestored: boolean;
  propose(change: Invocation): Promise<ProposalOutcome>;
}

export interface RunCallDeps {
  conversation: Transcript;
  approvals: Approvals;
  foregroundCalls: ForegroundCalls;
  serverForms: ServerForms;
  checkpoints?: SessionCheckpoints;
  /** Default: commands that continue in the background are not tracked. */
  background?: BackgroundCommands;
}

type Change = Awaited<ReturnType<SessionCheckpoints["begin"]>>;

/**
 * Records on disk that the call started, and in parallel the state of what it will change. Resolves with a function that runs
 * the call. The invocation is discarded if one of the two fails.
 */
export async function startCall(
  prepared: AllowedCall,
  deps: RunCallDeps,
  signal: AbortSignal,
): Promise<() => Promise<ToolOutput>> {
  const { conversation } = deps;
  const { id: callId } = prepared.call;
  const checkpoint = beginCheckpoint(prepared, deps.checkpoints);
  try {
    await conversation.markStarted(callId);
    // After a crash, the file shows whether an edit was made, and reading again changes nothing. Other calls must be known to
    // have started.
    if (mayChangeAnything(prepared)) await conversation.sync();
  } catch (error) {
    await checkpoint.then((change) => change?.end()).catch(() => undefined);
    await prepared.invocation.discard?.();
    throw error;
  }
  showRunning(prepared, deps);
  return async () => {
    const change = await checkpoint.catch(async (error: unknown) => {
      await prepared.invocation.discard?.();
      throw error;
    });
    return runWithCheckpoint(prepared, change, deps, signal);
  };
}

/** Makes a change that a running call proposed. */
export async function runProposed(
  prepared: PreparedCall,
  deps: RunCallDeps,
  signal: AbortSignal,
): Promise<ToolOutput> {
  showRunning(prepared, deps);
  const change = await beginCheckpoint(prepared, deps.checkpoints).catch(async (error: unknown) => {
    await prepared.invocation.discard?.();
    throw error;
  });
  const propose = () => Promise.reject(new Error("a proposed change proposes nothing"));
  return runWithCheckpoint({ ...prepared, isRestored: false, propose }, change, deps, signal);
}

function showRunning(
  prepared: PreparedCall & Pick<AllowedCall, "sandbox">,
  { conversation, approvals }: RunCallDeps,
): void {
  conversation.emit({ type: "call-running", callId: prepared.call.id, ...placeOf(prepared) });
  // Calls that run in parallel may still wait for approval.
  const waits = approvals.first !== undefined;
  conversation.emit({ type: "status", status: waits ? "approval" : "running" });
}

/** Where a command runs, as its row says. */
function placeOf({
  invocation,
  permission,
  sandbox,
}: Pick<AllowedCall, "invocation" | "permission" | "sandbox">): {
  sandbox?: ShownSandboxPlace;
  outside?: true;
} {
  if (sandbox) return { sandbox: shownPlace(sandbox) };
  return invocation.command !== undefined && permission.outsideSandbox ? { outside: true } : {};
}

function beginCheckpoint(
  prepared: PreparedCall & Pick<AllowedCall, "sandbox">,
  checkpoints: SessionCheckpoints | undefined,
): Promise<Change | undefined> {
  const { call, invocation, protection } = prepared;
  const checkpoint = Promise.resolve(
    checkpoints?.begin({
      callId: call.id,
      paths: invocation.paths.filter(({ access }) => access === "write").map(({ path }) => path),
      anything: mayChangeAnything(prepared),
      ...(protection ? { destroys: protection.destroys } : {}),
    }),
  );
  // The rejection is handled where the promise is awaited.
  checkpoint.catch(() => undefined);
  return checkpoint;
}

/** Whether the call's effects are not limited to files that it names. */
function mayChangeAnything({
  tool,
  invocation,
  sandbox,
}: Pick<AllowedCall, "tool" | "invocation" | "sandbox">): boolean {
  if (sandbox?.profile === "read") return false;
  if (invocation.command !== undefined || invocation.runsInEditor) return true;
  return tool.access === "mcp" && invocation.server?.reading !== true;
}

async function runWithCheckpoint(
  allowed: AllowedCall,
  change: Change | undefined,
  { background, conversation, foregroundCalls, serverForms }: RunCallDeps,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const { invocation, excludedHunks, isRestored, propose, sandbox } = allowed;
  const { id: callId } = allowed.call;
  const place = placeOf(allowed);
  const output = conversation.keys.stream((delta) => conversation.emit({ type: "output", callId, delta }));
  let runs = true;
  let waiting: { waits?: true; hidden?: boolean } = {};
  try {
    const ran = await invocation.run({
      callId,
      signal,
      propose,
      isRestored,
      ...(excludedHunks ? { excludedHunks } : {}),
      ...(sandbox === undefined ? {} : { sandbox }),
      moveToBackground: foregroundCalls.begin(callId),
      onOutput: (text) => output.push(text),
      onWaits(waits, hidden) {
        waiting = waits ? { waits, ...(hidden ? { hidden } : {}) } : {};
        if (runs) conversation.emit({ ...{ type: "call-running", callId }, ...waiting, ...place });
        else background?.waits({ session: conversation.id, callId }, waits, hidden);
      },
      ask: (form, asked) => serverForms.ask(callId, form, AbortSignal.any([signal, asked])),
    });
    const { background: id, durationMs = 0 } = ran.shown ?? {};
    if (id !== undefined) {
      const command = invocation.command ?? "";
      const masked = (send: (text: string) => void) => conversation.keys.stream(send);
      const session = conversation.id;
      background?.follow({ id, callId, session, command, durationMs, masked });
      // A question that nobody has answered yet is still asked.
      if (waiting.waits) background?.waits({ session, callId }, true, waiting.hidden === true);
    }
    return place.outside ? { ...ran, shown: { ...ran.shown, outside: true } } : ran;
  } finally {
    runs = false;
    output.end();
    foregroundCalls.end(callId);
    change?.end();
  }
}
