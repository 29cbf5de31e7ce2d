/**
 * A session of another agent in the one form that all readers of its files produce. Nothing in it is trusted: texts are data,
 * and ids and folders are only compared and shown.
 */
import type { AgentProduct } from "../../../shared/history/session-origin.ts";
import type { Usage } from "../../../shared/message.ts";

export type ForeignContent =
  | { type: "text"; text: string }
  /** `data` is Base64. */
  | { type: "image"; mimeType: string; data: string };

export type ForeignPart =
  | {
      type: "text";
      text: string;
      /** The product added it to the user's message; the user did not write it. */
      isContext?: boolean;
    }
  | { type: "reasoning"; text: string }
  | { type: "image"; mimeType: string; data: string }
  | { type: "call"; id: string; name: string; input: Record<string, unknown> };

export interface ForeignMessage {
  kind: "message";
  role: "user" | "assistant";
  /** ISO 8601. */
  at?: string;
  parts: ForeignPart[];
  model?: string;
  usage?: Usage;
  /** The answer was cut off. */
  isInterrupted?: boolean;
}

export interface ForeignResult {
  kind: "result";
  callId: string;
  at?: string;
  isError: boolean;
  content: ForeignContent[];
}

/** From here on, the product's requests omitted what precedes it; a summary may replace it. */
export interface ForeignSummary {
  kind: "summary";
  at?: string;
  text: string | undefined;
  /** Tokens of the conversation before. */
  tokens?: number;
}

export type ForeignEntry = ForeignMessage | ForeignResult | ForeignSummary;

export interface ForeignSession {
  product: AgentProduct;
  id: string;
  /** "": the product gave it none. */
  title: string;
  /** The folder that it worked in, if known. */
  folder?: string;
  startedAt?: string;
  /** Totals, if the product states them for the whole session. */
  usage?: Usage & { requests?: number };
  entries: ForeignEntry[];
  /** Number of entries of its files that could not be read. */
  unreadable: number;
  /** Number of entries that are not part of the conversation: of subagents, of abandoned branches, of kinds not known. */
  leftOut: number;
}

/** What a reader of lines takes one by one, so that large files are never in memory as a whole. */
export interface SessionReader {
  /** A complete line. Never throws. */
  line(text: string): void;
  /** A line was too long to be read. */
  lost(): void;
  /** Returns the session; undefined: the lines contain no message. */
  end(): ForeignSession | undefined;
}

/** Why a session cannot be imported. */
export type ForeignFault = "no-messages" | "not-json" | "too-large" | "missing" | "unknown-version";

export class UnreadableSession extends Error {
  override name = "UnreadableSession";
  readonly code: ForeignFault;
  constructor(code: ForeignFault, detail = "") {
    super(`the session cannot be read: ${code}${detail === "" ? "" : `: ${detail}`}`);
    this.code = code;
  }
}
