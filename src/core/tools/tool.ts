/**
 * What a tool is. One file a tool: the registry, the prompt's documentation, the native schema, argument checking and
 * the approval row all derive from its definition.
 */
import type { z } from "zod";
import type { Access, ApprovalView } from "../../shared/event.ts";
import type { Mode, RemovedFile, ResultPart, ShownResult } from "../../shared/message.ts";
import type { Settings } from "../../shared/settings.ts";
import type { ToolFace } from "../../shared/tool-face.ts";
import type { Host } from "../ports/host.ts";
import { jsonInput, type ToolInput, zodInput } from "./set/tool-input.ts";

/** What a tool may use. One for a task; a call gets its own signal when it runs. */
export interface ToolContext {
  host: Host;
  settings(): Settings;
  mode(): Mode;
  /** Version of each file when the model last saw its content, by absolute path. */
  seen: Map<string, string>;
  /** Whether an edit of this absolute path would run without asking: then no preview is opened. */
  editAllowed(path: string): Promise<boolean>;
  /** Why reading this absolute path asks or is refused: then no answer may quote the file. undefined: it is an ordinary one. */
  unreadable(path: string): Promise<string | undefined>;
  signal: AbortSignal;
}

export interface RunContext {
  signal: AbortSignal;
  /** Aborts when what runs shall go on in the background. */
  goOn?: AbortSignal;
  onOutput(text: string): void;
}

/** How a call ended the turn: the person's next message answers it. */
export type TurnEnd = "completed" | "asked" | "planned";

export interface ToolOutput {
  parts: ResultPart[];
  shown?: ShownResult;
  /** It ran and went wrong (a command's exit code is not that). */
  failed?: boolean;
  /** What it removed, kept with the result so that it can be brought back. */
  removed?: RemovedFile[];
  /** What the task does next, as the person chose: begin anew with that context, or go on with that summary. */
  follow?: { type: "new-task" | "condense"; text: string };
}

/** A path that a call touches, absolute as the tool resolved it; the judge follows links. */
export interface PathUse {
  path: string;
  access: "read" | "write";
  /** Of a write whose text is known: what stood there (null: nothing) and what will. */
  change?: { before: string | null; after: string };
}

/**
 * A validated call: what the person approves and what runs are this one object. `run` is called at most once;
 * either `run` or `discard` ends it.
 */
export interface Invocation {
  paths: PathUse[];
  command?: string;
  /** The model marks the command as one that requires approval. */
  requiresApproval?: boolean;
  /** Whatever the settings allow, the person is asked. */
  alwaysAsks?: boolean;
  view: Omit<ApprovalView, "callId" | "access" | "reason">;
  run(context: RunContext): Promise<ToolOutput>;
  discard?(): Promise<void>;
}

/** Watches a call while its arguments stream, so that an edit can be seen growing. Never changes a file. */
export interface CallStream {
  param(name: string, delta: string): void;
  /** The call will not be prepared. */
  abandon(): Promise<void>;
}

/** A tool of another product that models know, in terms of the tool that stands for it here. */
export interface ToolAlias {
  name: string;
  /** Its parameters, and what each is here. */
  params: Readonly<Record<string, string>>;
  /** As in `ToolSyntax`. */
  text: string;
  /** Values, by our parameter, that have another meaning there. */
  convert?: Readonly<Record<string, (value: unknown) => unknown>>;
  /** Its contract, where it is narrower than ours. A call keeps the name that the model used, so it survives a restart. */
  contract?(tool: Tool): Tool["prepare"];
}

/** The file that a result shows, so that a later result which shows it too takes its place. */
export interface ShownFile {
  path: string;
  /** "": all of them. */
  lines: string;
}

/** How a result is shortened once it is old and room is short. */
export interface OldResult {
  /** The note that takes its place begins with the result's first line, unless this is false. */
  firstLine?: boolean;
  /** `text`: of the result. */
  shows?(params: Readonly<Record<string, unknown>>, text: string): ShownFile | undefined;
}

export interface Tool {
  name: string;
  face: ToolFace;
  aliases?: readonly ToolAlias[];
  /** Other names under which models know its parameters. */
  paramNames?: Readonly<Record<string, readonly string[]>>;
  oldResult?: OldResult;
  access: Access;
  /** Modes in which it may be called; access classes restrict further. */
  modes: readonly Mode[];
  /** For the model. */
  description: string;
  input: ToolInput;
  /** What a required parameter counts as where the model leaves it out: the value that is careful. */
  absent?: Readonly<Record<string, unknown>>;
  /** What the call is about, from raw, possibly incomplete arguments: a path, a command. Shown and used as the label. */
  subject(params: Record<string, unknown>): string;
  /** Asks again and again for what may have come meanwhile: the same answer twice is no sign of a loop. */
  polls?: boolean;
  /** Ends the turn: the person's next message is its result. */
  turnEnd?: TurnEnd;
  stream?(context: ToolContext): CallStream;
  /** Validates against the world (paths exist, the diff fits). Throws ToolError for the model. */
  prepare(params: unknown, context: ToolContext, stream?: CallStream): Promise<Invocation>;
}

interface ToolSpec<T> extends Omit<Tool, "input" | "prepare" | "modes" | "subject"> {
  modes?: readonly Mode[];
  /** What says what the call is about: a parameter's name, or a reader of a parameter's text. */
  subjectParam?: string;
  subjectOf?(value: string): string;
  prepare(params: T, context: ToolContext, stream?: CallStream): Promise<Invocation>;
}

/** A tool of ours, whose parameters zod describes. */
export function defineTool<S extends z.ZodObject>({
  schema,
  ...spec
}: ToolSpec<z.output<S>> & { schema: S }): Tool {
  return withInput(zodInput(schema), spec);
}

/** A tool of somebody else's, whose parameters a JSON schema describes. Throws for what is no schema of an object. */
export function defineForeignTool({
  schema,
  ...spec
}: ToolSpec<Record<string, unknown>> & { schema: unknown }): Tool {
  return withInput(jsonInput(schema), spec);
}

function withInput<T extends Record<string, unknown>>(input: ToolInput<T>, spec: ToolSpec<T>): Tool {
  const { subjectParam, subjectOf, prepare, ...rest } = spec;
  return {
    modes: ["plan", "act"],
    ...rest,
    input,
    subject(params) {
      const value = subjectParam === undefined ? undefined : params[subjectParam];
      if (typeof value !== "string") return "";
      return subjectOf ? subjectOf(value) : value;
    },
    // Parsed again here so that what runs is what the schema says, whoever calls.
    prepare: (params, context, stream) => prepare(input.check(params), context, stream),
  };
}

export function textOutput(text: string, shown?: ShownResult): ToolOutput {
  return { parts: [{ type: "text", text }], ...(shown ? { shown } : {}) };
}
