/**
 * Runs a recorded session again: the user's messages are sent, and each request gets the recorded answer. The real loop runs the
 * calls. What the user approved in the session grants nothing here.
 */
import type { ApprovalView, TaskEvent } from "../../../shared/event.ts";
import type { Level } from "../../../shared/permission/levels.ts";
import { ToolError } from "../../errors.ts";
import type { Shell } from "../../ports/shell.ts";
import type { Project } from "../project.ts";
import { playedCalls, type ReplayPlan } from "./replay-plan.ts";

export type ReplayLevel = Exclude<Level, "ask">;

export interface ReplayRun {
  plan: ReplayPlan;
  /** The scratch copy. */
  project: Project;
  level: ReplayLevel;
  shell: Pick<WithheldShell, "withhold">;
  /** Whether an edit of this path stays in the scratch copy's files. */
  isScratchFile(path: string): boolean;
  signal: AbortSignal;
}

export interface Replayed {
  /** How many of the answers were played. */
  played: number;
  /** Calls that were not run, because the replay's permission does not cover them. */
  withheld: ReadonlySet<string>;
  /** Of those, calls after which the further calls of their answer were not run either. */
  rejected: ReadonlySet<string>;
  /** User messages that could not be sent. */
  notSent: string[];
}

export class Replay {
  readonly #run: ReplayRun;
  readonly #withheld = new Set<string>();
  readonly #rejected = new Set<string>();
  readonly #notSent: string[] = [];
  #at = 0;
  #played = 0;
  #asksAll = false;

  constructor(run: ReplayRun) {
    this.#run = run;
  }

  /** The answer to the next request; undefined: the user's next message comes first, or the session is over. */
  readonly next = () => {
    const step = this.#run.plan.steps[this.#at];
    if (step?.type !== "answer") return undefined;
    this.#at++;
    this.#played++;
    const { results } = this.#run.plan;
    this.#asksAll = playedCalls(step.message).some(({ id }) => results.get(id)?.outcome === "rejected");
    return step.message;
  };

  /** While true, settings must allow nothing but reading without approval, because the user rejected a call of this answer. */
  get asksAll(): boolean {
    return this.#asksAll;
  }

  async play(): Promise<Replayed> {
    const { project, plan, signal } = this.#run;
    const listening = project.onEvent((event) => this.#decide(event));
    try {
      while (this.#at < plan.steps.length && !signal.aborted) {
        const before = this.#at;
        await this.#step();
        await this.#idle();
        // The turn did not end as it was recorded, so no request comes for the next answer.
        if (this.#at === before) break;
      }
    } finally {
      listening.dispose();
    }
    const [withheld, rejected, notSent] = [this.#withheld, this.#rejected, this.#notSent];
    return { played: this.#played, withheld, rejected, notSent };
  }

  async #step(): Promise<void> {
    const { plan, project } = this.#run;
    const { view } = project;
    const step = plan.steps[this.#at];
    if (step?.type !== "say") return view.active.retry();
    this.#at++;
    if (step.mode !== undefined && step.mode !== view.active.chatView.mode)
      await view.active.setMode(step.mode);
    try {
      await view.send(step.text, step.images);
    } catch {
      // For example, it contains a prompt of a server that a replay does not have.
      this.#notSent.push(step.text);
    }
  }

  /** A task that is handed over, and queued messages, continue as the next run. */
  async #idle(): Promise<void> {
    const { view } = this.#run.project;
    for (let end = await view.active.idle; end !== undefined; end = await view.active.idle);
  }

  #decide(event: TaskEvent): void {
    if (event.type !== "approval") return;
    const { approval } = event;
    const { plan, project } = this.#run;
    const { view } = project;
    const recorded = plan.results.get(approval.callId);
    if (recorded?.outcome === "rejected") view.active.reject(approval.callId, recorded.shown?.comment);
    else if (approval.access === "command" && approval.command !== undefined) this.#withhold(approval);
    else if (this.#staysInScratch(approval)) view.active.approve(approval.callId);
    else {
      this.#withheld.add(approval.callId);
      this.#rejected.add(approval.callId);
      view.active.reject(approval.callId);
    }
  }

  /** Approves the command only so that the further calls of the answer run too: the shell does not run it. */
  #withhold({ callId, command = "" }: ApprovalView): void {
    this.#withheld.add(callId);
    this.#run.shell.withhold(command);
    this.#run.project.view.active.approve(callId);
  }

  /**
   * Editing a protected file of the scratch copy is harmless if no command can run, or if all may. If only safe commands may, an edit
   * could make one of them do what the user did not allow.
   */
  #staysInScratch({ access, path, realPath, files = [] }: ApprovalView): boolean {
    if (access !== "edit" || this.#run.level === "safe") return false;
    const paths = [path, realPath, ...files.map((file) => file.path)].filter((each) => each !== undefined);
    return paths.length > 0 && paths.every((each) => this.#run.isScratchFile(each));
  }
}

/** A shell that does not run the commands that a replay may not run. */
interface WithheldShell extends Shell {
  /** The next run of exactly this command does not happen. */
  withhold(command: string): void;
}

/** Everything else works as in `shell`. */
export function withheldShell(shell: Shell): WithheldShell {
  const withheld = new Set<string>();
  return {
    kind: shell.kind,
    path: shell.path,
    insteadOf: shell.insteadOf,
    ...(shell.interactive === undefined ? {} : { interactive: shell.interactive }),
    shadowingEntry: (program) => shell.shadowingEntry?.(program),
    withhold: (command) => void withheld.add(command),
    async run(command, options) {
      if (withheld.delete(command)) throw new ToolError("The command was not run, because this is a replay.");
      return shell.run(command, options);
    },
    terminals: () => shell.terminals(),
    readTerminal: (id, waitMs, signal) => shell.readTerminal(id, waitMs, signal),
    background: () => shell.background(),
    follow: (id, watcher) => shell.follow?.(id, watcher),
    end: (ids, how) => shell.end(ids, how),
    dispose: () => shell.dispose(),
  };
}
