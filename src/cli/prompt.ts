/** The input between two turns: the next message, or a command of the terminal host. */

import type { Project } from "../core/agent/project.ts";
import type { View } from "../core/agent/view.ts";
import { messageOf } from "../core/errors.ts";
import { ACCESS_CLASSES, LEVEL_ACCESS, LEVELS, levelOf, levelSchema } from "../shared/permission/levels.ts";
import { planStartIn } from "../shared/plan-document.ts";
import { rowsOf } from "../shared/view/reducer.ts";
import { agentItemText, modeItems } from "../shared/words/agent-words.ts";
import { accessTitle, levelText, levelTitle } from "../shared/words/permission-words.ts";
import type { Translate } from "../shared/words/task-words.ts";
import { memoryNoteText } from "./memory/memory-lines.ts";
import type { ModelCommands } from "./model-commands.ts";
import type { RestoreCommands } from "./restore-commands.ts";
import { oneLine } from "./screen.ts";
import type { SessionCommands } from "./session-commands.ts";
import type { Terminal } from "./terminal.ts";

export interface Prompt {
  project: Project;
  view: View;
  terminal: Terminal | undefined;
  restoreCommands: RestoreCommands;
  modelCommands: ModelCommands;
  sessionCommands: SessionCommands;
  t: Translate;
  err(text: string): void;
  signal: AbortSignal;
}

/**
 * The first message of a run, after an offer to continue one of the last sessions: Enter starts a new task, and a number
 * continues that session.
 */
export async function firstMessage(prompt: Prompt): Promise<string | undefined> {
  const { sessionCommands } = prompt;
  const isOffered = await sessionCommands.offer();
  return nextMessage(prompt, "", isOffered ? (line) => sessionCommands.open(line) : undefined);
}

/**
 * The next message; undefined when there is no message or no user. `initial`: the initial text of the input line. `choose`
 * gets the first line, and resolves with whether it was a choice.
 */
export async function nextMessage(
  prompt: Prompt,
  initial = "",
  choose?: (line: string) => Promise<boolean>,
): Promise<string | undefined> {
  const { terminal, signal } = prompt;
  const complete = (line: string) => completions(prompt, line);
  listNextSteps(prompt);
  // The input is a single line.
  let draft = initial.includes("\n") ? "" : initial;
  let chooses = choose;
  for (;;) {
    const line = await resultUnlessAborted(signal, terminal?.ask("> ", signal, draft, false, complete));
    const text = line?.trim();
    if (text === undefined || text === "/exit") return undefined;
    draft = "";
    const isChoice = text !== "" && (await chooses?.(text));
    chooses = undefined;
    if (text === "" || isChoice) continue;
    const [name = "", ...rest] = text.split(/\s+/);
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (planStartIn(text) && !prompt.view.active.plans.find() && !(await hasCommand(prompt, "start"))) {
      prompt.err(`${prompt.t("There is no plan to start. In plan mode, ask for one.")}\n`);
      continue;
    }
    if (!command) return text;
    draft = (await resultUnlessAborted(signal, command(prompt, rest))) ?? "";
    if (signal.aborted) return undefined;
  }
}

/** Whether a file defines a command of this name. */
async function hasCommand({ project }: Prompt, name: string): Promise<boolean> {
  return (await project.slashCommands()).some((command) => command.name === name);
}

/** The lines that begin with this one, which has nothing but the beginning of a command. */
async function completions({ project }: Prompt, line: string): Promise<string[]> {
  if (!/^\/\S*$/.test(line)) return [];
  const offered = (await project.slashCommands()).map(({ name }) => `/${name}`);
  const names = new Set([...Object.keys(commands), "/start", "/exit", ...offered]);
  return [...names].filter((name) => name.startsWith(line)).map((name) => `${name} `);
}

/** The result of `work`; undefined if it fails because the signal aborted. */
async function resultUnlessAborted<T>(
  signal: AbortSignal,
  work: Promise<T> | undefined,
): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** Resolves with the initial text of the next input line. */
type Command = (prompt: Prompt, words: readonly string[]) => Promise<string | undefined>;

const commands: Record<string, Command> = {
  "/help": async ({ t, err }) => {
    for (const [name, text] of helpLines(t)) err(`  ${name.padEnd(34)}${text}\n`);
    return undefined;
  },
  "/clear": async ({ view, err, t }) => {
    await view.newTask();
    err(`${t("A new task begins with your next message.")}\n`);
    return undefined;
  },
  "/plan": (prompt) => setMode(prompt, "plan"),
  "/act": (prompt) => setMode(prompt, "act"),
  "/agent": agent,
  "/next": nextStep,
  "/model": async ({ modelCommands }, words) => {
    await modelCommands.run(words.join(" "));
    return undefined;
  },
  "/permission": (prompt, [level]) => permission(prompt, level),
  "/cost": async ({ modelCommands }) => {
    modelCommands.cost();
    return undefined;
  },
  "/choose": async ({ view, err, t }, [which = ""]) => {
    const row = rowsOf(view.active.chatView).findLast(({ kind }) => kind === "comparison");
    const answer = row?.kind === "comparison" ? row.answers[Number(which) - 1] : undefined;
    const accepted = row && answer && (await view.active.comparisons.choose(row.id, Number(which) - 1));
    err(
      `${accepted ? t("Continuing with the answer of {0}.", answer.name) : t("There is no answer {0} to continue with.", which)}\n`,
    );
    return undefined;
  },
  "/sessions": async ({ sessionCommands }, words) => {
    await sessionCommands.run(words.join(" "));
    return undefined;
  },
  "/memory": async ({ view, err, t }) => {
    const notes = view.active.requests.notes();
    err(`${t("Notes from memory in this task: {0}", notes.length)}\n`);
    for (const note of notes) err(memoryNoteText(t, note));
    err(`${t("To see and delete all of them: {0}", "nekode memory --help")}\n`);
    return undefined;
  },
  "/checkpoints": async ({ restoreCommands }) => {
    await restoreCommands.list();
    return undefined;
  },
  "/changes": async ({ restoreCommands }, [which]) => {
    await restoreCommands.changes(which);
    return undefined;
  },
  "/restore": async ({ restoreCommands, err }, [which, extent]) => {
    const text = await restoreCommands.restore(which, extent);
    // The input is a single line.
    if (text?.includes("\n")) err(`${text}\n`);
    return text?.includes("\n") ? undefined : text;
  },
  "/undo": async ({ restoreCommands }) => {
    await restoreCommands.undo();
    return undefined;
  },
};

function helpLines(t: Translate): [string, string][] {
  return [
    ["/NAME [TEXT]", t("call a skill or a command; Tab completes its name")],
    ["/model [NAME]", t("list the models, or switch to one by its number or name")],
    ["/agent [NAME]", t("list the agents, or choose one from your next message on")],
    [
      "/next [N]",
      t("list the next steps that the agent offers, or take one: it chooses an agent and writes a message"),
    ],
    ["/permission [ask|edits|safe|all]", t("show or change what runs without asking in this session")],
    ["/choose N", t("continue with answer N of several models")],
    ["/clear", t("start a new task")],
    ["/sessions [N]", t("list the last sessions of this project, or continue session N")],
    ["/cost", t("show what this task has cost")],
    ["/memory", t("list the notes of earlier tasks that this task has read")],
    ["/checkpoints", t("list your messages and what changed after each")],
    ["/changes [N]", t("show the differences since message N (default: the last one)")],
    ["/restore N [files|conversation|both]", t("restore to before message N")],
    ["/undo", t("undo the last change or the last restore")],
    ["/plan, /act", t("switch to plan mode (changes nothing) or act mode (asks before changes)")],
    [
      "/start [new|worktree] [model NAME] [agent NAME]",
      t("carry out the last plan: here, in a new task, or in a worktree"),
    ],
    ["/exit", t("exit")],
  ];
}

async function setMode({ view, err, t }: Prompt, mode: "plan" | "act"): Promise<undefined> {
  await view.active.setMode(mode);
  const plan = t("Plan mode: nothing is changed.");
  err(`${mode === "plan" ? plan : t("Act mode: changes are made with your approval.")}\n`);
  if (mode === "act" && view.active.planWaits) err(`${t("Your next message carries out the plan.")}\n`);
}

async function agent({ project, view, err, t }: Prompt, [name]: readonly string[]): Promise<undefined> {
  try {
    if (name !== undefined) await project.chooseAgent(view.active, name);
  } catch (error) {
    err(`${oneLine(messageOf(error))}\n`);
    return;
  }
  const { agent: chosen, mode } = view.active.chatView;
  const current = chosen ?? mode;
  const agents = await project.agents();
  const items = [
    ...modeItems(t),
    ...agents.map((item) => ({ name: item.name, text: agentItemText(t, item) })),
  ].filter((item) => name === undefined || item.name === current);
  for (const item of items)
    err(`${item.name === current ? "*" : " "} ${oneLine(`${item.name.padEnd(16)} ${item.text}`)}\n`);
}

/** What the session's agent offers after a turn. */
function listNextSteps({ view, err, t }: Pick<Prompt, "view" | "err" | "t">): void {
  const { agent: chosen, messages } = view.active.transcript;
  const steps = messages.length === 0 ? [] : (chosen?.handoffs ?? []);
  if (steps.length > 0) err(`${t("Next steps")}\n`);
  for (const [index, { label, agent }] of steps.entries())
    err(`  ${oneLine(`/next ${index + 1}  ${label} (${agent})`)}\n`);
}

/** Chooses the agent of a step. Its message becomes the input line, which the user sends. */
async function nextStep(prompt: Prompt, [which]: readonly string[]): Promise<string | undefined> {
  const { project, view, err, t } = prompt;
  if (which === undefined) {
    listNextSteps(prompt);
    return undefined;
  }
  const step = view.active.transcript.agent?.handoffs[Number(which) - 1];
  if (!step) {
    err(`${t("There is no next step {0}.", oneLine(which))}\n`);
    return undefined;
  }
  try {
    await project.chooseAgent(view.active, step.agent);
    return step.prompt.replace(/\s+/g, " ");
  } catch (error) {
    err(`${oneLine(messageOf(error))}\n`);
    return undefined;
  }
}

async function permission({ view, err, t }: Prompt, word: string | undefined): Promise<undefined> {
  const level = levelSchema.safeParse(word).data;
  if (word !== undefined && level === undefined) {
    err(`${t("There is no level {0}. Levels: {1}", word, LEVELS.join(", "))}\n`);
    return;
  }
  if (level) await view.active.changePermission({ classes: LEVEL_ACCESS[level], exceptions: null });
  const { access } = view.active;
  const now = levelOf(access);
  const named = ACCESS_CLASSES.filter((name) => access[name]).map((name) => accessTitle(t, name));
  err(
    `${now === "custom" ? t("Without asking: {0}", named.join(", ")) : `${levelTitle(t, now)}: ${levelText(t, now)}`}\n`,
  );
}
