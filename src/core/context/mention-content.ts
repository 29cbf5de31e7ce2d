/** What is needed to expand a mention, and what is attached for it. */
import type { Fault } from "../../shared/reason.ts";
import type { MentionFailure } from "../../shared/words/notice-words.ts";
import type { Host } from "../ports/host.ts";
import type { PathVerdict } from "../safety/paths/judge-path.ts";
import type { TaskPages } from "../task-pages.ts";
import type { ReadResource, SuppliedImage } from "./server-resources.ts";

/** Characters of one mention's content. */
export const EACH_LIMIT = 100_000;
export interface MentionOptions {
  host: Host;
  signal: AbortSignal;
  /** Estimated tokens of all contents together. */
  maxTokens: number;
  /** Expands only files and folders. Set for text that the model wrote: it could read these itself. */
  filesOnly?: boolean;
  pages: TaskPages;
  /** The resources of MCP servers. Default: a mention of one is text. */
  resources?: MentionedResources;
  /** Whether the model sees images. Default: it does not. */
  seesImages?(): boolean;
  /** Why the file or folder at this absolute path must not be read; undefined: it may be read. */
  refused(path: string): Promise<Pick<PathVerdict, "reason" | "guard"> | undefined>;
  /** Called when the model receives the complete content of the file. */
  onRead(path: string, version: string): void;
}

export interface MentionedResources {
  /** Whether a server of that name is configured; otherwise `@name:` is text. */
  isServer(name: string): boolean;
  /** Rejects with NotIncluded, or with Interrupt. */
  read(server: string, uri: string): Promise<ReadResource>;
  /** Whether the model sees images. */
  seesImages(): boolean;
}

/** Why a mention could not be included: a code and its value. */
export type NotIncludedReason = [code: MentionFailure | Fault["code"], detail: string];

/** The message is for the model, the code with its detail for the user. */
export class NotIncluded extends Error {
  readonly code: MentionFailure | Fault["code"];
  readonly detail: string;

  constructor(message: string, code: MentionFailure | Fault["code"], detail = "") {
    super(message);
    this.code = code;
    this.detail = detail;
  }
}

/** What is attached for one mention. */
export interface MentionContent {
  body: string;
  /** Images that the model receives with the message. */
  images?: readonly SuppliedImage[];
  /** The body is incomplete. */
  isPart?: boolean;
  /** Characters of the body before the text that its offsets count. */
  lead?: number;
  /** The number of the body's first line in its file; default 1. */
  firstLine?: number;
  /** Further contents, each of which is sent whole or not at all, the smaller ones first. */
  parts?: readonly MentionPart[];
  /** Called when the body is sent in full. */
  whole?: () => void;
}

/** A file of a folder, or an open editor. */
export interface MentionPart {
  /** As the model can name it in calls. */
  path: string;
  text: string;
  /** Called when it is sent. */
  whole(): void;
}
