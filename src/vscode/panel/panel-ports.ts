/** What the panel's requests are answered with: the agent, and the editor that the panel is in. */
import type { Library } from "../../core/agent/session-library.ts";
import type { Disposable } from "../../core/lifecycle.ts";
import type { TaskEvent } from "../../shared/event.ts";
import type { Explanation } from "../../shared/explanation.ts";
import type { Mode } from "../../shared/message.ts";
import type {
  Commit,
  DraftUpdate,
  FileHit,
  Draft as KeptDraft,
  Params,
  Result,
  Setup,
  SlashCommand,
} from "../../shared/protocol.ts";
import type { ChatView } from "../../shared/view/reducer.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import type { Unsaid } from "./leaving.ts";

/** What the panel asks of the agent; the task manager is one. */
export interface Agent {
  /** The active session, whose view this is; `onEvent` gives the events of every session that the agent holds. */
  readonly sessionId: string;
  readonly view: ChatView;
  /** What waits to be said, with the pictures that the view leaves out. */
  readonly queued: readonly Unsaid[];
  readonly onEvent: (listener: (event: TaskEvent) => void) => Disposable;
  send(text: string, images?: { mimeType: string; data: string }[]): Promise<{ queued: boolean }>;
  approve(callId: string, comment?: string, options?: { always?: boolean }): boolean;
  reject(callId: string, comment?: string): boolean;
  readonly waitingCalls: { why(callId: string): Promise<Explanation | undefined> };
  stop(): Promise<void>;
  newTask(): Promise<void>;
  retry(): Promise<void>;
  setMode(mode: Mode): Promise<void>;
  readonly goingOn: { goOn(callId: string): boolean };
  unqueue(id: string): void;
  setTodo(markdown: string): Promise<void>;
  slashCommands(): Promise<SlashCommand[]>;
  commits(query: string): Promise<Commit[]>;
  open(id: string, options?: { takeOver?: boolean }): Promise<{ elsewhere?: boolean }>;
  editAndResend(messageId: string, text: string, added?: Unsaid["images"]): Promise<void>;
  fork(messageId: string): Promise<Unsaid>;
  leftOut(notice: string): Result<"chat/left-out">;
  part(id: string): { name: string; text: string } | undefined;
  showEarlier(how: { until?: string; all?: boolean }): Promise<void>;
  deleteSession(id: string): Promise<number>;
  readonly library: Pick<
    Library,
    "onIndexing" | "find" | "rename" | "setFavourite" | "undelete" | "export" | "import" | "other" | "copy"
  >;
}

/** What the panel asks of the editor. */
export interface PanelHost {
  /** The person did something in the panel, so they are there. */
  used(): void;
  setup(): Promise<Setup>;
  readonly onSetup: (listener: () => void) => Disposable;
  /** The composer's last draft, given what the page remembers of it; undefined: nothing was ever written. */
  draft(remembered: DraftUpdate | undefined): Promise<KeptDraft | undefined>;
  keepDraft(draft: DraftUpdate): Promise<void>;
  /** Resolves when the draft is on disk. */
  draftKept(): Promise<void>;
  findFiles(query: string, limit: number, kind?: FileHit["kind"]): Promise<FileHit[]>;
  openFile(path: string, line: number | undefined): Promise<void>;
  openLink(url: string): Promise<void>;
  openSettings(query: string | undefined): Promise<void>;
  setKey(): Promise<void>;
  showDiff(callId: string): Promise<void>;
  runProposal(callId: string): Promise<void>;
  showChanges(checkpoint: string, only: boolean): Promise<void>;
  /** Asks the person, and puts files back; true: the conversation is to go back too. */
  restore(checkpoint: string, withConversation: boolean): Promise<boolean>;
  undo(callId: string): Promise<void>;
  editTodo(): Promise<void>;
  /** As mentions, those that can be. */
  mentionUris(uris: readonly string[]): Promise<Result<"files/mention">>;
  readonly rules: RulesOfHost;
  /** Opens another project's folder in a window of its own; undefined: nobody knows where it is. */
  openProject(folder: string | undefined): Promise<void>;
  /** Shows a text in an editor, to be read. */
  showText(name: string, text: string): Promise<void>;
  /** Asks the person where to, and writes it there, unless they change their mind. */
  saveFile(name: string, text: string): Promise<void>;
  /** Files that the person chooses; one of more than `limit` bytes comes as undefined. */
  chooseFiles(limit: number): Promise<(Uint8Array | undefined)[]>;
  /** In the person's language. */
  readonly t: Translate;
}

/** Rules files, as the panel lists and switches them. */
export interface RulesOfHost {
  list(): Promise<Result<"rules/list">>;
  switch(params: Params<"rules/switch">): Promise<void>;
  open(name: string): Promise<void>;
  create(place: Params<"rules/new">["place"]): Promise<void>;
  readonly onChange: (listener: () => void) => Disposable;
}
