/** The plans of one session: what the model presented, and what the user made of it in the editor. */
import { cleanTodo, progress } from "../context/focus-chain.ts";
import { planIn, plansIn, type SessionPlan } from "../loop/plan/session-plan.ts";
import type { Transcript } from "../loop/transcript.ts";
import type { Log } from "../ports/system.ts";
import type { PlanComment, PlanDocuments } from "../sessions/plan-documents.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";

export interface SessionPlansDeps {
  transcript: Pick<Transcript, "id" | "messages" | "todo" | "setTodo" | "emit" | "onAppended">;
  registry: ToolSet;
  documents: PlanDocuments | undefined;
  log: Log;
}

/** A plan as it is handed over. */
export interface HandedPlan extends SessionPlan {
  /** The user changed the text of the model's plan. */
  isEdited: boolean;
}

export class SessionPlans {
  readonly #deps: SessionPlansDeps;
  #reports = 0;

  constructor(deps: SessionPlansDeps) {
    this.#deps = deps;
    deps.transcript.onAppended((message) => {
      if (planIn([message], deps.registry)) void this.report();
    });
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

  /** Reports the newest plan to views. To be called when its text or the user's comments may have changed. Never rejects. */
  async report(): Promise<void> {
    const plan = this.find();
    if (!plan) return;
    const { callId } = plan;
    const report = ++this.#reports;
    try {
      const [{ isEdited }, { length: comments }] = await Promise.all([
        this.handedOver(plan),
        this.comments(callId),
      ]);
      // A later report has read later files.
      if (report === this.#reports)
        this.#deps.transcript.emit({ type: "plan", plan: { callId, isEdited, comments } });
    } catch (error) {
      this.#deps.log.error("the plan was not read", error);
    }
  }

  /** The call that presented the plan of this file; undefined: no plan of the session has it. */
  async ofFile(name: string): Promise<string | undefined> {
    const { transcript, registry, documents } = this.#deps;
    for (const { callId } of plansIn(transcript.messages, registry))
      if (await documents?.isOf(name, this.#keyOf({ callId }))) return callId;
    return undefined;
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
    await this.report();
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
