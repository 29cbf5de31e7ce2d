import { ApiError } from "./api-error.ts";
import type { Exchange } from "./exchange.ts";
import type { PlayedApi } from "./played-api.ts";
import type { Fault } from "./script.ts";

type FaultOf<Kind extends Fault["kind"]> = Extract<Fault, { kind: Kind }>;

export type ContextLengthWording = NonNullable<FaultOf<"contextLength">["wording"]>;

/** A fault that happens within an answer. */
export type AnswerFault = FaultOf<"cut" | "stall" | "noDone" | "malformed" | "streamError" | "empty">;

/**
 * Plays a fault that replaces the answer. Returns the fault if it happens within an answer, else undefined: the
 * exchange is over.
 */
export async function playFault(
  fault: Fault,
  exchange: Exchange,
  api: PlayedApi,
): Promise<AnswerFault | undefined> {
  switch (fault.kind) {
    case "status":
      playStatus(fault, exchange, api);
      return undefined;
    case "body":
      exchange.reply(fault.status, { "content-type": fault.contentType }, fault.body);
      return undefined;
    case "contextLength": {
      const { status, body } = contextLengthAnswer(
        fault.wording ?? api.tooLong,
        fault.limit,
        fault.used,
        api,
      );
      exchange.json(status, body);
      return undefined;
    }
    case "reset":
      await exchange.cut();
      return undefined;
    case "stall":
      if (fault.where !== "connection") return fault;
      await exchange.untilClosed();
      return undefined;
    default:
      return fault;
  }
}

function playStatus(fault: FaultOf<"status">, exchange: Exchange, api: PlayedApi): void {
  const { message, type, code } = api.statusError(fault.status);
  const headers: Record<string, string> = {};
  const { retryAfter, retryAfterMs } = fault;
  if (typeof retryAfter === "number") headers["retry-after"] = String(retryAfter);
  else if (retryAfter !== undefined) {
    headers["retry-after"] = new Date(Date.now() + retryAfter.dateIn * 1000).toUTCString();
  }
  if (retryAfterMs !== undefined) headers["retry-after-ms"] = String(retryAfterMs);
  const error = new ApiError(fault.status, fault.message ?? message, {
    type: fault.type ?? type,
    code: fault.code ?? code,
  });
  exchange.json(fault.status, api.errorBody(error), headers);
}

/** The rejection of a prompt that is too long, in the wording of various endpoints. */
export function contextLengthAnswer(
  wording: ContextLengthWording,
  limit: number,
  used: number,
  api: PlayedApi,
): { status: number; body: unknown } {
  const openai = `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${used} tokens. Please reduce the length of the messages.`;
  switch (wording) {
    case "openai":
      return {
        status: 400,
        body: new ApiError(400, openai, { param: "messages", code: "context_length_exceeded" }).body,
      };
    case "anthropic":
      return {
        status: 400,
        body: api.errorBody(new ApiError(400, `prompt is too long: ${used} tokens > ${limit} maximum`)),
      };
    case "vllm":
      return {
        status: 400,
        body: {
          object: "error",
          message: `This model's maximum context length is ${limit} tokens. However, you requested ${used} tokens in the messages, Please reduce the length of the messages.`,
          type: "BadRequestError",
          param: null,
          code: 400,
        },
      };
    case "llamacpp":
      return {
        status: 400,
        body: {
          error: {
            code: 400,
            message:
              "the request exceeds the available context size. try increasing the context size or enable context shift",
            type: "exceed_context_size_error",
            n_prompt_tokens: used,
            n_ctx: limit,
          },
        },
      };
    case "openrouter":
      return {
        status: 400,
        body: {
          error: {
            message: `This endpoint's maximum context length is ${limit} tokens. However, you requested about ${used} tokens (${used} of text input). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.`,
            code: 400,
          },
        },
      };
    case "gemini":
      return {
        status: 400,
        body: {
          error: {
            code: 400,
            message: `The input token count (${used}) exceeds the maximum number of tokens allowed (${limit}).`,
            status: "INVALID_ARGUMENT",
          },
        },
      };
    case "mistral":
      return {
        status: 400,
        body: {
          object: "error",
          message: `Prompt contains ${used} tokens and 0 draft tokens, too large for model with ${limit} maximum context length`,
          type: "invalid_request_message_order",
          param: null,
          code: "3051",
        },
      };
  }
}
