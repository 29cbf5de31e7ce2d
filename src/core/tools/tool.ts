/**
 * The types of a tool. Each tool is one file; the registry, the prompt's documentation, the native schema, argument
 * checking and the approval row all derive from its definition.
 */

import type { Access, ApprovalView } from "../../shared/event.ts";
import type {
  CallOutcome,
  Mode,
  RemovedFile,
  ResultImage,
  ResultPart,
  ShownResult,
} from "../../shared/message.ts";
import type { Reason } from "../../shared/reason.ts";
import type { FormAnswer, ServerForm } from "../../shared/server-form.ts";
import type { Settings } from "../../shared/settings.ts";
import type { ToolPresentation, WorkKind } from "../../shared/tool-presentation.ts";
import type { Totals } from "../../shared/totals.ts";
import type * as z from "../../shared/zod.ts";
import type { Disposable } from "../lifecycle.ts";
import type { Host } from "../ports/host.ts";
import type { ApprovedPlace, SandboxUse } from "../ports/sandbox.ts";
import type { ProjectServers } from "../servers/project-servers.ts";
import type { TaskPages } from "../task-pages.ts";
import type { TaskBrowser } from "./browser/task-browser.ts";
import type { TaskWriters } from "./editing/file-writers.ts";
import { jsonInput, type ToolInput, zodInput } from "./set/tool-input.ts";

/** What a tool may use. There is one instance for each task; a call gets its own signal when it runs. */
export interface ToolContext {
  host: Host;
  settings(): Settings;
  mode(): Mode;
  /** The version of each file when the model last saw its content, by absolute path. */
  seen: Map<string, string>;
  /** Which tasks wrote files; absent: this task is the only one. */
  writers?: TaskWriters;
  /** The tasks that this task starts; absent: it cannot start any. */
  children?: ChildTasks;
  /** The pages that this task fetches. */
  pages: TaskPages;
  /** Whether an edit of this absolute path runs without approval; if so, no preview opens. */
  editAllowed(path: string): Promise<boolean>;
  /** Why reading this absolute path needs approval or is denied; if so, no result may quote the file. undefined: reading is allowed. */
  unreadable(path: string): Promise<string | undefined>;
  /** Whether the current model accepts images, as far as is known. */
  seesImages(): boolean;
  browser: TaskBrowser;
  /** The project's MCP servers; undefined: the host has none. */
  servers?: ProjectServers;
  sessionId(): string;
  signal: AbortSignal;
}

export interface RunContext {
  callId: string;
  signal: AbortSignal;
  /** The call runs because its session was opened: nothing is sent to a model before the user decides something. */
  isRestored: boolean;
  /** Aborts to move the running command to the background. */
  moveToBackground?: AbortSignal;
  /** The command runs there. Absent: the user's approval or their settings let it run as theirs do. */
  sandbox?: SandboxUse;
  /** Indexes of the hunks of an edit that the user excluded. They are not written. */
  excludedHunks?: readonly number[];
  onOutput(text: string): void;
  /** As in the options of `Shell.run`. */
  onWaits?(waits: boolean, isHidden: boolean): void;
  /** Shows the user a question of the server that the call uses. `signal` withdraws it. */
  ask(form: Omit<ServerForm, "id">, signal: AbortSignal): Promise<FormAnswer>;
  /** Asks the user, unless they allow such edits, and makes the change that running the call led to. */
  propose(change: Invocation): Promise<ProposalOutcome>;
}

/** The outcome of a change that a call proposed while it was running. */
export type ProposalOutcome =
  | { type: "made"; output: ToolOutput; comment: string | undefined }
  | { type: "rejected"; comment: string | undefined }
  | { type: "denied"; reason: Reason };

/** How a call ended the turn; the user's next message answers it. */
export type TurnEnd = "completed" | "asked" | "planned";

export interface ToolOutput {
  parts: ResultPart[];
  /** Images for the row that the model does not get, because it does not see images. */
  pictures?: ResultImage[];
  shown?: ShownResult;
  /** The call ran and failed. A command's exit code is not a failure. */
  failed?: boolean;
  /** Default: "done", or "failed". */
  outcome?: CallOutcome;
  /** The cost of other conversations for the call. It is already included in the day's total. */
  spent?: readonly Totals[];
  /** Removed files, stored with the result so that they can be restored. */
  removed?: RemovedFile[];
  /** What the user chose: start a new task with this context, or continue this one with this summary. */
  follow?: { type: "new-task" | "condense"; text: string };
}

/** The tasks that a task starts. */
export interface ChildTasks {
  /** Rejects with ToolError if such a task cannot be started. */
  check(wanted: WantedChild): Promise<void>;
  /**
   * Runs the task of a call up to its report, or continues it if a restart interrupted it. Rejects with Interrupt when the signal
   * aborts.
   */
  run(wanted: WantedChild, context: RunContext): Promise<ToolOutput>;
  /** The task of a call that started and has no result; undefined: it never began. */
  interrupted(callId: string): Promise<InterruptedChild | undefined>;
}

/** A path that a call touches, absolute, as the tool resolved it; the judge follows links. */
export interface PathUse {
  path: string;
  access: "read" | "write";
  /** For a write whose text is known: the text before and after. null: no file. */
  change?: { before: string | null; after: string | null };
}

/** The site that a call of access class "web" contacts. */
export interface SiteUse {
  /** For display: an origin such as `http://localhost:3000`. */
  name: string;
  /** It is on this machine or a private network, and the settings do not list it. */
  isPrivate: boolean;
  /** It is opened in the user's own browser, in which the user may be signed in to it. */
  isOwnBrowser?: boolean;
  /**
   * granted: the user approved a call that contacts this site earlier in the task. harmless: the call contacts no site
   * that the last call did not.
   */
  standing?: "granted" | "harmless";
}

/** What decides whether a call of an MCP server, or of another extension, asks. */
export interface ServerUse {
  /** The user lets this tool run without approval. */
  always: boolean;
  /** The user marked the tool as only reading, so that plan mode may call it. */
  reading: boolean;
  /** The tool's definition changed since the user accepted it. */
  changed: boolean;
  /** The server says that the tool deletes or overwrites. */
  destructive: boolean;
  /** The tool is another extension's: only `always` lets it run without approval. */
  isOfExtension?: true;
  /** Differs for another program or address, and for another definition of the tool. Absent: the call is of no tool. */
  identity?: string;
}

/** The files whose content a call runs, so that an approval of the call is one of their content too. */
export interface Coverage {
  /** The call runs a script or another program that may change any file. */
  runsCode: boolean;
  /** What is covered now, for the approval; undefined: no file is. */
  view(): Promise<ApprovalView["covers"]>;
  /** For display: covered files that have changed by now. */
  changed(): Promise<string[]>;
}

/** Shows the change that a call proposes, while it waits for the user. */
export interface CallPreview {
  /** Shows what the user includes. A file that they edited stays as edited. `excludedHunks`: as in `RunContext`. */
  choose(excludedHunks: readonly number[]): void;
  /** The display paths of the files whose proposal the user edited. */
  readonly edited: readonly string[];
  /** Fires when `edited` changes. */
  onEdited(listener: () => void): Disposable;
}

/**
 * A validated call: the user approves and the loop runs this same object. `run` is called at most once; either `run` or
 * `discard` ends it.
 */
export interface Invocation {
  paths: PathUse[];
  /** Absent: nothing shows the change but the approval itself. */
  preview?: CallPreview;
  command?: string;
  /** The editor runs code of the project in its own way: there is no command to judge, and no sandbox. */
  runsInEditor?: true;
  site?: SiteUse;
  /** The model marked the command as one that requires approval. */
  requiresApproval?: boolean;
  /** The model asks to run the command there. */
  wantedPlace?: ApprovedPlace;
  /** The user approved this command before the model called it, to run there. */
  approvedPlace?: ApprovedPlace;
  /** For access to the web: uses only what the task already received, so nothing is sent. */
  received?: boolean;
  /** Needs approval whatever the settings allow. */
  alwaysAsks?: boolean;
  /** What the user has to decide about an edit that always asks. */
  doubt?: Reason;
  /** For a call of an MCP server: what the user decided about the tool, and what the server says about it. */
  server?: ServerUse;
  coverage?: Coverage;
  /** Lets such calls run without approval from now on; offered together with `view.always`. */
  allowAlways?(): Promise<void>;
  view: Omit<ApprovalView, "callId" | "access" | "reason">;
  run(context: RunContext): Promise<ToolOutput>;
  discard?(): Promise<void>;
}

/** Receives a call's arguments while they stream, to show an edit's preview early. Never changes a file. */
export interface CallStream {
  param(name: string, delta: string): void;
  /** The call will not be prepared. */
  abandon(): Promise<void>;
}

/** Another product's tool that models know, mapped to the tool that replaces it here. */
export interface ToolAlias {
  name: string;
  /** Its parameters, mapped to this tool's. */
  params: Readonly<Record<string, string>>;
  /** As in `ToolSyntax`. */
  text: string;
  /** Converts values that have another meaning there, by our parameter. */
  convert?: Readonly<Record<string, (value: unknown) => unknown>>;
  /** Its contract, where narrower than ours. A call keeps the name that the model used, so the contract survives a restart. */
  contract?(tool: Tool): Tool["prepare"];
}

/** The file that a result shows; a later result that shows the same file supersedes it. */
export interface ShownFile {
  path: string;
  /** "": all lines. */
  lines: string;
}

/** How an old result is shortened to fit the context window. */
export interface ResultShortening {
  /** The result is never replaced by a note. */
  stays?: true;
  /** Unless false, the note that replaces the result begins with its first line. */
  firstLine?: boolean;
  /** `text`: the result's text. */
  shows?(params: Readonly<Record<string, unknown>>, text: string): ShownFile | undefined;
}

/** Longer texts about a tool, for models whose window has room for them. */
export interface ToolGuide<Param extends string = string> {
  /** In place of the tool's description. */
  description: string;
  /** In place of the descriptions in the schema. */
  params?: Readonly<Partial<Record<Param, string>>>;
}

export interface Tool {
  name: string;
  presentation: ToolPresentation;
  aliases?: readonly ToolAlias[];
  /** Other names that models use for its parameters. */
  paramNames?: Readonly<Record<string, readonly string[]>>;
  resultShortening?: ResultShortening;
  access: Access;
  /**
   * A tool of an MCP server. It is a function of its own under native calling, unless there are too many; otherwise the prompt
   * describes it with its server, and another tool calls it.
   */
  origin?: "server";
  /** Of such a tool: its server, and its name there. */
  server?: { name: string; tool: string };
  /** Offered only where the tools of servers are not functions of their own, or only where they are too many to describe. */
  offered?: "instead-of-functions" | "deferred";
  /** Modes in which it may be called; its access class restricts them further. */
  modes: readonly Mode[];
  /** For the model: in a few words, for small windows. */
  description: string;
  /** Default: the description and those of the schema. */
  guide?: ToolGuide;
  /** What the prompt's list of capabilities says about the tool, if it is not one that every session has. */
  ability?: string;
  /** For the RULES section of the system prompt, if the tool is offered: how to use it. */
  rule?: string;
  input: ToolInput;
  /** Values for required parameters that the model omits: the cautious ones. */
  absent?: Readonly<Record<string, unknown>>;
  /** The subject of the call, such as a path or a command, from raw, possibly incomplete arguments. Shown in the row and the label. */
  subject(params: Record<string, unknown>): string;
  /** The port without which a host does not offer the tool. */
  needs?: "browser" | "codeSymbols" | "kernels";
  /**
   * Which files a call changes, or which command it runs, is known only once it is prepared. The user's hooks are then asked about each
   * of these files, or about the command.
   */
  knownWhenPrepared?: "files" | "command";
  /** A message may contain only one call of it, because its result determines the next one. */
  oncePerMessage?: boolean;
  /**
   * Why calls of other tools are refused now; undefined: they are not. Does not apply to tools that end the turn.
   */
  excludesOthers?(context: ToolContext): string | undefined;
  /** Calls of one message run in parallel. Such a tool never asks before it runs. */
  sideBySide?: boolean;
  /** A call that started and has no result runs again after a restart, because it continues what it began. */
  resumes?: boolean;
  /** Polls for new output: repeated calls with the same result do not indicate a loop. */
  polls?: boolean;
  /** Set for a tool of access "talk" that does more: an agent that lists its tools has it only if it lists such. */
  reaches?: "subtasks" | "servers";
  /** Set for a tool that ends the turn: the user's next message is its result. */
  turnEnd?: TurnEnd;
  /** For such a tool: the result of a call that does not end the turn; undefined: the call ends it. */
  continuation?(params: Readonly<Record<string, unknown>>): string | undefined;
  /** For such a tool: the result of a call that does not end the turn because another call of its message failed. */
  afterFailure?: string;
  stream?(context: ToolContext): CallStream;
  /** Validates against the workspace (paths exist, the diff matches). Throws ToolError for the model. */
  prepare(params: unknown, context: ToolContext, stream?: CallStream): Promise<Invocation>;
}

interface ToolSpec<T> extends Omit<Tool, "input" | "prepare" | "modes" | "subject" | "guide"> {
  guide?: ToolGuide<Extract<keyof T, string>>;
  modes?: readonly Mode[];
  /** For a subject that several parameters determine. */
  subject?(params: Readonly<Record<string, unknown>>): string;
  /** The parameter that names the call's subject, and how to read the subject from its text. */
  subjectParam?: string;
  subjectOf?(value: string): string;
  prepare(params: T, context: ToolContext, stream?: CallStream): Promise<Invocation>;
}

/** Defines a built-in tool, with a zod schema of its parameters. */
export function defineTool<S extends z.ZodMiniObject>({
  schema,
  ...spec
}: ToolSpec<z.output<S>> & { schema: S }): Tool {
  return withInput(zodInput(schema), spec);
}

/** Defines a third-party tool, with a JSON schema of its parameters. Throws if that is not a schema of an object. */
export function defineForeignTool({
  schema,
  ...spec
}: ToolSpec<Record<string, unknown>> & { schema: unknown }): Tool {
  return withInput(jsonInput(schema), spec);
}

/** What calls count as if the tool's presentation does not say so. */
const WORK_KINDS: Readonly<Record<Access, WorkKind>> = {
  read: "search",
  edit: "edit",
  command: "command",
  web: "web",
  mcp: "server",
  talk: "other",
};

function withInput<T extends Record<string, unknown>>(input: ToolInput<T>, spec: ToolSpec<T>): Tool {
  const { subject, subjectParam, subjectOf, prepare, ...rest } = spec;
  return {
    modes: ["plan", "act"],
    ...rest,
    presentation: { work: WORK_KINDS[spec.access], ...spec.presentation },
    input,
    subject(params) {
      if (subject) return subject(params);
      const value = subjectParam === undefined ? undefined : params[subjectParam];
      if (typeof value !== "string") return "";
      return subjectOf ? subjectOf(value) : value;
    },
    // Checked again so that the call matches the schema, whoever calls.
    prepare: (params, context, stream) => prepare(input.check(params), context, stream),
  };
}

export function textOutput(text: string, shown?: ShownResult): ToolOutput {
  return { parts: [{ type: "text", text }], ...(shown ? { shown } : {}) };
}

/**
 * explore: it only reads, and answers with a report. work: it changes files in a git worktree of its own, and its changes are
 * proposed to the user.
 */
export type ChildKind = "explore" | "work";

export interface WantedChild {
  description: string;
  kind: ChildKind;
  /** `connection/id`. Default: the model of the task that starts it. */
  model?: string | undefined;
  /** The agent that it has. Default: none. */
  agent?: string | undefined;
  /** The names of the tools that it gets. Default: all that its kind allows. */
  tools?: readonly string[] | undefined;
}

/** What is known of a task whose call did not end. */
export interface InterruptedChild {
  /** For the model. */
  text: string;
  shown: ShownResult;
  /** What it cost, which belongs to the task that started it. */
  spent: readonly Totals[];
}

/** Alternative names of parameters that several tools share. */
export const PATH_NAMES = [
  "file_path",
  "filename",
  "file",
  "target_file",
  "relative_path",
  "absolute_path",
  "dir",
  "dir_path",
  "directory",
  "folder",
  "target_directory",
  "relative_workspace_path",
];

export const CONTENT_NAMES = ["contents", "file_text", "file_content", "new_content"];

export const COMMAND_NAMES = ["cmd", "command_line", "shell_command"];
