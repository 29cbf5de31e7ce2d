/**
 * What a recorded stream says, read at once and without anything of the product: the oracle of
 * `recorded-streams.test.ts`.
 */

export interface Said {
  text: string;
  reasoning: string;
  /** The ids of calls are the endpoint's; `arguments` is what their text says, undefined if it is no JSON. */
  calls: { id: string; name: string; arguments: unknown }[];
  finish: string | undefined;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  /** The endpoint reports an error before it says why the answer ended, or its data cannot be read. */
  failed: boolean;
}

type Json = { readonly [key: string]: unknown };

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;
const at = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textAt = (value: unknown, ...path: (string | number)[]): string => {
  const found = at(value, ...path);
  return typeof found === "string" ? found : "";
};
const numberAt = (value: unknown, ...path: (string | number)[]): number | undefined => {
  const found = at(value, ...path);
  return typeof found === "number" ? found : undefined;
};

/** The data of the events in a body, in order; undefined for data that is no JSON. */
export function eventsOf(body: string): unknown[] {
  return body
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data:") && line.slice(5).trim() !== "[DONE]")
    .map((line) => parsed(line.slice(5)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const ORACLES = { chat, responses, anthropic } as const;

interface OpenCall {
  id: string;
  name: string;
  text: string;
}

const said = ({ id, name, text }: OpenCall) => ({ id, name, arguments: text === "" ? {} : parsed(text) });
/** Zero tokens mean that nothing was counted. */
const counted = (input: number | undefined, output: number | undefined) =>
  input ? { inputTokens: input, outputTokens: output } : { inputTokens: undefined, outputTokens: undefined };

function chat(events: readonly unknown[]): Said {
  const calls = new Map<unknown, OpenCall>();
  let text = "";
  let reasoning = "";
  let finish: string | undefined;
  let usage: unknown;
  let failed = false;
  for (const event of events) {
    failed = finish === undefined && (event === undefined || at(event, "error") !== undefined);
    if (failed) break;
    const choice = at(event, "choices", 0);
    const delta = at(choice, "delta") ?? at(choice, "message");
    const content = at(delta, "content");
    for (const part of Array.isArray(content) ? content : [{ type: "text", text: content }]) {
      if (at(part, "type") === "text") text += textAt(part, "text");
      for (const thought of list(at(part, "thinking"))) reasoning += textAt(thought, "text");
    }
    const details = list(at(delta, "reasoning_details")).map((detail) => textAt(detail, "text"));
    reasoning += textAt(delta, "reasoning_content") || textAt(delta, "reasoning") || details.join("");
    for (const item of list(at(delta, "tool_calls"))) {
      const key = at(item, "index") ?? at(item, "id");
      const call = calls.get(key) ?? { id: "", name: "", text: "" };
      calls.set(key, call);
      call.id ||= textAt(item, "id");
      call.name += textAt(item, "function", "name");
      call.text += textAt(item, "function", "arguments");
    }
    finish = textAt(choice, "finish_reason") || finish;
    usage = at(event, "usage") ?? usage;
  }
  return {
    ...{ text, reasoning, calls: [...calls.values()].map(said), finish, failed },
    ...counted(numberAt(usage, "prompt_tokens"), numberAt(usage, "completion_tokens")),
  };
}

/** Some recordings hold the answers to several requests, of which the first is the answer. */
function responses(events: readonly unknown[]): Said {
  const items = new Map<unknown, { text: string; whole?: unknown }>();
  const of = (index: unknown) => {
    const item = items.get(index) ?? { text: "" };
    items.set(index, item);
    return item;
  };
  let response: unknown;
  let end = "";
  for (const event of events) {
    const type = textAt(event, "type");
    const index = at(event, "output_index");
    if (/^response\.(?:output_text|refusal|reasoning_(?:summary_)?text)\.delta$/.test(type))
      of(index).text += textAt(event, "delta");
    if (type === "response.reasoning_summary_part.added" && at(event, "summary_index") !== 0)
      of(index).text += "\n\n";
    if (type === "response.output_item.done") of(index).whole = at(event, "item");
    response = at(event, "response");
    end = /^(?:response\.(?:completed|incomplete|failed)|error|)$/.exec(type) ? type || "error" : "";
    if (end !== "") break;
  }
  const ofType = (type: string) => [...items.values()].filter(({ whole }) => at(whole, "type") === type);
  const joined = (parts: unknown, gap: string) =>
    list(parts)
      .map((part) => textAt(part, "text") || textAt(part, "refusal"))
      .filter((part) => part !== "")
      .join(gap);
  const calls = ofType("function_call").map(({ whole }) =>
    said({ id: textAt(whole, "call_id"), name: textAt(whole, "name"), text: textAt(whole, "arguments") }),
  );
  const why = textAt(response, "incomplete_details", "reason");
  const done = end === "response.completed";
  const cut = why === "max_output_tokens" ? "length" : why;
  const finish = done ? (calls.length > 0 ? "tool_calls" : "stop") : cut || undefined;
  return {
    text: ofType("message")
      .map(({ text, whole }) => text || joined(at(whole, "content"), ""))
      .join(""),
    reasoning: ofType("reasoning")
      .map(
        ({ text, whole }) => text || joined(at(whole, "summary"), "\n\n") || joined(at(whole, "content"), ""),
      )
      .join(""),
    ...{ calls, finish, failed: finish === undefined },
    ...counted(numberAt(response, "usage", "input_tokens"), numberAt(response, "usage", "output_tokens")),
  };
}

const STOPS: Readonly<Record<string, string>> = {
  end_turn: "stop",
  pause_turn: "stop",
  tool_use: "tool_calls",
  max_tokens: "length",
  refusal: "content_filter",
};

function anthropic(events: readonly unknown[]): Said {
  /** By message and block: some gateways begin the message again. */
  const calls = new Map<string, OpenCall>();
  let messages = 0;
  let text = "";
  let reasoning = "";
  let finish: string | undefined;
  let usage: Json = {};
  for (const event of events) {
    if (at(event, "type") === "message_start") messages++;
    const index = `${messages}:${at(event, "index")}`;
    const block = at(event, "content_block");
    if (at(block, "type") === "tool_use")
      calls.set(index, { id: textAt(block, "id"), name: textAt(block, "name"), text: "" });
    text += textAt(block, "text") + textAt(event, "delta", "text");
    reasoning += textAt(block, "thinking") + textAt(event, "delta", "thinking");
    const call = calls.get(index);
    const input = at(block, "input");
    // Arguments come with the block's beginning, or in deltas.
    if (call && isObject(input) && Object.keys(input).length > 0) call.text = JSON.stringify(input);
    if (call) call.text += textAt(event, "delta", "partial_json");
    const stop = textAt(event, "delta", "stop_reason");
    if (stop !== "") finish = STOPS[stop] ?? stop;
    for (const found of [at(event, "message", "usage"), at(event, "usage")])
      if (isObject(found)) usage = { ...usage, ...found };
  }
  const input = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"]
    .map((name) => numberAt(usage, name) ?? 0)
    .reduce((sum, tokens) => sum + tokens, 0);
  return {
    ...{ text, reasoning, calls: [...calls.values()].map(said), finish, failed: false },
    ...counted(input, numberAt(usage, "output_tokens")),
  };
}
