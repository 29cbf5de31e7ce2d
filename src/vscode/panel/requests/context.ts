/** What the handlers of the panel's requests share. */
import type { DraftUpdate, Draft as KeptDraft, RequestName, Setup } from "../../../shared/protocol.ts";
import type { Handlers } from "../../../shared/rpc.ts";
import type { Translate } from "../../../shared/words/task-words.ts";
import type { EventStream } from "../event-stream.ts";
import type { Unsaid } from "../leaving.ts";
import type { Agent } from "./agent-port.ts";

/** What requests to the agent need of the editor besides. */
export interface EditorActions {
  /** The user did something in the panel, so they are there. */
  used(): void;
  setup(): Promise<Setup>;
  /** The composer's last draft, given what the page remembers of it; undefined: nothing was ever written. */
  draft(remembered: DraftUpdate | undefined): Promise<KeptDraft | undefined>;
  /** Resolves when the draft is on disk. */
  draftKept(): Promise<void>;
  /** Asks the user, and restores files; true: the conversation is to be restored too. */
  restore(checkpoint: string, withConversation: boolean): Promise<boolean>;
  /** Opens another project's folder in a window of its own; undefined: nobody knows where it is. */
  openProject(folder: string | undefined): Promise<void>;
  /** Shows a text in an editor, to be read. */
  showText(name: string, text: string): Promise<void>;
  /** Asks the user where to, and writes it there, unless they change their mind. */
  saveFile(name: string, text: string): Promise<void>;
  /** Files that the user chooses; one of more than `limit` bytes comes as undefined. */
  chooseFiles(limit: number): Promise<(Uint8Array | undefined)[]>;
  /** In the user's language. */
  readonly t: Translate;
}

export interface RequestContext {
  /** The agent and its events, started when they are first needed. */
  connected(): Promise<{ agent: Agent; events: EventStream }>;
  /** The same for what the user does in the panel. */
  agent(): Promise<Agent>;
  /** The page asked for the state, and hears notifications from now on. */
  pageOpened(): void;
  /** Brings text into the composer. */
  insert(draft: Unsaid): void;
  editor: EditorActions;
}

export type HandlersOf<Name extends RequestName> = Pick<Handlers, Name>;

/** Answers with nothing once `work` is done. */
export async function done(work: Promise<unknown>): Promise<Record<string, never>> {
  await work;
  return {};
}
