/** What the server needs to know of an API to play it. Each API is a folder next to this file and a line of `played-apis.ts`. */
import type { IncomingHttpHeaders } from "node:http";
import type { Delta, Frame } from "./answer.ts";
import type { ApiError } from "./api-error.ts";
import type { ChatRequest } from "./chat/wire.ts";
import type { Dialogue } from "./conversation.ts";
import type { AnswerFault, ContextLengthWording } from "./faults.ts";
import type { ModelEntry, ParsedScript, ParsedTurn } from "./script.ts";
import type { PromptParts, TokenCount } from "./usage.ts";

export interface PlayedApi {
  /** Where its requests are posted. */
  readonly path: string;
  /** How its endpoints word that a prompt is too long. */
  readonly tooLong: ContextLengthWording;
  /** Whether deltas of adjacent calls can alternate. */
  readonly interleaves: boolean;
  /** Throws an ApiError (401) unless the request carries this key. */
  authorize(headers: IncomingHttpHeaders, apiKey: string): void;
  /** Validates a parsed body as the strictest of its endpoints would. Throws an ApiError (400) that names the error. */
  read(body: unknown, headers: IncomingHttpHeaders, script: ParsedScript): ReadRequest;
  /** Whether a request to an address that all APIs have, such as /v1/models, means this API. */
  isMeant?(headers: IncomingHttpHeaders): boolean;
  /** The response of /v1/models. */
  modelList(models: readonly ModelEntry[]): unknown;
  /** The JSON body of an error response. */
  errorBody(error: ApiError): unknown;
  /** The error of a scripted status that the script does not word itself. */
  statusError(status: number): { message: string; type: string; code: string | null };
}

/** A request that the server accepts. */
export interface ReadRequest extends PromptParts {
  /** What scripts match. */
  readonly dialogue: Dialogue;
  /** The request itself, if it is a chat completion request. */
  readonly chat?: ChatRequest;
  /** Writes one answer to it. */
  writer(answer: PlayedAnswer): AnswerWriter;
}

/** An answer before it is written in the form of an API. */
export interface PlayedAnswer {
  /** From 1: the number of the server's answer. */
  number: number;
  frames: readonly Frame[];
  /** undefined: as the answer's content has it. */
  finishReason: ParsedTurn["finishReason"];
  /** undefined: the answer omits usage. */
  usage: TokenCount | undefined;
}

/** Writes one answer, either as a stream from `start` to `end`, or `whole`. Streamed text consists of complete server-sent events. */
export interface AnswerWriter {
  /** The first event comes with the first delta, after all pauses before it. */
  readonly startsLate?: boolean;
  start(): string;
  delta(delta: Delta): string;
  /** What the `noDone` fault leaves out is left out. */
  end(fault: AnswerFault | undefined): string;
  /** A stream without any answer. */
  nothing(): string;
  /** An error within a stream. */
  error(error: Record<string, unknown>): string;
  whole(fault: AnswerFault | undefined): unknown;
}
