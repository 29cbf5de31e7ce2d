/** The panel's interface to the agent. */
import type { Library } from "../../../core/agent/session-library.ts";
import type { Disposable } from "../../../core/lifecycle.ts";
import type { TaskEvent } from "../../../shared/event.ts";
import type { Explanation } from "../../../shared/explanation.ts";
import type { Mode } from "../../../shared/message.ts";
import type { Forecast } from "../../../shared/models/forecast.ts";
import type { WindowContents } from "../../../shared/models/window-contents.ts";
import type { AllowedEntry, AllowScope } from "../../../shared/permission/allowed.ts";
import type { KeptAnswer, PreparedAnswer } from "../../../shared/permission/prepared-answer.ts";
import type { PermissionChange } from "../../../shared/permission/session-permission.ts";
import type { Attachment, Commit, MentionSymbol, Result, SlashCommand } from "../../../shared/protocol.ts";
import type { FormAnswer } from "../../../shared/server-form.ts";
import type { MentionResource } from "../../../shared/server-list.ts";
import type { ChatView } from "../../../shared/view/reducer.ts";
import type { SessionItem } from "../../../shared/view/session-item.ts";
import type { Translate } from "../../../shared/words/task-words.ts";
import type { Unsaid } from "../leaving.ts";

/** The task manager implements it. */
export interface Agent {
  /**
   * The active session, whose view this is; `onEvent` fires for the events of every session that the agent has loaded.
   */
  readonly sessionId: string;
  readonly view: ChatView;
  /** The queued messages, including the images that the view omits. */
  readonly queued: readonly Unsaid[];
  readonly onEvent: (listener: (event: TaskEvent) => void) => Disposable;
  /** The active session is another one, whose view is whole: no events repeat it. */
  readonly onSwitched: (listener: () => void) => Disposable;
  /** Tasks that work or wait, also those that are not active. */
  readonly together: {
    readonly overview: { readonly all: readonly SessionItem[]; onChange(listener: () => void): Disposable };
    /** An open session. */
    find(
      id: string,
    ): { readonly view: ChatView; readonly approvals: { prepared(callId: string): KeptAnswer } } | undefined;
    decide(id: string, callId: string, approved: boolean): boolean;
    stop(id: string): Promise<void>;
    dismiss(id: string): Promise<readonly Unsaid[]>;
  };
  send(text: string, images?: { mimeType: string; data: string }[]): Promise<{ queued: boolean }>;
  /** The worktrees of tasks. `setBegins`: whether the active session begins in one. */
  readonly worktrees: { setBegins(on: boolean): Promise<void> };
  approve(
    callId: string,
    comment?: string,
    options?: { allow?: AllowScope; left?: readonly number[] },
  ): boolean;
  reject(callId: string, comment?: string): boolean;
  readonly allowances: { list(): Promise<AllowedEntry[]>; remove(entry: AllowedEntry): Promise<void> };
  readonly waitingCalls: {
    why(callId: string): Promise<Explanation | undefined>;
    prepare(callId: string, answer: PreparedAnswer): void;
    prepared(callId: string): KeptAnswer;
  };
  readonly serverForms: { answer(id: string, answer: FormAnswer): boolean };
  forecast(text: string): Forecast;
  windowContents(): WindowContents;
  chooseAnswer(comparison: string, index: number): Promise<boolean>;
  stop(): Promise<void>;
  newTask(how?: { keep?: boolean }): Promise<void>;
  retry(): Promise<void>;
  setMode(mode: Mode): Promise<void>;
  readonly permissions: {
    change(change: PermissionChange): Promise<void>;
    readonly items: Result<"permission/items">;
  };
  readonly foregroundCalls: { moveToBackground(callId: string): boolean };
  readonly background: { end(id: string): Promise<void> };
  readonly queueActions: {
    edit(id: string, text: string): Promise<void>;
    move(id: string, index: number): void;
    remove(id: string): void;
    sendNow(id: string): Promise<void>;
  };
  setTodo(markdown: string): Promise<void>;
  slashCommands(): Promise<SlashCommand[]>;
  readonly unlistedServers: readonly string[];
  symbols(query: string, limit: number): Promise<MentionSymbol[]>;
  resources(query: string, limit: number): Promise<MentionResource[]>;
  commits(query: string): Promise<Commit[]>;
  open(id: string, options?: { takeOver?: boolean; keep?: boolean }): Promise<{ elsewhere?: boolean }>;
  editAndResend(
    messageId: string,
    text: string,
    added: Unsaid["images"] | undefined,
    unsent: (message: Unsaid) => void,
  ): Promise<void>;
  fork(messageId: string): Promise<Unsaid>;
  readonly texts: {
    part(id: string): { name: string; text: string } | undefined;
    picture(callId: string, index: number): Attachment | undefined;
    leftOut(notice: string): Result<"chat/left-out">;
    find(text: string, t: Translate): Promise<Result<"chat/find">>;
    answer(t: Translate, row?: string): { name: string; text: string } | undefined;
  };
  showEarlier(how: { until?: string; all?: boolean }): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  deleteSession(id: string): Promise<number>;
  readonly library: Pick<
    Library,
    | "onIndexing"
    | "find"
    | "prepare"
    | "setFavorite"
    | "undelete"
    | "export"
    | "import"
    | "other"
    | "copy"
    | "adopt"
  >;
}
