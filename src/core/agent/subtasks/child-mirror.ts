/**
 * Shows a subtask in the session of its parent task: its state and its calls in the row of the call that started it, and each of its
 * calls that waits for the user as an approval of its own, until it is decided.
 */

import { resolve } from "node:path";
import type { ApprovalView, TaskEvent } from "../../../shared/event.ts";
import { UNPREPARED } from "../../../shared/permission/prepared-answer.ts";
import { presentationOf } from "../../../shared/tool-presentation.ts";
import { withPaths } from "../../../shared/view/approval-paths.ts";
import { type ChildTask, withStep } from "../../../shared/view/child-task.ts";
import { type CallRow, rowsOf } from "../../../shared/view/reducer.ts";
import { isStoppedByUser } from "../../errors.ts";
import { type Disposable, DisposableStore } from "../../lifecycle.ts";
import type { Session } from "../session.ts";
import type { SubtaskParent } from "../session-parts.ts";

export interface MirrorDeps {
  child: Session;
  parent: SubtaskParent;
  /** The call that started it. */
  callId: string;
  kind: ChildTask["kind"];
  branch: string | undefined;
  /** The folder that the subtask works in. */
  root: string | undefined;
  /** Aborts when the parent task ends. That task then reports its status itself. */
  signal: AbortSignal;
  /** Called when the user decided on a call of the subtask, here or in its own session. */
  decided(): void;
  /** Called when the subtask has spent more. */
  spent(): void;
}

export class ChildMirror implements Disposable {
  readonly #deps: MirrorDeps;
  readonly #listening = new DisposableStore();
  /** The calls that wait for the user, by their own ids. */
  readonly #forwardedCalls = new Map<string, { id: string; forwarded: Disposable }>();
  /** Each step as it was reported last, as JSON. */
  readonly #reportedSteps = new Map<string, string>();
  #state: ChildTask["state"] = "working";
  #steps: Pick<ChildTask, "steps" | "more"> = { steps: [], more: 0 };
  /** The task without its steps, as it was reported last, as JSON. */
  #reportedTask = "";

  constructor(deps: MirrorDeps) {
    this.#deps = deps;
    this.#listening.add(deps.child.onEvent((event) => this.#handle(event)));
  }

  get task(): ChildTask {
    const { child, kind, branch } = this.#deps;
    const { totals, title } = child.transcript;
    return {
      id: child.id,
      title,
      kind,
      state: this.#state,
      requests: totals.requests,
      ...(totals.cost === undefined ? {} : { cost: totals.cost }),
      ...this.#steps,
      ...(branch === undefined ? {} : { branch }),
    };
  }

  show(state: ChildTask["state"]): void {
    this.#state = state;
    this.#report();
  }

  /** Shows the calls that the subtask made before it was continued. */
  showEarlier(): void {
    for (const row of rowsOf(this.#deps.child.chatView)) if (row.kind === "call") this.#step(row.id);
  }

  dispose(): void {
    this.#listening.dispose();
    for (const callId of [...this.#forwardedCalls.keys()]) this.#withdraw(callId);
  }

  #handle(event: TaskEvent): void {
    if (!this.#show(event)) return;
    for (const callId of [...this.#forwardedCalls.keys()])
      if (!this.#deps.child.approvals.isWaiting(callId)) this.#withdraw(callId);
  }

  /**
   * The row of the call that started the task shows the calls that it makes and its state, and no more. Returns whether the event is
   * of one of these.
   */
  #show(event: TaskEvent): boolean {
    switch (event.type) {
      case "call":
      case "call-running":
      case "call-done":
        this.#step(event.callId);
        return true;
      case "approval":
        this.#step(event.callId);
        this.#ask(event.callId, event.approval);
        return true;
      case "prepared":
        this.#prepared(event.callId);
        return true;
      case "message":
        for (const block of event.message.blocks) {
          if (block.type === "tool-call") this.#step(block.id);
          if (block.type === "tool-result") this.#step(block.callId);
        }
        return true;
      case "status":
        this.#status(event.status);
        return true;
      case "totals":
        this.#deps.spent();
        this.#report();
        return true;
      case "title":
      case "session":
        this.#report();
        return true;
    }
    return false;
  }

  #status(status: Extract<TaskEvent, { type: "status" }>["status"]): void {
    // The subtask ends only when its report is known.
    if (status === "idle" || status === "stopping") return;
    this.show(status === "approval" || status === "queued" ? status : "working");
  }

  #report(): void {
    const { steps: _, more: __, ...task } = this.task;
    const text = JSON.stringify(task);
    if (text === this.#reportedTask) return;
    this.#reportedTask = text;
    const { parent, callId } = this.#deps;
    parent.transcript.emit({ type: "child", callId, task });
  }

  #row(callId: string): CallRow | undefined {
    const row = rowsOf(this.#deps.child.chatView).findLast(({ id }) => id === callId);
    return row?.kind === "call" ? row : undefined;
  }

  #step(id: string): void {
    const { child, parent, callId } = this.#deps;
    const row = this.#row(id);
    const presentation = row && presentationOf(child.chatView.faces, row.tool);
    // The call with which the subtask delivers its result is shown as its report.
    if (!row || presentation?.row === "result") return;
    const step = { id, tool: row.tool, subject: row.subject, state: row.state };
    const text = JSON.stringify(step);
    if (this.#reportedSteps.get(id) === text) return;
    this.#reportedSteps.set(id, text);
    const { steps: _, more: __, ...task } = this.task;
    parent.transcript.emit({
      type: "child",
      callId,
      task,
      step,
      ...(presentation ? { face: presentation } : {}),
    });
    const { steps, more } = withStep(this.task, step);
    this.#steps = { steps, more };
  }

  #ask(callId: string, approval: ApprovalView): void {
    const { child, parent } = this.#deps;
    const row = this.#row(callId);
    if (!row) return;
    const presentation = presentationOf(child.chatView.faces, row.tool);
    // Call ids are unique only within a session.
    const id = `${child.id}/${callId}`;
    const { emit } = parent.transcript;
    const forwarded = parent.approvals.forward(id, {
      decide: (decision, options) => child.approvals.decide(callId, decision, options),
      why: () => child.approvals.why(callId),
      prepare: (answer) => child.approvals.prepare(callId, answer),
      prepared: () => child.approvals.prepared(callId),
    });
    this.#forwardedCalls.set(callId, { id, forwarded });
    const { tool, subject } = row;
    emit({
      type: "call",
      messageId: id,
      callId: id,
      tool,
      subject,
      ...(presentation ? { face: presentation } : {}),
    });
    const root = this.#ownRoot;
    const task = { id: child.id, title: child.transcript.title, ...(root === undefined ? {} : { root }) };
    emit({
      type: "approval",
      callId: id,
      approval: { ...this.#withAbsolutePaths(approval), callId: id, task },
    });
    this.#prepared(callId);
    emit({ type: "status", status: "approval" });
  }

  /** Shows what the user has prepared as the answer. */
  #prepared(callId: string): void {
    const { child, parent } = this.#deps;
    const call = this.#forwardedCalls.get(callId);
    const prepared = child.approvals.prepared(callId);
    if (!call || prepared === UNPREPARED) return;
    const edited = prepared.edited.map((path) => this.#absolute(path));
    parent.transcript.emit({ type: "prepared", callId: call.id, prepared: { ...prepared, edited } });
  }

  /** The folder that the child works in, if it is not the parent's. */
  get #ownRoot(): string | undefined {
    const { root, parent } = this.#deps;
    return root === parent.host.workspace.root ? undefined : root;
  }

  /** Paths in a worktree mean other files than the same paths in the project's folder. */
  #absolute(path: string): string {
    const root = this.#ownRoot;
    return root === undefined ? path : resolve(root, path);
  }

  #withAbsolutePaths(approval: ApprovalView): ApprovalView {
    return withPaths(approval, (path) => this.#absolute(path));
  }

  #withdraw(callId: string): void {
    const call = this.#forwardedCalls.get(callId);
    if (!call) return;
    this.#forwardedCalls.delete(callId);
    call.forwarded.dispose();
    const { parent, signal } = this.#deps;
    const { transcript, approvals } = parent;
    // When the host ends, the call still waits, and asks again later.
    if (signal.aborted && !isStoppedByUser(signal)) return;
    this.#deps.decided();
    const state = this.#row(callId)?.state;
    const outcome = state === "rejected" || state === "interrupted" || state === "not-run" ? state : "done";
    if (outcome === "done" || outcome === "rejected") approvals.decidedForwarded();
    transcript.emit({ type: "call-done", callId: call.id, outcome });
    if (!signal.aborted)
      transcript.emit({ type: "status", status: approvals.first === undefined ? "running" : "approval" });
  }
}
