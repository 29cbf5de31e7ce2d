/** `nekode memory`: lists and deletes what is remembered about a project. No session is opened, and no model is asked. */
import path from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { ProjectMemory } from "../../core/memory/project-memory.ts";
import { onEndSignal } from "../../node/end-signals.ts";
import { projectMemory } from "../../node/open-project.ts";
import { defaultDataDir } from "../../node/store/project-store.ts";
import { reasonWords } from "../../shared/words/reasons/reasons.ts";
import { commandLine } from "../command-line.ts";
import { folderAt, type ProgramContext, print } from "../program.ts";
import { EXIT_CODE } from "../run.ts";
import { jsonLine, oneLine } from "../screen.ts";
import { askYes, userTerminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { memoryNoteText } from "./memory-lines.ts";

export const MEMORY_USAGE = `Usage: nekode memory [list] [--json]
       nekode memory remove ID...
       nekode memory clear [--yes]
       nekode memory path

Shows and deletes the notes that the agent made about a project for later tasks. They are in a Markdown file in your data
folder, which you can also edit.

  list             list the notes with their ids, dates and sessions
  remove           delete notes
  clear            ask, and delete all notes
  path             print the path of the file

  --yes            do not ask
  --json           list as JSON, one note per line
  --cwd DIR        project folder (default: current folder)
  --data-dir DIR   folder that stores the notes (NEKODE_DATA_DIR)

Exit codes: 0 done, 1 error, 2 invalid usage.
`;

interface MemoryRun {
  memory: ProjectMemory;
  run: ProgramContext;
  json: boolean;
  yes: boolean;
}

/** What the first word runs, with the further words. Resolves with the exit code. */
const ACTIONS: Readonly<Record<string, (run: MemoryRun, ids: readonly string[]) => Promise<number>>> = {
  list,
  remove,
  clear,
  path: ({ memory, run }) => print(run, `${memory.file}\n`),
};

/** Resolves with the exit code. */
export async function manageMemory(run: ProgramContext, args: readonly string[]): Promise<number> {
  const { values, positionals } = commandLine(args, {
    yes: { type: "boolean" },
    json: { type: "boolean" },
    cwd: { type: "string" },
    "data-dir": { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  if (values.help) return print(run, MEMORY_USAGE);
  const [name = "list", ...ids] = positionals;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (!action)
    throw new UsageError(`memory accepts list, remove, clear and path, not ${JSON.stringify(name)}`);
  if ((name === "remove") !== ids.length > 0)
    throw new UsageError(
      name === "remove" ? "memory remove requires the ID of a note" : `memory ${name} accepts no ID`,
    );
  const root = folderAt(path.resolve(run.cwd, values.cwd ?? "."));
  const given = values["data-dir"];
  const dataDir = given === undefined ? defaultDataDir(run.environment) : path.resolve(run.cwd, given);
  const memory = projectMemory(root, dataDir, run.log);
  if (!memory) throw new UsageError("there is no home folder; specify a folder with --data-dir");
  try {
    return await action({ memory, run, json: values.json ?? false, yes: values.yes ?? false }, ids);
  } catch (error) {
    throw error instanceof ToolError && error.fault ? new Error(reasonWords(run.t, error.fault)) : error;
  }
}

async function list({ memory, run, json }: MemoryRun): Promise<number> {
  const { notes, problem } = await memory.read();
  const { screen, t } = run;
  if (problem) {
    const why = t("{0} is too large or not readable as text", memory.file);
    await screen.err(`nekode: ${oneLine(t("The memory is not used: {0}", why))}\n`);
    return EXIT_CODE.error;
  }
  if (json) for (const note of notes) await screen.out(jsonLine(note));
  else if (notes.length === 0) await screen.err(`${t("Nothing is remembered yet.")}\n`);
  else await screen.out(notes.map((note) => memoryNoteText(t, note)).join(""));
  return EXIT_CODE.completed;
}

async function remove({ memory, run }: MemoryRun, ids: readonly string[]): Promise<number> {
  const { notes } = await memory.read();
  // All or none: a mistyped id removes nothing.
  const unknown = ids.find((id) => !notes.some((note) => note.id === id));
  if (unknown !== undefined)
    throw new UsageError(run.t("There is no note {0}. See: {1}", oneLine(unknown), "nekode memory list"));
  for (const id of ids) await memory.remove(id);
  return print(run, `${run.t("Deleted notes: {0}", ids.length)}\n`);
}

async function clear({ memory, run, yes }: MemoryRun): Promise<number> {
  const { stdin, stderr, signals, t } = run;
  const { notes } = await memory.read();
  if (!yes && notes.length > 0) {
    const terminal = userTerminal(stdin, stderr);
    if (!terminal) throw new UsageError("memory clear requires --yes where nobody can be asked");
    const interrupt = new AbortController();
    const asked = onEndSignal(signals, () => interrupt.abort());
    try {
      const question = t("Delete all {0} notes? This cannot be undone.", notes.length);
      if (!(await askYes(terminal, t, question, interrupt.signal))) return EXIT_CODE.completed;
    } finally {
      asked.dispose();
    }
  }
  return print(run, `${t("Deleted notes: {0}", await memory.clear())}\n`);
}
