/** Interfaces that the handlers of the panel's requests share. */
import type { Project } from "../../../core/agent/project.ts";
import type { Session } from "../../../core/agent/session.ts";
import type { View } from "../../../core/agent/view.ts";
import type { ExportedSession } from "../../../core/sessions/export/export-session.ts";
import type { DraftUpdate, Draft as KeptDraft, Setup } from "../../../shared/protocol.ts";
import type { CurrentFile } from "../../../shared/view/current-file.ts";
import type { Translate } from "../../../shared/words/task-words.ts";
import type { UnsentMessage } from "../leaving.ts";
import type { EventStream } from "../sending/event-stream.ts";

/** Services of the editor that requests to the agent also need. */
export interface EditorActions {
  /** The user did something in the panel, so the user is present. */
  used(): void;
  setup(): Promise<Setup>;
  /** The file that the user looks at; undefined: none that can be named. */
  currentFile(): Promise<CurrentFile | undefined>;
  /** The composer's latest draft, given the one that the page remembers; undefined: nothing was ever written. */
  draft(remembered: DraftUpdate | undefined): Promise<KeptDraft | undefined>;
  /** Resolves when the draft is on disk. */
  draftKept(): Promise<void>;
  /** Asks the user and restores files; true: the conversation must be restored too. */
  restore(checkpoint: string, withConversation: boolean): Promise<boolean>;
  /** Before a message is replaced: offers to restore the files as well; false: the user canceled. */
  restoreForEdit(messageId: string): Promise<boolean>;
  /** Opens another project's folder in its own window; undefined: the folder is unknown. */
  openProject(folder: string | undefined): Promise<void>;
  /** Shows a session in an editor tab of its own; false: another window works on it, and the user was informed. */
  openInTab(id: string): Promise<boolean>;
  /** Shows a text in an editor, read-only. */
  showText(name: string, text: string): Promise<void>;
  /** Asks the user for a location and writes the file there and its other files beside it, unless the user cancels. */
  saveFile(file: ExportedSession): Promise<void>;
  /** Files that the user chooses; a file larger than `limit` bytes is undefined. */
  chooseFiles(limit: number): Promise<(Uint8Array | undefined)[]>;
  /** Why the agent failed, in the user's language; undefined: unexpected. */
  failureText(error: unknown): Promise<string | undefined>;
  /** In the user's language. */
  readonly t: Translate;
}

/** A view and its project. */
export interface ProjectView {
  project: Project;
  view: View;
}

/** A view that is connected to a page, with the stream of events that the page receives. */
export interface ConnectedView extends ProjectView {
  events: EventStream;
}

export interface RequestContext {
  /** The panel's view, started on first use. */
  connected(): Promise<ConnectedView>;
  /** The same, for the user's actions in the panel. */
  acting(): Promise<ConnectedView>;
  /** The session that an action of the user applies to: after all pending switches, the active one. */
  session(): Promise<Session>;
  /** Must be called when the page has requested the state. From then on, it receives notifications. */
  pageOpened(): void;
  /** Inserts text into the composer. */
  insert(draft: UnsentMessage): void;
  editor: EditorActions;
}

/** Rejects with a message in the user's language when a request to the agent fails in an expected way. */
export async function worded<T>(work: Promise<T>, { failureText }: EditorActions): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const text = await failureText(error);
    throw text === undefined ? error : new Error(text, { cause: error });
  }
}

/** Resolves to an empty result when `work` is done. */
export async function done(work: Promise<unknown>): Promise<Record<string, never>> {
  await work;
  return {};
}
