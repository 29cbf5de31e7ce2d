/** One run of the agent on a terminal: a task, its questions, and how it ended as an exit code. */

import type { TaskManager } from "../core/agent/manager.ts";
import { Interrupt } from "../core/errors.ts";
import type { RunEnd } from "../core/loop/run-end.ts";
import type { ApprovalView } from "../shared/event.ts";
import { faceOf } from "../shared/tool-face.ts";
import { rowsOf } from "../shared/view/reducer.ts";
import type { Options } from "./command-options.ts";
import { explainedLines } from "./explained.ts";
import { nextMessage, type Prompt } from "./prompt.ts";
import { askApproval, describeApproval, pageText } from "./terminal.ts";

export const exitCode = {
  completed: 0,
  error: 1,
  usage: 2,
  limit: 3,
  unanswered: 4,
  interrupted: 130,
} as const;

export interface Run extends Prompt {
  options: Options;
  /** The proposed change of a file, for the question whether to save it. */
  diffOf(path: string | undefined): string | undefined;
}

/**
 * Runs `task`, or where there is none goes on with the session on show; with `oneShot` until it is done, else until the
 * person ends it. Resolves with the exit code.
 */
export async function runTask(run: Run, task: string | undefined, oneShot: boolean): Promise<number> {
  const { manager, options, terminal, signal } = run;
  let unanswered = false;
  let timedOut = false;
  const consider = (approval: ApprovalView) => {
    void decide(run, approval).then((decided) => {
      if (decided || signal.aborted) return;
      unanswered = true;
      void manager.stop();
    });
  };
  const asking = manager.onEvent((event) => {
    if (event.type === "approval") consider(event.approval);
  });
  const waiting = rowsOf(manager.view).find((row) => row.kind === "call" && row.state === "approval");
  if (waiting?.kind === "call" && waiting.approval) consider(waiting.approval);
  const onAbort = () => void manager.stop();
  signal.addEventListener("abort", onAbort);
  const timer =
    options.timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          void manager.stop();
        }, options.timeoutMs);
  try {
    let next = task;
    for (;;) {
      const end = await turn(run, next);
      if (signal.aborted) return exitCode.interrupted;
      // With somebody there, "Go on?" is a question.
      if (timedOut || (end === "limit" && oneShot)) return exitCode.limit;
      if (unanswered) return exitCode.unanswered;
      if (end === "failed" && oneShot) return exitCode.error;
      if (end === "asked" && terminal === undefined) return exitCode.unanswered;
      if (end !== "asked" && oneShot) return exitCode.completed;
      next = await nextMessage(run);
      if (signal.aborted) return exitCode.interrupted;
      if (end === "asked" && next !== undefined) next = optionOf(manager, next) ?? next;
      if (next !== undefined) continue;
      if (end === "limit") return exitCode.limit;
      return end === "asked" ? exitCode.unanswered : exitCode.completed;
    }
  } finally {
    clearTimeout(timer);
    asking.dispose();
    signal.removeEventListener("abort", onAbort);
  }
}

/** The answer that a number stands for, as the question's options were listed. */
function optionOf(manager: TaskManager, text: string): string | undefined {
  const asked = rowsOf(manager.view).findLast((row) => row.kind === "call");
  return /^\d+$/.test(text) && asked?.kind === "call" ? asked.options?.[Number(text) - 1] : undefined;
}

async function turn(run: Run, text: string | undefined): Promise<RunEnd["type"] | undefined> {
  const { manager } = run;
  // A resumed session may be at work already, with a call that waited: the words go with the next request then.
  try {
    if (text !== undefined) await manager.send(text);
    else await manager.retry();
  } catch (error) {
    // Stopped before the words were on their way.
    if (error instanceof Interrupt) return "stopped";
    throw error;
  }
  return ended(manager);
}

/** How it ended; a task that was handed over goes on as the next one, and so it does with what was queued. */
async function ended(manager: TaskManager): Promise<RunEnd["type"] | undefined> {
  let end = await manager.idle;
  for (let next = end; next !== undefined; next = await manager.idle) end = next;
  return end;
}

async function decide(run: Run, approval: ApprovalView): Promise<boolean> {
  const { manager, terminal, t, signal } = run;
  const pages = describeApproval(approval, run.diffOf(approval.path), t);
  let page = 0;
  run.err(`\n${pageText(pages, page, t)}`);
  if (!terminal) {
    run.err(
      `${t("This needs your approval, and there is no terminal to ask on. --approve names what may run without asking.")}\n`,
    );
    return false;
  }
  try {
    const more = () => {
      if (page + 1 >= pages.length) return false;
      run.err(pageText(pages, ++page, t));
      return true;
    };
    const why = async () => {
      const explanation = await manager.waitingCalls.why(approval.callId);
      if (explanation) run.err(explainedLines(explanation, t));
    };
    const row = rowsOf(manager.view).findLast(({ id }) => id === approval.callId);
    const face = row?.kind === "call" ? faceOf(manager.view.faces, row.tool) : undefined;
    const decision = await askApproval(terminal, t, { approval, face }, { more, why }, signal);
    if (!decision) return false;
    const { always = false } = decision;
    if (decision.approved) manager.approve(approval.callId, decision.comment, { always });
    else manager.reject(approval.callId, decision.comment);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
