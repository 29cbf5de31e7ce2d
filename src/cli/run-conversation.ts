/** The conversation of one run: its session, its first message and its output. */
import { writeFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import type { Project } from "../core/agent/project.ts";
import type { View } from "../core/agent/view.ts";
import { messageOf } from "../core/errors.ts";
import type { ProjectServers } from "../core/servers/project-servers.ts";
import type { RequiredOutput } from "../core/tools/set/required-output.ts";
import { systemClock } from "../node/clock.ts";
import { onEndSignal } from "../node/end-signals.ts";
import { nodeFileStates } from "../node/files/disk-file-states.ts";
import type { TerminalHost } from "../node/terminal-host.ts";
import { JSON_VERSION, type RunReport, type WaitLine } from "../shared/run/run-report.ts";
import { type ChatView, rowsOf } from "../shared/view/reducer.ts";
import { visible } from "../shared/visible.ts";
import type { Translate } from "../shared/words/task-words.ts";
import { taskHereText } from "../shared/words/worktree-words.ts";
import type { Options } from "./command-options.ts";
import { copyCommand, movedSessionsText } from "./history/history.ts";
import { LongWait } from "./long-wait.ts";
import { ModelCommands, type ModelCommandsDeps } from "./model-commands.ts";
import { jsonPrinter, type Printer, textPrinter } from "./printer.ts";
import { firstMessage, nextMessage } from "./prompt.ts";
import { RestoreCommands } from "./restore-commands.ts";
import { EXIT_CODE, runInTerminal, type TerminalRun } from "./run.ts";
import { RunReporter } from "./run-reporter.ts";
import { jsonLine, type Screen } from "./screen.ts";
import { RunServers } from "./servers/run-servers.ts";
import { SessionCommands } from "./session-commands.ts";
import type { ProgramIo } from "./start/program-io.ts";
import { askYes, type Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

export interface Conversing extends Pick<ProgramIo, "stdin" | "stdout" | "stderr" | "signals"> {
  project: Project;
  view: View;
  host: TerminalRun["host"] & Pick<TerminalHost, "encodings">;
  screen: Screen;
  options: Options;
  /** The project's folder. */
  root: string;
  /** Of the program. */
  version: string;
  t: Translate;
  diffOf: TerminalRun["diffOf"];
  /** undefined: there is nobody to ask. */
  terminal: Terminal | undefined;
  servers: ProjectServers;
  /** What the final answer must be; undefined: any text. */
  output: RequiredOutput | undefined;
  /** See `ModelCommandsDeps.keep`. */
  keepModel: ModelCommandsDeps["keep"];
}

/** What a conversation answers would be sent to the model as a task. */
function refuseConversationCommand(task: string | undefined): void {
  if (task === undefined || !/^\s*\/(?:help|model|clear)\s*$/.test(task)) return;
  throw new UsageError(
    `${task.trim()} works in a conversation: start nekode without a message and type it there`,
  );
}

/** Resolves with the exit code. */
export async function converse({
  project,
  view,
  host,
  screen,
  options,
  root,
  version,
  t,
  diffOf,
  terminal,
  servers,
  keepModel,
  output,
  stdin,
  stdout,
  stderr,
  signals,
}: Conversing): Promise<number> {
  const err = (text: string) => void screen.err(text);
  const task = await taskOf(options, terminal, stdin);
  const interrupt = new AbortController();
  const { signal } = interrupt;
  const onSignal = () => interrupt.abort();
  const asked = onEndSignal(signals, onSignal);
  // The reader or the terminal no longer exists, so the running task is stopped as by a signal.
  const streams = [stdout, ...(terminal ? [stdin, stderr] : [])];
  for (const stream of streams) stream.on("error", onSignal);
  const printer = printerOf({ view, options, output, screen, t });
  const restoreCommands = new RestoreCommands({
    checkpoints: () => view.active.checkpoints,
    files: nodeFileStates,
    encodings: host.encodings,
    root,
    view: () => view.active.chatView,
    fork: (messageId) => view.fork(messageId),
    terminal: terminal ?? { ask: async () => undefined },
    signal,
    say: err,
    t,
  });
  const runServers = new RunServers({
    servers,
    answer: (id, answer) => view.active.serverForms.answer(id, answer),
    terminal,
    err,
    t,
    signal,
  });
  const resuming = { project, view, options, terminal, t, err, signal };
  const modelCommands = new ModelCommands({
    project,
    view,
    t,
    signal,
    settings: () => options.settings,
    keep: keepModel,
    say: err,
  });
  const sessionCommands = new SessionCommands({
    project,
    view,
    t,
    say: err,
    async open(id) {
      const isOpen = await resume(resuming, { id });
      if (isOpen) err(lastWords(view.active.chatView));
      if (isOpen && isUnderWay(view.active.chatView))
        err(`${t("This task was interrupted. Your next message continues it.")}\n`);
      return isOpen;
    },
  });
  const run = {
    modelCommands,
    sessionCommands,
    project,
    view,
    host,
    options,
    terminal,
    t,
    diffOf,
    err,
    signal,
    restoreCommands,
    servers: runServers,
    answer: options.answer,
  };
  refuseConversationCommand(task);
  const oneShot = (task ?? options.answer ?? output) !== undefined || terminal === undefined;
  let reporting: Reporting | undefined;
  try {
    err(await taskHereLine(run));
    if (options.resume !== undefined && !(await begin(run, options.resume))) return EXIT_CODE.error;
    reporting = report({ ...resuming, host, screen, root, version, diffOf, output }, printer);
    if (options.agent !== undefined) await chooseNamedAgent(project, view, options.agent);
    if (options.mode !== undefined) await view.active.setMode(options.mode);
    let first = task;
    if (!oneShot && !isUnderWay(view.active.chatView)) {
      err(lastWords(view.active.chatView));
      first = await (options.resume === undefined ? firstMessage(run) : nextMessage(run));
      if (first === undefined)
        return await reporting.end(signal.aborted ? EXIT_CODE.interrupted : EXIT_CODE.completed);
    }
    const code = await runInTerminal(run, first, oneShot);
    needAnswer(code, output, t);
    err(worktreeLine(view.active.chatView, options, t));
    return await reporting.end(code);
  } catch (error) {
    if (signal.aborted) return (await reporting?.end(EXIT_CODE.interrupted)) ?? EXIT_CODE.interrupted;
    await reporting?.end(EXIT_CODE.error, error);
    throw error;
  } finally {
    runServers.dispose();
    // The session must not be left open and unattended.
    await view.newTask();
    if (project.store.isReadAnyway) await project.library.cleanUp();
    asked.dispose();
    for (const stream of streams) stream.off("error", onSignal);
  }
}

/** Throws UsageError if there is no such agent. */
async function chooseNamedAgent(project: Project, view: View, name: string): Promise<void> {
  await project.chooseAgent(view.active, name).catch((error: unknown) => {
    throw new UsageError(messageOf(error));
  });
}

/** With a schema, standard output has the final answer alone. */
function printerOf({
  view,
  options,
  output,
  screen,
  t,
}: Pick<Conversing, "view" | "options" | "output" | "screen" | "t">): Printer {
  if (options.json) return jsonPrinter(screen);
  return textPrinter(output ? { ...screen, out: screen.err } : screen, t, () => view.active.chatView);
}

/** Throws if the run was completed, and no answer fits its schema. */
function needAnswer(code: number, output: Conversing["output"], t: Translate): void {
  if (code === EXIT_CODE.completed && output && !output.value)
    throw new Error(t("The task ended without a final answer that fits the schema."));
}

interface Reporting {
  /**
   * Ends the output with the report of the run, where one is wanted. `cause`: the error that ended the run. Returns the exit
   * code: `code`, or that of an error if the run was completed and its report cannot be written.
   */
  end(code: number, cause?: unknown): Promise<number>;
}

/** Prints events from now on, and collects what the report has. */
function report(
  run: Resuming & Pick<Conversing, "host" | "screen" | "root" | "version" | "diffOf" | "output">,
  printer: Printer,
): Reporting {
  const { project, options, output, screen, root, version, t } = run;
  if (options.json)
    void screen.out(jsonLine({ type: "start", version: JSON_VERSION, nekode: version, cwd: root }));
  const reporter = new RunReporter({ ...run, output: () => output?.value });
  const wait = new LongWait(systemClock, (session, seconds) => {
    const line: WaitLine = { type: "wait", session, seconds };
    if (options.json) void screen.out(jsonLine(line));
    else if (!run.terminal) run.err(`${t("The model has not answered for {0} seconds.", seconds)}\n`);
  });
  const printing = project.onEvent((event) => {
    printer.print(event);
    reporter.collect(event);
    wait.follow(event);
  });
  return {
    async end(code, cause) {
      printing.dispose();
      wait.dispose();
      if (!options.json && code === EXIT_CODE.completed && output?.value)
        await screen.out(jsonLine(output.value.json));
      if (!options.json && options.report === undefined) return code;
      const finished = await reporter.report(code, cause);
      const failure = options.report === undefined ? undefined : await writeReport(options.report, finished);
      if (failure) run.err(`nekode: ${messageOf(failure.error)}\n`);
      const whole =
        failure && code === EXIT_CODE.completed
          ? await reporter.report(EXIT_CODE.error, failure.error)
          : finished;
      if (options.json) await screen.out(jsonLine(whole));
      return whole.exit;
    },
  };
}

/** Resolves with the error if the file cannot be written. */
async function writeReport(file: string, report: RunReport): Promise<{ error: unknown } | undefined> {
  try {
    await writeFile(file, `${JSON.stringify(report, undefined, 2)}\n`);
    return undefined;
  } catch (error) {
    return { error };
  }
}

/** The task, which `-` reads from standard input. */
async function taskOf(
  options: Options,
  terminal: Terminal | undefined,
  stdin: Readable,
): Promise<string | undefined> {
  const task = options.task === "-" ? await readAll(stdin) : options.task;
  if (task?.trim() === "") throw new UsageError("TASK is empty");
  if (task === undefined && terminal === undefined && options.resume === undefined) {
    throw new UsageError("TASK is required when standard input is not a terminal");
  }
  return task;
}

/**
 * Text that says where the task works and how to review it; "" if it works in the project's folder, or if the output is JSON.
 */
function worktreeLine({ session }: ChatView, { json }: Options, t: Translate): string {
  const branch = session?.worktree?.branch;
  if (branch === undefined || json) return "";
  const review = "nekode worktree --help";
  return `${t("The task works in a worktree, on the branch {0}. To review it: {1}", visible(branch), review)}\n`;
}

/** Text that says that the folder is the worktree of another project's task; "" if it is not, or if the output is JSON. */
async function taskHereLine({ project, options, t }: Resuming): Promise<string> {
  const task = options.json ? undefined : await project.library.taskHere();
  return task ? `${visible(taskHereText(t, task))}\n` : "";
}

/** A session that was interrupted during a turn continues by itself on resume; one that had ended waits for the user. */
function isUnderWay(view: ChatView): boolean {
  if (view.status !== "idle") return true;
  const last = rowsOf(view).findLast(({ kind }) => kind !== "checkpoint");
  return last?.kind === "notice" && last.code === "interrupted";
}

/** The state of a session that is resumed. */
function lastWords(view: ChatView): string {
  const rows = rowsOf(view);
  const message = rows.findLast((row) => row.kind === "user");
  if (message?.kind !== "user") return "";
  const answer = rows
    .slice(rows.indexOf(message))
    .findLast((row) => row.kind === "text" || row.kind === "call");
  const text = answer?.kind === "text" || answer?.kind === "call" ? answer.text : "";
  return `> ${visible(message.text)}\n${text === "" ? "" : `${visible(text)}\n`}`;
}

interface Resuming {
  project: Project;
  view: View;
  options: Options;
  terminal: Terminal | undefined;
  t: Translate;
  err(text: string): void;
  signal: AbortSignal;
}

/** Resumes the session of a run. Resolves with false if the run ends; the reason has been printed. */
async function begin(run: Resuming, which: NonNullable<Options["resume"]>): Promise<boolean> {
  const { view, options, t, err } = run;
  if (!(await resume(run, which))) return false;
  if (options.answer === undefined || view.active.chatView.status !== "idle") return true;
  err(`nekode: ${t("No call is waiting for an answer in session {0}.", view.active.id)}\n`);
  return false;
}

/** False: another process uses the session, and the user leaves it there. */
async function resume(resuming: Resuming, which: NonNullable<Options["resume"]>): Promise<boolean> {
  const { project, view, options, terminal, t, err, signal } = resuming;
  const own = (await project.history()).find(({ parent }) => parent === undefined);
  const id = which === "latest" ? own?.id : which.id;
  if (id === undefined) {
    const moved = await movedSessionsText(project.library, t);
    const hint = moved === "" ? "" : `\n\n${moved.trimEnd()}`;
    throw new UsageError(`this project has no session to continue${hint}`);
  }
  const opened = await view.open(id, { takeOver: options.takeOver }).catch(async (error: unknown) => {
    const other = await project.library.other(id);
    if (!other) throw error;
    const { folder, name } = other.project;
    const hint =
      folder === undefined
        ? `\n${copyCommand(id)}`
        : ` nekode --cwd ${JSON.stringify(folder)} --resume ${id}`;
    throw new Error(`${t("Session {0} belongs to another project: {1}", id, folder ?? name)}${hint}`);
  });
  if (!opened.elsewhere) return true;
  const elsewhere = t("Session {0} is open in another window or terminal.", id);
  if (!terminal) {
    err(`nekode: ${elsewhere} ${t("Use --take-over to continue it here.")}\n`);
    return false;
  }
  err(`${elsewhere}\n`);
  if (!(await askYes(terminal, t, t("Take over this session?"), signal))) return false;
  await view.open(id, { takeOver: true });
  return true;
}
