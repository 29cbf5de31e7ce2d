/** An endpoint with a model that does everything that a check asks for, except for one fault. */

import http from "node:http";
import { Readable } from "node:stream";
import * as z from "zod";
import { listenAnew } from "../../../../model-server/port.ts";
import { answered } from "../../../../support/answered.ts";

export type Fault =
  | "none"
  | "no-path"
  | "html"
  | "bad-key"
  | "no-model"
  | "redirect"
  | "busy"
  | "broken"
  | "unlisted"
  | "no-list"
  | "empty"
  | "gibberish"
  | "cut-off"
  | "whole-only"
  | "one-chunk"
  | "held-back"
  | "no-usage"
  | "no-whole-usage"
  | "miscounts"
  | "no-finish"
  | "stop-refused"
  | "ignores-stop"
  | "ignores-limit"
  | "ignores-system"
  | "refuses-system"
  | "forgets"
  | "garbles"
  | "tools-refused"
  | "tools-ignored"
  | "no-ids"
  | "bad-json"
  | "bad-schema"
  | "one-call"
  | "results-ignored"
  | "results-refused"
  | "no-xml"
  | "neither-calls"
  | "images-refused"
  | "images-refused-500"
  | "images-unseen"
  | "schema-refused"
  | "schema-ignored"
  | "no-cache"
  | "window-refused"
  | "window-slow"
  | "window-cut";

/** Tokens that fit, where a fault limits them. */
export const SMALL_WINDOW = 6_000;
export const LISTED_WINDOW = 16_000;

const partSchema = z.looseObject({ type: z.string(), text: z.string().optional() });
const messageSchema = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(partSchema)]).nullish(),
  tool_calls: z.array(z.looseObject({ id: z.string() })).optional(),
});
const bodySchema = z.looseObject({
  messages: z.array(messageSchema),
  stream: z.boolean().optional(),
  tools: z.array(z.unknown()).optional(),
  stop: z.array(z.string()).optional(),
  max_tokens: z.number().optional(),
  response_format: z.unknown().optional(),
});
type Body = z.infer<typeof bodySchema>;

interface Reply {
  text: string;
  calls?: { id?: string; name: string; arguments: string }[];
}
class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const textOf = ({ content }: z.infer<typeof messageSchema>) =>
  typeof content === "string" ? content : (content ?? []).map(({ text = "" }) => text).join("\n");
const hasImage = ({ messages }: Body) =>
  messages.some(({ content }) => Array.isArray(content) && content.some(({ type }) => type === "image_url"));
const tokensOf = (text: string) => Math.ceil(text.length / 4);
const count = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index).join(" ");

export class PlayedModel {
  url = "";
  requests = 0;
  /** Milliseconds that have passed here: how fast this machine is must not look like a fault. */
  passed = 0;
  /** A request came that gets no answer. */
  onStuck: () => void = () => undefined;
  readonly #fault: Fault;
  readonly #server: http.Server;
  readonly #prefixes = new Set<string>();

  constructor(fault: Fault) {
    this.#fault = fault;
    this.#server = http.createServer(answered((...asked) => this.#serve(...asked)));
  }

  async start(): Promise<this> {
    this.url = `http://127.0.0.1:${await listenAnew(this.#server)}/v1`;
    return this;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse, sent: string): Promise<void> {
    this.requests++;
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    const broken: Partial<Record<Fault, () => unknown>> = {
      "no-path": () => response.writeHead(404).end("page not found"),
      html: () => response.writeHead(200, { "content-type": "text/html" }).end("<title>Welcome</title>"),
      "bad-key": () => json(401, { error: { message: "Incorrect API key provided" } }),
      redirect: () => response.writeHead(302, { location: "https://elsewhere.example/v1" }).end(),
      broken: () => json(500, { error: { message: "out of memory" } }),
      busy: () => response.writeHead(429, { "retry-after": "0.01" }).end('{"error":{"message":"busy"}}'),
    };
    const failing = broken[this.#fault];
    if (failing) return void failing();
    if (request.url === "/v1/models") {
      if (this.#fault === "no-list") return void json(404, { error: { message: "not found" } });
      const id = this.#fault === "unlisted" ? "another" : "m";
      return void json(200, { data: [{ id, owned_by: "x", context_length: LISTED_WINDOW }] });
    }
    const body = bodySchema.parse(JSON.parse(sent));
    const isLong = tokensOf(body.messages.map(textOf).join("\n")) > SMALL_WINDOW;
    if (this.#fault === "window-slow" && isLong) return this.onStuck();
    try {
      const reply = this.#reply(body);
      if (body.stream && this.#fault !== "whole-only") await this.#stream(body, reply, response);
      else json(200, this.#whole(body, reply));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      json(error.status, { error: { message: error.message } });
    }
  }

  #reply(body: Body): Reply {
    const fault = this.#fault;
    const { messages } = body;
    const last = messages.at(-1);
    const system = messages
      .filter(({ role }) => role === "system")
      .map(textOf)
      .join("\n");
    const asked = last ? textOf(last) : "";
    const prompt = tokensOf(messages.map(textOf).join("\n"));
    if (fault === "no-model") throw new Refused(404, "The model `m` does not exist");
    if (fault === "refuses-system" && /KIWI/.test(system))
      throw new Refused(400, "instructions are not allowed");
    if (fault === "window-refused" && prompt > SMALL_WINDOW)
      throw new Refused(400, `This model's maximum context length is ${SMALL_WINDOW} tokens`);
    if (prompt > LISTED_WINDOW)
      throw new Refused(400, `This model's maximum context length is ${LISTED_WINDOW} tokens`);
    if (fault === "tools-refused" && body.tools) throw new Refused(400, "m does not support tools");
    if (fault === "images-refused" && hasImage(body))
      throw new Refused(400, "This model does not support image input");
    if (fault === "images-refused-500" && hasImage(body))
      throw new Refused(
        500,
        "image input is not supported - hint: if this is unexpected, provide the mmproj",
      );
    if (fault === "stop-refused" && body.stop) throw new Refused(400, "stop is not supported");
    if (body.response_format) {
      if (fault === "schema-refused") throw new Refused(400, "response_format is not supported");
      return { text: fault === "schema-ignored" ? "O cat, O cat" : '{"animal": "cat", "legs": 4}' };
    }
    if (last?.role === "tool") {
      if (fault === "results-refused") throw new Refused(400, "role tool is not allowed here");
      return { text: fault === "results-ignored" ? "I do not know." : "They cost 4,711 yen." };
    }
    if (fault === "empty") return { text: "" };
    if (fault === "gibberish") return { text: "lorem ipsum dolor" };
    if (/KIWI/.test(system)) return { text: fault === "ignores-system" ? "I am fine, thank you!" : "KIWI" };
    if (body.tools) return this.#calls(asked);
    if (/<lookup_price>/.test(system)) {
      const call = "<lookup_price>\n<item>apple</item>\n<quantity>3</quantity>\n</lookup_price>";
      return { text: fault === "no-xml" || fault === "neither-calls" ? "About 3 euros." : call };
    }
    return { text: this.#words(body, asked) };
  }

  #words(body: Body, asked: string): string {
    const fault = this.#fault;
    if (hasImage(body)) return fault === "images-unseen" ? "I see no picture." : "Red.";
    if (/What is my code word/.test(asked)) {
      const said = body.messages.map(textOf).join("\n");
      return fault === "forgets" ? "You have not told me." : (/TANGO-\d+/.exec(said)?.[0] ?? "?");
    }
    if (/^The code is/.test(asked)) {
      const kept = fault === "window-cut" ? asked.slice(-4 * SMALL_WINDOW) : asked;
      return /The code is (DELTA-\d+)/.exec(kept)?.[1] ?? "There is no code.";
    }
    if (/Repeat these characters/.test(asked)) return fault === "garbles" ? "? \u00c3\u00a9 ??" : "猫 é 🐈";
    const range = /Count from (\d+) to (\d+)/.exec(asked);
    if (!range) return "PONG";
    const all = count(Number(range[1]), Number(range[2]));
    const stopped = body.stop && fault !== "ignores-stop" ? (all.split(body.stop[0] ?? "")[0] ?? "") : all;
    const limited = (body.max_tokens ?? 9_999) < 100 && fault !== "ignores-limit";
    return limited ? stopped.slice(0, 40) : stopped;
  }

  #calls(asked: string): Reply {
    const fault = this.#fault;
    if (fault === "tools-ignored" || fault === "neither-calls") return { text: "Apples cost 3 euros." };
    const call = (index: number, item: string, quantity: unknown) => ({
      ...(fault === "no-ids" ? {} : { id: `call_${index}` }),
      name: "lookup_price",
      arguments: fault === "bad-json" ? `{"item": ${item}` : JSON.stringify({ item, quantity }),
    });
    if (/pear/.test(asked))
      return {
        text: "",
        calls: fault === "one-call" ? [call(2, "pear", 1)] : [call(2, "pear", 1), call(3, "plum", 2)],
      };
    return { text: "", calls: [call(1, "apple", fault === "bad-schema" ? "three" : 3)] };
  }

  #usage(body: Body, text: string): Record<string, unknown> {
    const prompt = body.messages.map(textOf).join("\n");
    const prefix = prompt.slice(0, 8_000);
    const cached = this.#fault !== "no-cache" && prefix.length === 8_000 && this.#prefixes.has(prefix);
    this.#prefixes.add(prefix);
    return {
      prompt_tokens: this.#fault === "miscounts" ? 1 : tokensOf(prompt),
      completion_tokens: tokensOf(text),
      ...(cached ? { prompt_tokens_details: { cached_tokens: 2_000 } } : {}),
    };
  }

  #whole(body: Body, { text, calls }: Reply): unknown {
    const message = {
      role: "assistant",
      content: text,
      ...(calls ? { tool_calls: calls.map(wireCall) } : {}),
    };
    const hasUsage = this.#fault !== "no-whole-usage";
    const choices = [{ message, finish_reason: calls ? "tool_calls" : "stop" }];
    return { choices, ...(hasUsage ? { usage: this.#usage(body, text) } : {}) };
  }

  async #stream(body: Body, { text, calls }: Reply, response: http.ServerResponse): Promise<void> {
    const fault = this.#fault;
    const pieces = fault === "one-chunk" ? [text] : (text.match(/[\s\S]{1,12}/gu) ?? []);
    const chunks: unknown[] = pieces.map((content) => ({ choices: [{ delta: { content } }] }));
    if (calls) chunks.push({ choices: [{ delta: { tool_calls: calls.map(wireCall) } }] });
    const usage = fault === "no-usage" ? [] : [{ choices: [], usage: this.#usage(body, text) }];
    const finish =
      fault === "no-finish" || fault === "cut-off"
        ? []
        : [{ choices: [{ delta: {}, finish_reason: "stop" }] }];
    const ending = fault === "cut-off" ? [] : [...finish, ...usage];
    const lines = [...chunks, ...ending].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
    if (fault === "held-back" && pieces.length > 5) this.passed += 1_100;
    response.writeHead(200, { "content-type": "text/event-stream" });
    Readable.from([...lines, ...(fault === "cut-off" ? [] : ["data: [DONE]\n\n"])]).pipe(response);
  }
}

function wireCall(
  { id, name, arguments: args }: { id?: string; name: string; arguments: string },
  index: number,
) {
  return {
    index,
    ...(id === undefined ? {} : { id }),
    type: "function",
    function: { name, arguments: args },
  };
}
