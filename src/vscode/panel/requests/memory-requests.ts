/** Answers the panel's requests about the memory of the project, independent of the editor. */
import type { Project } from "../../../core/agent/project.ts";
import { ToolError } from "../../../core/errors.ts";
import type { ProjectMemory } from "../../../core/memory/project-memory.ts";
import { type MemoryAction, type MemoryList, memoryActionSchema } from "../../../shared/memory-list.ts";
import type { Result } from "../../../shared/protocol.ts";
import { reasonWords } from "../../../shared/words/reasons/reasons.ts";
import type { Translate } from "../../../shared/words/task-words.ts";
import * as z from "../../../shared/zod.ts";

export interface MemoryRequestDeps {
  /** undefined: no folder is open, so nothing is remembered. */
  memory: ProjectMemory | undefined;
  project: Pick<Project, "history">;
  isOn(): boolean;
  openFile(file: string): Promise<void>;
  t: Translate;
}

export function memoryRequests(deps: MemoryRequestDeps): (ask: unknown) => Promise<Result<"memory/ask">> {
  const { memory, project, isOn, t } = deps;
  return async (ask) => {
    if (!memory) return { list: { notes: [], file: "", on: isOn() } satisfies MemoryList };
    const action = z.nullable(memoryActionSchema).parse(ask);
    try {
      if (action) await act(action, memory, deps);
    } catch (error) {
      throw error instanceof ToolError && error.fault ? new Error(reasonWords(t, error.fault)) : error;
    }
    const [{ notes, problem }, sessions] = await Promise.all([memory.read(), project.history()]);
    const titles = new Map(sessions.map(({ id, title }) => [id, title]));
    const list: MemoryList = {
      notes: notes.map((note) => {
        const title = titles.get(note.session ?? "");
        return title === undefined ? note : { ...note, title };
      }),
      file: memory.file,
      ...(problem ? { problem } : {}),
      on: isOn(),
    };
    return { list };
  };
}

async function act(
  action: MemoryAction,
  memory: ProjectMemory,
  { openFile }: MemoryRequestDeps,
): Promise<void> {
  switch (action.action) {
    case "remove":
      await memory.remove(action.id);
      return;
    case "clear":
      await memory.clear();
      return;
    case "undo":
      await memory.undo(action.change);
      return;
    case "open":
      await openFile(memory.file);
  }
}
