/** The panel's interface to the agent. */
import type { Library } from "../../../core/agent/session-library.ts";
import type { Disposable } from "../../../core/lifecycle.ts";
import type { TaskEvent } from "../../../shared/event.ts";
import type { Explanation } from "../../../shared/explanation.ts";
import type { Mode } from "../../../shared/message.ts";
import type { Forecast } from "../../../shared/models/forecast.ts";
import type { Attachment, Commit, Result, SlashCommand } from "../../../shared/protocol.ts";
import type { FormAnswer } from "../../../shared/server-form.ts";
import type { MentionResource } from "../../../shared/server-list.ts";
import type { ChatView } from "../../../shared/view/reducer.ts";
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
  send(text: string, images?: { mimeType: string; data: string }[]): Promise<{ queued: boolean }>;
  approve(callId: string, comment?: string, options?: { always?: boolean }): boolean;
  reject(callId: string, comment?: string): boolean;
  readonly waitingCalls: { why(callId: string): Promise<Explanation | undefined> };
  readonly serverForms: { answer(id: string, answer: FormAnswer): boolean };
  forecast(text: string): Forecast;
  chooseAnswer(comparison: string, index: number): Promise<boolean>;
  stop(): Promise<void>;
  newTask(): Promise<void>;
  retry(): Promise<void>;
  setMode(mode: Mode): Promise<void>;
  readonly foregroundCalls: { moveToBackground(callId: string): boolean };
  unqueue(id: string): void;
  setTodo(markdown: string): Promise<void>;
  slashCommands(): Promise<SlashCommand[]>;
  readonly unlistedServers: readonly string[];
  resources(query: string, limit: number): Promise<MentionResource[]>;
  commits(query: string): Promise<Commit[]>;
  open(id: string, options?: { takeOver?: boolean }): Promise<{ elsewhere?: boolean }>;
  editAndResend(
    messageId: string,
    text: string,
    added: Unsaid["images"] | undefined,
    unsent: (message: Unsaid) => void,
  ): Promise<void>;
  fork(messageId: string): Promise<Unsaid>;
  leftOut(notice: string): Result<"chat/left-out">;
  picture(callId: string, index: number): Attachment | undefined;
  part(id: string): { name: string; text: string } | undefined;
  showEarlier(how: { until?: string; all?: boolean }): Promise<void>;
  deleteSession(id: string): Promise<number>;
  readonly library: Pick<
    Library,
    "onIndexing" | "find" | "rename" | "setFavourite" | "undelete" | "export" | "import" | "other" | "copy"
  >;
}
