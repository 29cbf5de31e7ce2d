/** Runs the agent on a terminal: a task, its questions, and its outcome as an exit code. */

import { WorktreeNotCreated } from "../core/agent/project/project-worktrees.ts";
import type { Project } from "../core/agent/project.ts";
import type { View } from "../core/agent/view.ts";
import { SerialQueue } from "../core/async.ts";
import { PromptFailure } from "../core/context/server-prompts.ts";
import { Interrupt, messageOf } from "../core/errors.ts";
import type { Disposable } from "../core/lifecycle.ts";
import type { RunEnd } from "../core/loop/loop.ts";
import type { Host } from "../core/ports/host.ts";
import { WorktreeUnavailable } from "../core/sessions/open/worktree-use.ts";
import type { ApprovalView } from "../shared/event.ts";
import { planStartIn } from "../shared/plan-document.ts";
import { presentationOf } from "../shared/tool-presentation.ts";
import { waitsForUser } from "../shared/view/child-task.ts";
import { type ChatView, rowsOf } from "../shared/view/reducer.ts";
import { visible } from "../shared/visible.ts";
import { noticeText, promptFailureText } from "../shared/words/notice-words.ts";
import type { Translate } from "../shared/words/task-words.ts";
import { notCreatedText } from "../shared/words/worktree-words.ts";
import type { GivenAnswer, Options } from "./command-options.ts";
import { nextMessage, type Prompt } from "./prompt.ts";
import type { RunServers } from "./servers/run-servers.ts";
import { currentCode } from "./shown-code.ts";
import { askApproval, describeApproval, explainedLines, pageText } from "./terminal.ts";

export const EXIT_CODE = {
  completed: 0,
  error: 1,
  usage: 2,
  limit: 3,
  unanswered: 4,
  interrupted: 130,
} as const;

export interface TerminalRun extends Prompt {
  options: Options;
  /** The proposed change of a file, for the question whether to save it. */
  diffOf(path: string | undefined): string | undefined;
  host: Pick<Host, "files" | "search">;
  /** The user's answer to the call that waits; removed once it has been used. */
  answer?: GivenAnswer | undefined;
  servers: RunServers;
}

/**
 * Runs `task`, or without one continues the active session; with `oneShot` until the task is done, otherwise until the user
 * ends it. Resolves with the exit code.
 */
export async function runInTerminal(
  run: TerminalRun,
  task: string | undefined,
  oneShot: boolean,
): Promise<number> {
  const { project, view, terminal, signal } = run;
  const stop = stopOf(run);
  // Subtasks may ask at the same time.
  const questions = new SerialQueue();
  const consider = (approval: ApprovalView) => {
    const ask = async () => {
      if (stop.signal.aborted || !isWaiting(view, approval.callId)) return;
      const decided = await decide(run, approval);
      if (!decided && !signal.aborted) stop.with(EXIT_CODE.unanswered);
    };
    void questions.run(ask);
  };
  const asking = project.onEvent((event) => {
    if (event.type === "approval") consider(event.approval);
    run.servers.onEvent(event);
  });
  let next = task;
  const waiting = waitingApproval(view);
  if (waiting && next !== undefined && !terminal) {
    view.active.reject(waiting.callId, next);
    next = undefined;
  } else if (waiting) consider(waiting);
  try {
    let turned: Turned = { end: undefined };
    for (;;) {
      await run.servers.beforeTurn(stop.signal);
      // If the run was stopped during these questions, there was no turn to end.
      turned = stop.signal.aborted ? { end: "stopped" } : await turn(run, next, turned.end);
      if (signal.aborted) return EXIT_CODE.interrupted;
      const code = (oneShot ? finalCode(turned) : undefined) ?? stop.code;
      if (code !== undefined) return code;
      const isOver = turned.end === "asked" ? terminal === undefined : oneShot;
      next = isOver ? undefined : await nextMessage(run, turned.notSent?.text);
      if (signal.aborted) return EXIT_CODE.interrupted;
      if (next === undefined) return lastCode(turned);
      if (turned.end === "asked") next = optionOf(view, next) ?? next;
    }
  } finally {
    asking.dispose();
    stop.dispose();
  }
}

interface Stop extends Disposable {
  /** The exit code of the first reason that stopped the run, other than `TerminalRun.signal`; undefined: none did. */
  readonly code: number | undefined;
  /** Aborts for any of these reasons. */
  readonly signal: AbortSignal;
  with(code: number): void;
}

/** Stops the run when its signal aborts, when its time is up, or with a code. */
function stopOf({ view, options, signal }: TerminalRun): Stop {
  let code: number | undefined;
  const controller = new AbortController();
  const end = () => {
    controller.abort();
    void view.stop();
  };
  const stopWith = (reason: number) => {
    code ??= reason;
    if (reason !== EXIT_CODE.unanswered) return end();
    // Nobody decided, so the call stays pending until the session is continued.
    controller.abort();
    void view.active.dispose();
  };
  signal.addEventListener("abort", end);
  const timer =
    options.timeoutMs === undefined
      ? undefined
      : setTimeout(() => stopWith(EXIT_CODE.limit), options.timeoutMs);
  return {
    get code() {
      return code;
    },
    signal: controller.signal,
    with: stopWith,
    dispose() {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
    },
  };
}

function waitingApproval(view: View): ApprovalView | undefined {
  const row = rowsOf(view.active.chatView).find((row) => row.kind === "call" && row.state === "approval");
  return row?.kind === "call" ? row.approval : undefined;
}

function isWaiting(view: View, callId: string): boolean {
  const row = rowsOf(view.active.chatView).findLast(({ id }) => id === callId);
  return row?.kind === "call" && row.state === "approval";
}

/** The exit code of an end after which an interactive run asks the user whether to continue. */
function finalCode({ end, notSent }: Turned): number | undefined {
  if (notSent) return undefined;
  if (end === "limit") return EXIT_CODE.limit;
  return end === "failed" ? EXIT_CODE.error : undefined;
}

/** The exit code if no message follows. */
function lastCode({ end, notSent }: Turned): number {
  if (notSent) return notSent.code;
  if (end === "limit") return EXIT_CODE.limit;
  return end === "asked" ? EXIT_CODE.unanswered : EXIT_CODE.completed;
}

/** The option that a number selects, in the listed order of the question's options. */
function optionOf(view: View, text: string): string | undefined {
  const asked = rowsOf(view.active.chatView).findLast((row) => row.kind === "call");
  return /^\d+$/.test(text) && asked?.kind === "call" ? asked.options?.[Number(text) - 1] : undefined;
}

interface Turned {
  end: RunEnd["type"] | undefined;
  /** The message was not sent, so that `end` is of the turn before. `code`: the exit code if no message follows. */
  notSent?: { text: string; code: number };
}

async function turn(run: TerminalRun, text: string | undefined, before: Turned["end"]): Promise<Turned> {
  const { view, t } = run;
  // A resumed session may already be running, with a call that waited: then the next request includes the message.
  try {
    const begins = run.options.worktree && view.active.chatView.session === null;
    if (text !== undefined) await (begins ? view.sendInWorktree(text) : view.send(text));
    else await view.active.retry();
  } catch (error) {
    // Stopped before the message was sent.
    if (error instanceof Interrupt) return { end: "stopped" };
    const failure = text === undefined ? undefined : sendFailure(error, text, t);
    if (text !== undefined && failure) {
      run.err(`nekode: ${visible(failure.why)}\n`);
      return { end: before, notSent: { text, code: failure.code } };
    }
    throw error instanceof WorktreeUnavailable
      ? new Error(visible(noticeText(t, error.code, [error.branch])))
      : error;
  }
  return { end: await endOf(view) };
}

/** Why a message was not sent, if the user can change it and send it again. `code`: the exit code if they do not. */
function sendFailure(error: unknown, text: string, t: Translate): { why: string; code: number } | undefined {
  if (error instanceof WorktreeNotCreated)
    return { why: notCreatedText(t, error.fault), code: EXIT_CODE.error };
  // For example, there is no such agent.
  if (planStartIn(text)) return { why: messageOf(error), code: EXIT_CODE.usage };
  if (!(error instanceof PromptFailure)) return undefined;
  const isMisuse = error.code === "missing-arguments" || error.code === "no-prompt";
  return { why: promptFailureText(t, error), code: isMisuse ? EXIT_CODE.usage : EXIT_CODE.error };
}

/** How the run ended. A new task with the context of this one, and queued messages, continue the run. */
async function endOf(view: View): Promise<RunEnd["type"] | undefined> {
  let end = (await view.active.idle)?.type;
  for (let next = end; next !== undefined; next = (await view.active.idle)?.type) end = next;
  return end;
}

/** False: nobody can decide, so the task pauses. */
async function decide(run: TerminalRun, approval: ApprovalView): Promise<boolean> {
  const { view, terminal, t, signal } = run;
  const pages = describeApproval(approval, run.diffOf(approval.path), t);
  let page = 0;
  run.err(`\n${pageText(pages, page, t)}`);
  if (!terminal || run.answer) {
    const decided = await decideWithoutAsking(run, approval);
    if (!terminal || decided) return decided;
  }
  try {
    const more = () => {
      if (page + 1 >= pages.length) return false;
      run.err(pageText(pages, ++page, t));
      return true;
    };
    const why = async () => {
      const explanation = await view.active.approvals.why(approval.callId);
      if (explanation) run.err(explainedLines(explanation, t));
    };
    const row = rowsOf(view.active.chatView).findLast(({ id }) => id === approval.callId);
    const presentation =
      row?.kind === "call" ? presentationOf(view.active.chatView.faces, row.tool) : undefined;
    const decision = await askApproval(
      terminal,
      t,
      { approval, presentation: presentation },
      { more, why },
      signal,
    );
    if (!decision) return false;
    const { allow } = decision;
    if (decision.approved) view.active.approve(approval.callId, decision.comment, allow ? { allow } : {});
    else view.active.reject(approval.callId, decision.comment);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

/**
 * Decides with the answer or the message that was given with the command. False: there is neither, and without a terminal the
 * task pauses.
 */
async function decideWithoutAsking(run: TerminalRun, approval: ApprovalView): Promise<boolean> {
  const { project, view, options, terminal, t, answer } = run;
  run.answer = undefined;
  if (answer && !answer.approved) return view.active.reject(approval.callId, answer.words);
  // On a terminal, the user decides immediately after reading the approval.
  const code = terminal && answer?.shown === undefined ? undefined : await currentCode(approval, run);
  if (!isWaiting(view, approval.callId)) return true;
  if (code !== undefined && answer?.shown === code) return view.active.approve(approval.callId, answer.words);
  if (answer?.shown !== undefined)
    run.err(`${t("This is not what you approved, so nothing was approved.")}\n`);
  if (terminal) return false;
  // A message never approves anything. A message that continues a paused task rejects the pending call, with the message as the
  // reason.
  const words = view.active.queue.waiting.map(({ text }) => text).join("\n\n");
  if (words !== "") {
    for (const { id } of view.active.chatView.queue) view.active.queued.remove(id);
    return view.active.reject(approval.callId, words);
  }
  await othersAtRest(project);
  // The run was stopped in the meantime, which ended the call.
  if (!isWaiting(view, approval.callId)) return true;
  const schema = options.outputSchema;
  const same = schema === undefined ? "" : ` --output-schema ${shellWord(schema)}`;
  run.err(
    `${t("Your approval is required, but there is no terminal to ask on. Use --approve to specify what runs without asking.")} ${t("The task is paused. To continue it: {0}", `nekode --resume ${view.active.id}${same}`)}\n${t("To approve exactly this: {0}", `nekode answer ${view.active.id} yes --shown ${code}${same}`)}\n${t("To reject it: {0}", `nekode answer ${view.active.id} no${same}`)}\n`,
  );
  return false;
}

/** Quotes the text, so that a shell reads it as one word. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Resolves when no subtask can continue by itself. If a request were cut off, it would be sent and paid for again when the
 * session continues.
 */
async function othersAtRest(project: Project): Promise<void> {
  const { view } = project;
  if (!someGoOn(view.active.chatView)) return;
  await new Promise<void>((resolve) => {
    const listening = project.onEvent(() => {
      if (someGoOn(view.active.chatView)) return;
      listening.dispose();
      resolve();
    });
  });
}

function someGoOn(view: ChatView): boolean {
  return rowsOf(view).some((row) => {
    if (
      row.kind !== "call" ||
      row.state !== "running" ||
      presentationOf(view.faces, row.tool)?.work !== "task"
    )
      return false;
    // A call without a task has only just begun.
    return !row.task || !waitsForUser(row.task);
  });
}
