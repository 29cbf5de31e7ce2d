/** The plans of one session: what the model presented, and what the user made of it in the editor. */
import { cleanTodo, progress } from "../context/focus-chain.ts";
import { planIn, type SessionPlan } from "../loop/plan/session-plan.ts";
import type { Transcript } from "../loop/transcript.ts";
import type { PlanComment, PlanDocuments } from "../sessions/plan-documents.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";

export interface SessionPlansDeps {
  transcript: Pick<Transcript, "id" | "messages" | "todo" | "setTodo">;
  registry: ToolSet;
  documents: PlanDocuments | undefined;
}

/** A plan as it is handed over. */
export interface HandedPlan extends SessionPlan {
  /** The user changed the text of the model's plan. */
  isEdited: boolean;
}

/** What a panel shows of a plan besides its text. */
export interface PlanState {
  /** It is the newest plan, which is started and commented on. */
  isNewest: boolean;
  isEdited: boolean;
  comments: number;
}

export class SessionPlans {
  readonly #deps: SessionPlansDeps;

  constructor(deps: SessionPlansDeps) {
    this.#deps = deps;
  }

  /** The newest plan document, or that of one call; undefined: there is none. */
  find(callId?: string): SessionPlan | undefined {
    const { transcript, registry } = this.#deps;
    return planIn(transcript.messages, registry, callId);
  }

  /** The plan with what the user changed in the editor. */
  async handedOver(plan: SessionPlan): Promise<HandedPlan> {
    const text = (await this.#deps.documents?.text(this.#keyOf(plan))) ?? plan.text;
    return { ...plan, text, isEdited: text.trimEnd() !== plan.text.trimEnd() };
  }

  /** undefined: the call presented no plan document. */
  async state(callId: string): Promise<PlanState | undefined> {
    const plan = this.find(callId);
    if (!plan) return undefined;
    const { isEdited } = await this.handedOver(plan);
    const comments = await this.comments(callId);
    return { isNewest: this.find()?.callId === callId, isEdited, comments: comments.length };
  }

  /** The name of the plan's file in the store. Rejects if there is no such plan, or if plans have no files. */
  async open(callId: string): Promise<string> {
    const plan = this.find(callId);
    const { documents } = this.#deps;
    if (!plan || !documents) throw new Error("there is no such plan");
    return documents.open(this.#keyOf(plan), plan.text);
  }

  async comments(callId: string): Promise<PlanComment[]> {
    return (await this.#deps.documents?.comments(this.#keyOf({ callId }))) ?? [];
  }

  async setComments(callId: string, comments: readonly PlanComment[]): Promise<void> {
    await this.#deps.documents?.setComments(this.#keyOf({ callId }), comments);
  }

  /** The steps of a plan become the todo list, unless the list has open steps already. */
  async adoptSteps(plan: string): Promise<void> {
    const { transcript } = this.#deps;
    const { done, total } = progress(transcript.todo);
    const steps = cleanTodo(plan);
    if (done === total && steps !== "") await transcript.setTodo(steps);
  }

  #keyOf({ callId }: Pick<SessionPlan, "callId">): { session: string; callId: string } {
    return { session: this.#deps.transcript.id, callId };
  }
}
