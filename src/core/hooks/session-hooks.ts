/** Runs the hooks of one session, and reports each run in a row. */
import { join, resolve } from "node:path";
import type { EventBody } from "../../shared/event.ts";
import {
  type HookEvent,
  type HookNotice,
  type HookRunOutcome,
  hookNoticeValues,
} from "../../shared/hook-list.ts";
import type { Mode } from "../../shared/message.ts";
import { terminalText } from "../../shared/terminal-output.ts";
import { reasonInEnglish } from "../../shared/words/reasons/reasons.ts";
import { Interrupt, messageOf } from "../errors.ts";
import type { Host } from "../ports/host.ts";
import { pluginVariables } from "../ports/plugins.ts";
import type { ProgramEnd } from "../ports/programs.ts";
import { sliceWhole } from "../text.ts";
import { combinedVerdict, type HookVerdict, verdictOf } from "./hook-answer.ts";
import { expanded, hookCommand } from "./hook-content.ts";
import { timeLimit } from "./hook-files.ts";
import type { HookDefinition } from "./hook-types.ts";
import { isCovered, isMatch } from "./matcher.ts";
import type { HookEntry, ProjectHooks } from "./project-hooks.ts";

/** Bytes of each output of a hook that are kept. */
const OUTPUT_LIMIT = 256 * 1024;
/** Characters of a text that the model gets; a longer one goes to a file. */
const LONGEST_TEXT = 10_000;
const PREVIEW = 2_000;
/** Characters of an output that its row shows. */
const SHOWN_OUTPUT = 20_000;
const SHOWN_COMMAND = 120;
/** Milliseconds after which the row of a run appears although the run has not ended. */
const SLOW_MS = 1_000;

/** A moment at which hooks run. */
export interface HookMoment {
  event: HookEvent;
  /** What matchers are compared with. Absent: the event has no matcher. */
  subject?: string;
  /** The fields of the input that belong to the event, in snake case. */
  fields?: Readonly<Record<string, unknown>>;
}

export interface SessionHooksDeps {
  hooks: ProjectHooks;
  /** Of the session's folder. */
  host: Pick<Host, "programs" | "workspace" | "clock" | "log" | "newId" | "system">;
  session: {
    readonly id: string;
    readonly mode: Mode;
    emit(event: EventBody): void;
  };
  /** What runs without asking, in the words of Claude Code, apart from plan mode. */
  permissionMode(): "default" | "acceptEdits" | "bypassPermissions";
  /** Ends the turn, because a hook said so. */
  stop(): void;
}

export class SessionHooks {
  readonly #deps: SessionHooksDeps;
  /** Hooks of which a row already says that they do not run. */
  readonly #refused = new Set<string>();

  constructor(deps: SessionHooksDeps) {
    this.#deps = deps;
  }

  /** Reads the configuration. A failure is logged, and no hook runs then. `tells`: a row says how many hooks wait for approval. */
  async load(tells: boolean): Promise<void> {
    const { hooks, host, session } = this.#deps;
    try {
      await hooks.load();
    } catch (error) {
      host.log.error("the hooks were not read", error);
      return;
    }
    const waiting = hooks.all.filter(({ state }) => state === "new" || state === "changed");
    if (tells && waiting.length > 0)
      session.emit({
        type: "notice",
        id: host.newId(),
        code: "hooks-waiting",
        values: [String(waiting.length)],
      });
  }

  /** Whether a hook may have to run. Cheap, so that it can be asked at every call. */
  concerns(event: HookEvent): boolean {
    return this.#deps.hooks.concerns(event);
  }

  /** Runs what is configured for this moment, all at the same time. Rejects with Interrupt when the signal aborts. */
  async run(moment: HookMoment, signal: AbortSignal): Promise<HookVerdict> {
    const { hooks, host, session } = this.#deps;
    if (!hooks.concerns(moment.event)) return { context: [] };
    const matching = hooks.all.filter((entry) => isFor(entry.definition, moment));
    const once = new Map<string, HookEntry>();
    const unapproved: HookVerdict[] = [];
    for (const entry of matching) {
      if (entry.state === "off") continue;
      const refusal = entry.record.approved ? await hooks.refusal(entry) : undefined;
      if (refusal) {
        const why = reasonInEnglish(refusal);
        if (!this.#refused.has(entry.id))
          this.#report(host.newId(), entry, moment, { outcome: "unapproved", why, output: "" });
        this.#refused.add(entry.id);
        unapproved.push(failure(entry, why));
      } else if (entry.record.approved) once.set(JSON.stringify(entry.definition.handler), entry);
    }
    const verdicts = await Promise.all(
      [...once.values()].map((entry) => this.#runOne(entry, moment, signal)),
    );
    const verdict = combinedVerdict([...unapproved, ...verdicts]);
    verdict.context = await Promise.all(verdict.context.map((each) => this.#bounded(each)));
    if (verdict.reason !== undefined) verdict.reason = await this.#bounded(verdict.reason);
    if (verdict.output !== undefined) verdict.output = await this.#bounded(verdict.output);
    if (verdict.stop !== undefined) {
      session.emit({ type: "notice", id: host.newId(), code: "hook-stopped", values: [verdict.stop] });
      this.#deps.stop();
    }
    return verdict;
  }

  async #runOne(entry: HookEntry, moment: HookMoment, signal: AbortSignal): Promise<HookVerdict> {
    const { host } = this.#deps;
    const id = host.newId();
    const slow = host.clock.after(SLOW_MS, () =>
      this.#report(id, entry, moment, { outcome: "running", why: "", output: "" }),
    );
    const work = this.#work(id, entry, moment, signal).finally(() => slow.dispose());
    if (!entry.definition.handler.isAsync) return work;
    // Nothing waits for it. It ends with the turn at the latest.
    work.catch((error: unknown) => {
      if (!(error instanceof Interrupt)) host.log.error("a hook failed", error);
    });
    return { context: [] };
  }

  async #work(id: string, entry: HookEntry, moment: HookMoment, signal: AbortSignal): Promise<HookVerdict> {
    let end: ProgramEnd;
    try {
      end = await this.#start(entry.definition, moment, signal);
    } catch (error) {
      const isStopped = error instanceof Interrupt;
      const why = isStopped ? "" : messageOf(error);
      this.#report(id, entry, moment, { outcome: isStopped ? "stopped" : "failed", why, output: "" });
      if (isStopped) throw error;
      return failure(entry, why);
    }
    const [stdout, stderr] = [printed(end.stdout), printed(end.stderr)];
    const output = [stdout, stderr]
      .filter((each) => each.trim() !== "")
      .join("\n")
      .slice(0, SHOWN_OUTPUT);
    const { exitCode } = end;
    if (end.endedBy === "time-limit" || (exitCode !== 0 && exitCode !== 2)) {
      const isLate = end.endedBy === "time-limit";
      const seconds = String(timeLimit(entry.definition, moment.event) / 1000);
      const why = isLate ? seconds : String(exitCode ?? end.signal ?? "");
      this.#report(id, entry, moment, { outcome: isLate ? "timed-out" : "failed", why, output });
      return failure(entry, isLate ? `It took longer than ${seconds} s.` : `It ended with ${why}.`);
    }
    const verdict = verdictOf(moment.event, exitCode, stdout, stderr);
    const why = verdict.reason ?? verdict.stop ?? verdict.message ?? "";
    this.#report(id, entry, moment, { outcome: outcomeOf(verdict), why: why.slice(0, LONGEST_TEXT), output });
    return verdict;
  }

  /** Rejects with ToolError if the program cannot be started, and with Interrupt. */
  #start(hook: HookDefinition, moment: HookMoment, signal: AbortSignal): Promise<ProgramEnd> {
    const { host } = this.#deps;
    const { handler, folder, plugin } = hook;
    const here = host.workspace.root ?? folder ?? host.system.home;
    const cwd = handler.cwd === undefined ? here : resolve(folder ?? here, handler.cwd);
    const whole = (text: string) => expanded(text, { folder, home: host.system.home, plugin });
    const start = handler.args
      ? { program: whole(handler.command), args: handler.args.map(whole) }
      : shellStart(hook, host.system.platform);
    return host.programs.run({
      ...start,
      cwd,
      environment: {
        ...handler.env,
        CLAUDE_PROJECT_DIR: folder ?? here,
        ...(plugin ? pluginVariables(plugin) : {}),
      },
      input: JSON.stringify(this.#inputOf(moment, here)),
      timeoutMs: timeLimit(hook, moment.event),
      signal,
      outputLimit: OUTPUT_LIMIT,
    });
  }

  /** The input in the forms of all agents: Claude Code and Codex have snake case, VS Code and Copilot have camel case. */
  #inputOf({ event, fields = {} }: HookMoment, cwd: string): Record<string, unknown> {
    const { host, session, permissionMode } = this.#deps;
    const all: Record<string, unknown> = {
      session_id: session.id,
      // The conversation is not stored as a file that other programs can read.
      transcript_path: "",
      cwd,
      permission_mode: session.mode === "plan" ? "plan" : permissionMode(),
      hook_event_name: event,
      timestamp: host.clock.now().toISOString(),
      ...fields,
    };
    const camel = Object.entries(all).map(([key, value]) => [
      key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]);
    const args = fields.tool_input === undefined ? {} : { toolArgs: JSON.stringify(fields.tool_input) };
    return { ...all, ...Object.fromEntries(camel), ...args };
  }

  #report(
    id: string,
    { definition }: HookEntry,
    { event }: HookMoment,
    run: Pick<HookNotice, "outcome" | "why" | "output">,
  ): void {
    const command = sliceWhole(hookCommand(definition), 0, SHOWN_COMMAND);
    const values = hookNoticeValues({ event, command, ...run });
    this.#deps.session.emit({ type: "notice", id, code: "hook", values });
  }

  async #bounded(text: string): Promise<string> {
    if (text.length <= LONGEST_TEXT) return text;
    const path = await this.#deps.hooks.keep(text);
    return `${sliceWhole(text, 0, PREVIEW)}\n[... ${text.length - PREVIEW} more characters; all of it is in ${path} ...]`;
  }
}

function isFor({ bindings }: HookDefinition, { event, subject, fields = {} }: HookMoment): boolean {
  const { tool_name: tool, tool_input: input } = fields;
  return bindings.some(
    (binding) =>
      binding.event === event &&
      (subject === undefined || isMatch(binding.matcher, subject)) &&
      (typeof tool !== "string" || isCovered(binding.condition, tool, Object(input))),
  );
}

/** A hook that failed decides nothing, unless the user wants to be asked then. */
function failure({ record, definition }: HookEntry, why: string): HookVerdict {
  if (!record.asksIfItFails) return { context: [] };
  return {
    decision: "ask",
    reason: `${sliceWhole(hookCommand(definition), 0, SHOWN_COMMAND)}: ${why}`,
    context: [],
  };
}

function outcomeOf({ decision, stop }: HookVerdict): HookRunOutcome {
  if (stop !== undefined || decision === "deny") return "blocked";
  if (decision === "ask") return "asked";
  return decision === "allow" ? "allowed" : "done";
}

function printed({ bytes }: ProgramEnd["stdout"]): string {
  return terminalText(new TextDecoder().decode(bytes));
}

/** The program that runs the command line of the hook. The interpreter is not one of the project's. */
function shellStart(
  { handler, plugin }: HookDefinition,
  platform: string,
): { program: string; args: string[] } {
  if (handler.shell === "powershell") {
    const program = platform === "win32" ? "powershell" : "pwsh";
    // There, a name alone is a variable of the shell, which the environment does not set.
    const command = plugin
      ? handler.command.replace(/\$\{((?:CLAUDE_)?PLUGIN_(?:ROOT|DATA))\}/g, "$${env:$1}")
      : handler.command;
    return { program, args: ["-NoLogo", "-NoProfile", "-NonInteractive", "-Command", command] };
  }
  const program = platform === "win32" ? "bash" : join("/bin", "sh");
  return { program, args: ["-c", handler.command] };
}
