/** What endpoints really say of a prompt that is too long, over HTTP: each is understood, with its figures. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProviderError } from "../../../../src/core/errors.ts";
import { statedLengths } from "../../../../src/core/provider/context-length.ts";
import { listenAnew } from "../../../model-server/port.ts";
import { failureOf } from "../../../support/provider-failure.ts";

let server: http.Server;
let answer = { status: 200, type: "application/json", body: "" };

beforeAll(async () => {
  server = http.createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(answer.status, { "content-type": answer.type }).end(answer.body);
    });
  });
  await listenAnew(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function refusal(given: Partial<typeof answer>): Promise<ProviderError> {
  answer = { status: 400, type: "application/json", body: "", ...given };
  const { port } = server.address() as AddressInfo;
  return failureOf(`http://127.0.0.1:${port}/v1`);
}

const plain = (message: string, more = {}) => JSON.stringify({ error: { message, ...more } });

type Case = [name: string, status: number, body: string, limit?: number, used?: number];

const cases: Case[] = [
  [
    "OpenAI",
    400,
    plain(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens. Please reduce the length of the messages.",
      { type: "invalid_request_error", code: "context_length_exceeded" },
    ),
    8192,
    8545,
  ],
  [
    "OpenAI with the completion",
    400,
    plain(
      "This model's maximum context length is 4097 tokens, however you requested 4116 tokens (3860 in your prompt; 256 for the completion). Please reduce your prompt; or completion length.",
    ),
    4097,
    3860,
  ],
  [
    "OpenAI, newer",
    400,
    plain("Your input exceeds the context window of this model. Please adjust your input and try again."),
  ],
  [
    "OpenAI, more than a minute allows",
    429,
    plain(
      "Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 30601. The input or output tokens must be reduced in order to run successfully.",
      { type: "tokens", code: "rate_limit_exceeded" },
    ),
    30_000,
    30_601,
  ],
  [
    "Groq",
    413,
    plain(
      "Request too large for model `llama` in organization `org_1` service tier `on_demand` on tokens per minute (TPM): Limit 12000, Requested 14137, please reduce your message size and try again.",
      { type: "tokens", code: "rate_limit_exceeded" },
    ),
    12_000,
    14_137,
  ],
  ["Groq, shorter", 400, plain("Please reduce the length of the messages or completion.")],
  [
    "OpenRouter",
    400,
    plain(
      'This endpoint\'s maximum context length is 16384 tokens. However, you requested about 94307 tokens (90000 of text input, 1307 of tool input, 3000 in the output). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.',
      { code: 400, metadata: { provider_name: null } },
    ),
    16_384,
    90_000,
  ],
  ["Anthropic", 400, plain("prompt is too long: 213462 tokens > 200000 maximum"), 200_000, 213_462],
  [
    "Anthropic with the completion",
    400,
    plain(
      "input length and `max_tokens` exceed context limit: 174167 + 64000 > 200000, decrease input length or `max_tokens` and try again",
    ),
    200_000,
    174_167,
  ],
  ["Bedrock", 400, plain("Input is too long for requested model.")],
  [
    "Gemini, in a list",
    400,
    `[${plain("The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).", { code: 400, status: "INVALID_ARGUMENT" })}]`,
    1_048_575,
    1_196_265,
  ],
  [
    "vLLM",
    400,
    JSON.stringify({
      object: "error",
      message:
        "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion). Please reduce the length of the messages or completion.",
      type: "BadRequestError",
      param: null,
      code: 400,
    }),
    16_384,
    112_946,
  ],
  [
    "vLLM, the prompt alone",
    400,
    plain(
      "The prompt (total length 25938) is too long to fit into the model (context length 4096). Make sure that `max_model_len` is no smaller than the number of text tokens plus multimodal tokens.",
    ),
    4096,
    25_938,
  ],
  [
    "vLLM, newer",
    400,
    plain(
      "The decoder prompt (length 40960) is longer than the maximum model length of 32768. Make sure that `max_model_len` is no smaller than the number of text tokens.",
    ),
    32_768,
    40_960,
  ],
  [
    "vLLM with the completion",
    400,
    plain(
      "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 32768 tokens and your request has 30000 input tokens (8192 > 32768 - 30000).",
    ),
    32_768,
    30_000,
  ],
  [
    "llama.cpp",
    500,
    plain(
      "the request exceeds the available context size. try increasing the context size or enable context shift",
      { code: 500, type: "exceed_context_size_error", n_prompt_tokens: 1407, n_ctx: 1024 },
    ),
    1024,
    1407,
  ],
  [
    "llama.cpp, newer",
    400,
    plain("request (31000 tokens) exceeds the available context size (22000 tokens), try increasing it", {
      type: "exceed_context_size_error",
    }),
    22_000,
    31_000,
  ],
  ["llama-cpp-python", 500, plain("Requested tokens (2285) exceed context window of 2048"), 2048, 2285],
  ["Ollama", 400, plain("the input length exceeds the context length")],
  ["Ollama, newer", 400, plain("prompt too long; exceeded max context length by 4 tokens")],
  [
    "LM Studio",
    400,
    JSON.stringify({
      error:
        "Trying to keep the first 10136 tokens when context the overflows. However, the model is loaded with context length of only 7866 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input.",
    }),
    7866,
    10_136,
  ],
  [
    "LM Studio, newer",
    400,
    JSON.stringify({
      error:
        "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input.",
    }),
    4096,
    13_055,
  ],
  [
    "LM Studio, newest",
    400,
    JSON.stringify({ error: "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)" }),
    7424,
    15_028,
  ],
  [
    "xAI",
    400,
    plain("This model's maximum prompt length is 131072 but the request contains 537812 tokens."),
    131_072,
    537_812,
  ],
  ["Copilot", 400, plain("prompt token count of 130000 exceeds the limit of 128000"), 128_000, 130_000],
  [
    "GitHub Models",
    413,
    plain("Request body too large for gpt-4.1 model. Max size: 8000 tokens.", {
      code: "tokens_limit_reached",
    }),
    8000,
  ],
  ["MiniMax", 400, plain("invalid params, context window exceeds limit (2013)")],
  [
    "Moonshot",
    400,
    plain("Your request exceeded model token limit: 262144 (requested: 268000)"),
    262_144,
    268_000,
  ],
  [
    "Mistral",
    400,
    JSON.stringify({
      object: "error",
      message:
        "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
      type: "invalid_request_message_order",
      code: "3051",
    }),
    32_768,
    40_000,
  ],
  [
    "Fireworks",
    400,
    plain("The prompt is too long: 267657, model maximum context length: 262143"),
    262_143,
    267_657,
  ],
  [
    "text-generation-inference",
    422,
    JSON.stringify({
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8192. Given: 10000 `inputs` tokens and 100 `max_new_tokens`",
      error_type: "validation",
    }),
    8192,
    10_000,
  ],
  [
    "SiliconFlow",
    400,
    JSON.stringify({
      code: 20015,
      message: "length of prompt_tokens (163280) must be less than max_seq_len (32768).",
      data: null,
    }),
    32_768,
    163_280,
  ],
  [
    "DashScope",
    400,
    plain("InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]"),
    30_720,
  ],
  [
    "Cerebras",
    400,
    plain(
      "Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192",
    ),
    8192,
    9000,
  ],
  ["a gateway that says nothing", 413, ""],
];

describe("a prompt that is too long", () => {
  it.each(cases)("in the words of %s (%i)", async (_name, status, body, limit, used) => {
    const error = await refusal({ status, body });
    expect(error.view.code).toBe("context-length");
    expect(error.transient).toBe(false);
    expect(statedLengths(error)).toEqual({ ...(limit ? { limit } : {}), ...(used ? { used } : {}) });
  });

  it.each(cases.filter(([, , body]) => body !== ""))(
    "in the words of %s, within a stream that began with 200",
    async (_name, _status, body, limit, used) => {
      const parsed: unknown = JSON.parse(body);
      const data = JSON.stringify(Array.isArray(parsed) ? parsed[0] : parsed);
      // A body without `error` or `object` is that endpoint's own and never stands in a stream.
      if (!/"(?:error|object)":/.test(data)) return;
      const error = await refusal({
        status: 200,
        type: "text/event-stream",
        body: `data: {"choices":[{"delta":{"role":"assistant"}}]}\n\nevent: error\ndata: ${data}\n\n`,
      });
      expect(error.view.code).toBe("context-length");
      expect(statedLengths(error)).toEqual({ ...(limit ? { limit } : {}), ...(used ? { used } : {}) });
    },
  );

  it.each([
    [
      "a minute's limit that waiting helps",
      429,
      "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s.",
      "rate-limited",
    ],
    [
      "an answer's limit",
      400,
      "max_tokens is too large: 20000. This model supports at most 16384 completion tokens",
      "bad-request",
    ],
    [
      "a string's length",
      400,
      "Invalid 'messages[0].name': string too long. Expected a string with maximum length 64",
      "bad-request",
    ],
    ["anything else", 500, "The server had an error while processing your request.", "server-error"],
  ])("is not %s", async (_name, status, message, code) => {
    expect((await refusal({ status, body: plain(message) })).view.code).toBe(code);
  });
});
