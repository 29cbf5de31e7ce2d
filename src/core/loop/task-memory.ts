/**
 * The memory of the project in a task: what its first message says of it, and the tool that writes to it. The notes are in a message, not
 * in the system prompt, which stays the same whatever is remembered.
 */
import type { EventBody } from "../../shared/event.ts";
import { type MemoryNote, memoryNoteSchema } from "../../shared/memory-list.ts";
import type { Block, Message } from "../../shared/message.ts";
import { reasonOf } from "../../shared/reason.ts";
import type { Settings } from "../../shared/settings.ts";
import * as z from "../../shared/zod.ts";
import type { KeyMask } from "../key-mask.ts";
import type { NoteDraft } from "../memory/memory-file.ts";
import type { MemoryWrite, ProjectMemory } from "../memory/project-memory.ts";
import type { Host } from "../ports/host.ts";
import { FORGOTTEN, memoryMessage, remembered } from "../prompts/memory-texts.ts";
import { withoutKnownSecrets } from "../secrets.ts";
import { rememberTool } from "../tools/remember.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";
import { type Invocation, type Tool, textOutput } from "../tools/tool.ts";
import { hasOutsideText } from "./outside-text.ts";

/** Share of the context window that the notes may take. */
const WINDOW_SHARE = 0.05;

export interface TaskMemoryDeps {
  /** Absent: nothing is remembered here. */
  memory?: ProjectMemory;
  host: Pick<Host, "workspace" | "clock" | "newId">;
  settings(): Settings;
  registry: Pick<ToolSet, "find">;
  conversation: {
    readonly id: string;
    readonly messages: readonly Message[];
    readonly keys: KeyMask;
    emit(event: EventBody): void;
  };
  /** Set for a subtask, which reads and does not write. */
  parentAgents?: unknown;
}

export class TaskMemory {
  readonly #deps: TaskMemoryDeps;
  readonly #tools: readonly Tool[];
  /** The file that could not be used at the task's start, until a notice reports it. */
  #unusable: string | undefined;

  constructor(deps: TaskMemoryDeps) {
    this.#deps = deps;
    this.#tools = [rememberTool((write) => this.#prepare(write))];
  }

  /** Offered from the begin of a turn on. */
  tools(): readonly Tool[] {
    return this.#memory && this.#deps.parentAgents === undefined ? this.#tools : [];
  }

  /** Blocks of the first message of a task: none if nothing is remembered. */
  async opening(contextWindow: number): Promise<Block[]> {
    const memory = this.#memory;
    if (!memory) return [];
    const { parentAgents } = this.#deps;
    const { notes, problem } = await memory.read();
    if (problem) this.#unusable = memory.file;
    const mask = await this.#mask();
    const usable = notes.flatMap(({ problem: unusable, ...note }): MemoryNote[] =>
      unusable ? [] : [{ ...note, ...masked(note, mask) }],
    );
    const mayWrite = parentAgents === undefined;
    const message = memoryMessage(usable, { tokens: contextWindow * WINDOW_SHARE, mayWrite });
    return message ? [{ type: "text", text: message.text, source: "context", memory: message.notes }] : [];
  }

  /** Notifies the user of a file that could not be used, once it has its place below the message. */
  notify(): void {
    const { host, conversation } = this.#deps;
    const file = this.#unusable;
    this.#unusable = undefined;
    if (file === undefined) return;
    conversation.emit({ type: "notice", id: host.newId(), code: "memory-unusable", values: [file] });
  }

  get #memory(): ProjectMemory | undefined {
    return this.#deps.settings().memory ? this.#deps.memory : undefined;
  }

  async #mask(): Promise<(text: string) => string> {
    const maskKeys = await this.#deps.conversation.keys.current();
    return (text) => withoutKnownSecrets(maskKeys(text));
  }

  async #prepare({ draft, replaces }: MemoryWrite): Promise<Invocation> {
    const memory = this.#memory;
    if (!memory) throw new Error("nothing is remembered here");
    const { host, conversation } = this.#deps;
    const mask = await this.#mask();
    const write = { draft: draft && masked(draft, mask), replaces };
    const { before } = await memory.check(write);
    return {
      paths: [],
      view: {},
      ...this.#doubt(before?.text ?? ""),
      run: async () => {
        const source = {
          date: host.clock.now().toISOString(),
          session: conversation.id,
          message: conversation.messages.findLast(({ role }) => role === "assistant")?.id ?? "unknown",
        };
        const change = await memory.write(write, source);
        const { id } = change;
        const text = id === undefined ? FORGOTTEN : remembered(id);
        return textOutput(text, { text: change.before?.text ?? "", memory: change });
      },
    };
  }

  /** A note is read in all later tasks, so what may have led to it decides whether it asks. `before`: what it replaces. */
  #doubt(before: string): Pick<Invocation, "alwaysAsks" | "doubt"> {
    const { host, conversation, registry } = this.#deps;
    const isDoubtful =
      !host.workspace.trusted ||
      hasOutsideText(conversation.messages, (name) => registry.find(name), host.workspace);
    if (!isDoubtful) return { doubt: reasonOf("memory-asks", before) };
    return { alwaysAsks: true, doubt: reasonOf("memory-untrusted", before) };
  }
}

function masked({ text, topic }: NoteDraft, mask: (text: string) => string): NoteDraft {
  return { text: mask(text), ...(topic === undefined ? {} : { topic: mask(topic) }) };
}

/** The notes that the task has read. */
export function notesIn(messages: readonly Message[]): MemoryNote[] {
  const blocks = messages.flatMap((message) => message.blocks);
  const found = blocks.find((block) => block.type === "text" && block.memory !== undefined);
  return found?.type === "text" ? z.array(memoryNoteSchema).parse(found.memory) : [];
}
