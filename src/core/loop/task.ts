/** Keeps what a session's task needs from turn to turn (tools, rules, requests, the browser), and runs the loop with it. */
import type { MemoryNote } from "../../shared/memory-list.ts";
import type { Forecast, WindowContents } from "../../shared/models/window-contents.ts";
import type { RuleFile } from "../../shared/rule-file.ts";
import type { SessionAgent } from "../../shared/session-agent.ts";
import { TaskPages } from "../task-pages.ts";
import { TaskBrowser } from "../tools/browser/task-browser.ts";
import { ListedAgents } from "../tools/children/start-task.ts";
import { TaskTools } from "../tools/set/task-tools.ts";
import type { Tool, ToolContext } from "../tools/tool.ts";
import { type Intent, Loop, type LoopDeps, type RunEnd, type TaskDeps } from "./loop.ts";
import { NotebookTools } from "./notebook-tools.ts";
import { type PlanReport, reportOnPlan } from "./plan/plan-check.ts";
import { ModelRequests } from "./request.ts";
import { TaskAgent } from "./task-agent.ts";
import { notesIn, TaskMemory } from "./task-memory.ts";
import { TaskRules } from "./task-rules.ts";
import { TaskSkills } from "./task-skills.ts";
import { UserTurns } from "./turn.ts";

export class Task {
  readonly turns: UserTurns;
  readonly #deps: LoopDeps;
  readonly #browser: TaskBrowser;
  /** The newest run of the loop. */
  #loop: Loop | undefined;

  constructor(deps: TaskDeps) {
    this.#browser = new TaskBrowser(deps.host);
    const tools = new TaskTools(deps.registry, deps.output);
    const skills = new TaskSkills(deps);
    const agents = new ListedAgents();
    const memory = new TaskMemory(deps);
    const context = this.#contextOf(deps);
    const rules = new TaskRules({
      ...deps,
      hasSubtasks: deps.children !== undefined,
      list: (known, ofSubtasks) =>
        tools.setOwn([...skills.tools(known), ...agents.tools(ofSubtasks), ...memory.tools()]),
      workedOn: () => context.seen.keys(),
    });
    const agent = new TaskAgent(deps);
    const instructed = {
      rules: () => rules.text,
      agent: () => agent.own,
      mayRun: (tool: Tool) => agent.refusal(tool) === undefined,
    };
    const requests = new ModelRequests({ ...deps, ...instructed, context, registry: tools });
    this.turns = new UserTurns({ ...deps, context, rules, memory, requests });
    const takeSlot = (signal: AbortSignal) => this.takeSlot(signal);
    const notebooks = new NotebookTools();
    tools.narrow(notebooks.limits);
    this.#deps = { ...deps, agent, tools, notebooks, context, rules, requests, turns: this.turns, takeSlot };
  }

  /** Runs until it is the user's turn. Never rejects: an error becomes an error row. */
  async run(intent: Intent, signal: AbortSignal): Promise<RunEnd> {
    this.#deps.requests.sent.turn();
    this.#loop = new Loop(this.#deps, intent, signal);
    const end = await this.#loop.runTurn();
    // The user answers a question or a limit, and the task then continues where it was.
    if (end.type !== "asked" && end.type !== "limit") await this.close();
    return end;
  }

  /** How the task's changes differ from the plan that it carries out; see `reportOnPlan`. */
  reportOnPlan(): Promise<PlanReport | undefined> {
    return reportOnPlan(this.#deps);
  }

  /** What a message with this text would send. */
  forecast(text: string): Forecast {
    return this.#deps.requests.forecast(text);
  }

  /** What the context window contains. */
  contents(): WindowContents {
    return this.#deps.requests.contents();
  }

  /** The rules that the model has, and those that it does not have, with the reasons. */
  rules(): Promise<RuleFile[]> {
    return this.#deps.rules.list(new AbortController().signal);
  }

  /** The notes of the project's memory that the task has read. */
  notes(): MemoryNote[] {
    return notesIn(this.#deps.conversation.messages);
  }

  /** The agents whose limits apply in its turn. */
  get agents(): readonly SessionAgent[] {
    return this.#deps.agent.all;
  }

  /** Bytes of request bodies for each turn since the session was opened; undefined: none could be counted. */
  get sentPerTurn(): number | undefined {
    return this.#deps.requests.sent.perTurn;
  }

  /** Ends the wait before a failed request is sent again. False: none waits. */
  retryNow(): boolean {
    return this.#deps.requests.retryNow();
  }

  /** Ends the answer that is being received, so that the queued messages are read now. */
  endAnswer(): void {
    this.#loop?.endAnswer();
  }

  /** Resolves when the task may work. It may until its turn ends or waits for the user. Rejects with Interrupt. */
  async takeSlot(signal: AbortSignal): Promise<void> {
    const { conversation, slots } = this.#deps;
    await slots?.take(conversation.id, signal, () => conversation.emit({ type: "status", status: "queued" }));
  }

  /** Closes the browser, which stays open from call to call. */
  close(): Promise<void> {
    return this.#browser.close();
  }

  #contextOf(deps: TaskDeps): ToolContext {
    const { children, conversation, host, judge, servers, settings, writers } = deps;
    const signal = () => this.#loop?.signal ?? AbortSignal.abort();
    return {
      host,
      settings,
      mode: () => conversation.mode,
      seen: new Map(),
      ...(writers ? { writers: writers.of(conversation.id, () => conversation.title) } : {}),
      ...(children ? { children } : {}),
      pages: new TaskPages({ host, settings, keys: conversation.keys }),
      editAllowed: async (path) => {
        if (this.#loop?.reapproves) return false;
        const use = { paths: [{ path, access: "write" as const }] };
        return (await judge.permission({ access: "edit" }, use, conversation.mode)).verdict === "allow";
      },
      unreadable: (path) => judge.unreadable(path),
      seesImages: () => deps.profiles.of(conversation.modelChoice(settings())).seesImages,
      browser: this.#browser,
      ...(servers ? { servers } : {}),
      sessionId: () => conversation.id,
      get signal() {
        return signal();
      },
    };
  }
}
