/** Validates the input items of a Responses request as strictly as OpenAI's own endpoint, and more strictly where it is lenient. */
import { ApiError, isRecord, refuse } from "../api-error.ts";
import type { IssuedReasoning } from "./issued-reasoning.ts";

type Item = Record<string, unknown>;

const FIELDS: Record<string, readonly string[]> = {
  message: ["type", "role", "content", "id", "status", "phase"],
  function_call: ["type", "call_id", "name", "arguments", "id", "status"],
  function_call_output: ["type", "call_id", "output", "id", "status"],
  reasoning: ["type", "id", "summary", "content", "encrypted_content"],
  item_reference: ["type", "id"],
};

const INPUT_PARTS = ["input_text", "input_image"];
const OUTPUT_PARTS = ["output_text", "refusal"];

/** The request's fields besides its items that decide whether they are accepted. */
export interface ItemContext {
  model: string;
  /** The request's `store`. */
  stores: boolean;
  /** undefined: reasoning is readable, as llama.cpp's server has it, which takes no images as the output of a call. */
  issued: IssuedReasoning | undefined;
}

export function validateItems(input: unknown, context: ItemContext): void {
  if (input === undefined)
    refuse("input", "missing_required_parameter", "Missing required parameter: 'input'.");
  if (typeof input === "string") {
    notBlank(input, "input");
    return;
  }
  if (!Array.isArray(input))
    refuse("input", "invalid_type", "Invalid type for 'input': expected a string or an array.");
  if (input.length === 0)
    refuse("input", "empty_array", "Invalid 'input': empty array. Expected at least one item.");
  const order = new ItemOrder(context.stores);
  input.forEach((item: unknown, index) => {
    const at = `input[${index}]`;
    if (!isRecord(item)) refuse(at, "invalid_type", `Invalid type for '${at}': expected an object.`);
    const kind = kindOf(item, at);
    for (const name of Object.keys(item)) {
      if (!FIELDS[kind]?.includes(name))
        refuse(`${at}.${name}`, "unknown_parameter", `Unknown parameter: '${at}.${name}'.`);
    }
    if (kind === "message") validateMessage(item, at, order);
    else if (kind === "function_call") validateCall(item, at, order);
    else if (kind === "function_call_output") validateOutput(item, at, order, context);
    else if (kind === "reasoning" && !context.issued) validateReadableReasoning(item, at, order);
    else if (kind === "reasoning") validateReasoning(item, { at, order, ...context });
    else notStored(item.id, at);
  });
  order.end();
}

function kindOf(item: Item, at: string): string {
  const kind = item.type ?? (item.role === undefined ? undefined : "message");
  if (typeof kind === "string" && kind in FIELDS) return kind;
  refuse(
    `${at}.type`,
    "invalid_value",
    `Invalid value: ${JSON.stringify(kind)}. Supported values are: ${Object.keys(FIELDS).join(", ")}.`,
  );
}

/** The server stores nothing, whatever `store` says. */
function notStored(id: unknown, at: string): never {
  const message = `Item with id '${String(id)}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`;
  throw new ApiError(404, message, { param: at });
}

function notBlank(text: unknown, at: string): void {
  if (typeof text !== "string") refuse(at, "invalid_type", `Invalid type for '${at}': expected a string.`);
  if (text.trim() === "") refuse(at, "empty_content", `Invalid '${at}': the text is empty.`);
}

function validateMessage(item: Item, at: string, order: ItemOrder): void {
  const { role, content, id } = item;
  if (typeof role !== "string" || !["user", "assistant", "system", "developer"].includes(role)) {
    refuse(`${at}.role`, "invalid_value", `Invalid value: ${JSON.stringify(role)} at '${at}.role'.`);
  }
  if (id !== undefined) notStored(id, at);
  const isAnswer = role === "assistant";
  if (isAnswer) order.answered(at);
  else order.asked(at);
  if (typeof content === "string") notBlank(content, `${at}.content`);
  else validateParts(content, `${at}.content`, isAnswer ? OUTPUT_PARTS : INPUT_PARTS);
}

function validateParts(parts: unknown, at: string, kinds: readonly string[]): void {
  if (!Array.isArray(parts))
    refuse(at, "invalid_type", `Invalid type for '${at}': expected a string or an array of parts.`);
  if (parts.length === 0) refuse(at, "empty_content", `Invalid '${at}': the array of parts is empty.`);
  parts.forEach((part: unknown, index) => {
    const place = `${at}[${index}]`;
    const kind = isRecord(part) ? part.type : undefined;
    if (!isRecord(part) || typeof kind !== "string" || !kinds.includes(kind)) {
      refuse(
        place,
        "invalid_value",
        `Invalid value: ${JSON.stringify(kind)} at '${place}'. Supported values are: ${kinds.map((name) => `'${name}'`).join(" and ")}.`,
      );
    }
    if (kind === "input_image") validateImage(part, place);
    else notBlank(kind === "refusal" ? part.refusal : part.text, `${place}.text`);
  });
}

const IMAGE_DATA = /^data:image\/(png|jpeg|gif|webp);base64,([A-Za-z0-9+/]+={0,2})$/;

function validateImage({ image_url: url, detail }: Item, at: string): void {
  if (typeof url !== "string")
    refuse(
      `${at}.image_url`,
      "invalid_type",
      `Invalid type for '${at}.image_url': expected an image URL as a string.`,
    );
  if (!/^https?:\/\//.test(url) && !IMAGE_DATA.test(url)) {
    refuse(
      `${at}.image_url`,
      "invalid_image_url",
      `Invalid '${at}.image_url': expected an http(s) URL or a base64 data URL of a png, jpeg, gif or webp image.`,
    );
  }
  if (detail !== undefined && detail !== "auto" && detail !== "low" && detail !== "high")
    refuse(`${at}.detail`, "invalid_value", `Invalid value at '${at}.detail'.`);
}

function callIdOf({ call_id: id }: Item, at: string): string {
  if (typeof id !== "string" || id === "")
    refuse(`${at}.call_id`, "missing_required_parameter", `Missing required parameter: '${at}.call_id'.`);
  if (id.length > 64) {
    refuse(
      `${at}.call_id`,
      "string_above_max_length",
      `Invalid '${at}.call_id': string too long. Expected a string with maximum length 64, but got a string with length ${id.length} instead.`,
    );
  }
  return id;
}

function validateCall(item: Item, at: string, order: ItemOrder): void {
  if (item.id !== undefined) notStored(item.id, at);
  const { name } = item;
  if (typeof name !== "string" || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
    refuse(
      `${at}.name`,
      "invalid_value",
      `Invalid '${at}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
    );
  }
  if (typeof item.arguments !== "string")
    refuse(`${at}.arguments`, "invalid_type", `Invalid type for '${at}.arguments': expected a string.`);
  if (!isRecord(parsed(item.arguments)))
    refuse(`${at}.arguments`, "invalid_json", `'${at}.arguments' must hold a JSON object.`);
  order.called(callIdOf(item, at), at);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function validateOutput(item: Item, at: string, order: ItemOrder, { issued }: ItemContext): void {
  order.settled(callIdOf(item, at), at);
  const { output } = item;
  if (typeof output === "string") notBlank(output, `${at}.output`);
  else validateParts(output, `${at}.output`, INPUT_PARTS);
  if (!issued && Array.isArray(output) && output.some(({ type }) => type !== "input_text"))
    refuse(null, "invalid_value", "Output of tool call should be 'Input text'");
}

interface ReasoningContext extends ItemContext {
  at: string;
  order: ItemOrder;
}

function validateReasoning(item: Item, { at, model, issued, order }: ReasoningContext): void {
  const { id, encrypted_content: encrypted, summary } = item;
  if (typeof id !== "string" || !id.startsWith("rs_"))
    refuse(`${at}.id`, "invalid_value", `Invalid '${at}.id': expected an ID that begins with 'rs'.`);
  if (!Array.isArray(summary))
    refuse(`${at}.summary`, "missing_required_parameter", `Missing required parameter: '${at}.summary'.`);
  if (typeof encrypted !== "string" || encrypted === "") notStored(id, at);
  order.reasoned(id, at, issued?.verify({ id, encrypted }, model, at));
}

/** In the words of llama.cpp's server. */
function validateReadableReasoning({ id, summary, content }: Item, at: string, order: ItemOrder): void {
  if (!Array.isArray(summary)) refuse(at, "invalid_value", "Cannot determine type of 'item'");
  if (!Array.isArray(content)) refuse(at, "invalid_value", "item['content'] is not an array");
  const [first]: unknown[] = content;
  if (first === undefined) refuse(at, "invalid_value", "item['content'] is empty");
  if (!isRecord(first) || typeof first.text !== "string")
    refuse(at, "invalid_value", "item['content']['text'] is not a string");
  order.reasoned(String(id), at);
}

/**
 * The order of items: each call has one output, before anything else is asked; reasoning is followed by what came of it,
 * and is in the order in which it was issued.
 */
class ItemOrder {
  readonly #known = new Set<string>();
  readonly #open = new Set<string>();
  /** The last item is this reasoning. */
  #reasoning: string | undefined;
  #lastIssued = -1;
  readonly #stores: boolean;
  #last: "asked" | "answered" = "asked";

  /** With `stores`, what follows reasoning is found by its id, and no item here has one that the server stored. */
  constructor(stores: boolean) {
    this.#stores = stores;
  }

  answered(at: string): void {
    if (this.#stores) this.#expectFollowed(at);
    this.#reasoning = undefined;
    this.#last = "answered";
  }

  asked(at: string): void {
    this.#expectFollowed(at);
    this.#expectSettled();
    this.#last = "asked";
  }

  called(id: string, at: string): void {
    if (this.#known.has(id))
      refuse(`${at}.call_id`, "invalid_value", `Duplicate function call with call_id '${id}' at '${at}'.`);
    this.#known.add(id);
    this.#open.add(id);
    this.answered(at);
  }

  settled(id: string, at: string): void {
    this.#expectFollowed(at);
    if (!this.#open.delete(id)) {
      const reason = this.#known.has(id)
        ? `Duplicate output for function call with call_id ${id}.`
        : `No tool call found for function call output with call_id ${id}.`;
      refuse("input", "invalid_request", reason);
    }
    this.#last = "asked";
  }

  /** `issued`: its place among all that the server issued, if it counts them. */
  reasoned(id: string, at: string, issued = this.#lastIssued + 1): void {
    if (issued <= this.#lastIssued)
      refuse(
        at,
        "invalid_request",
        `Item '${id}' of type 'reasoning' is not in the order in which it was issued.`,
      );
    this.#lastIssued = issued;
    this.#reasoning = id;
    this.#last = "answered";
  }

  end(): void {
    this.#expectFollowed("the end of the input");
    this.#expectSettled();
    if (this.#last !== "asked")
      refuse(
        "input",
        "invalid_request",
        "The last item must be a message from the user or the output of a call.",
      );
  }

  #expectFollowed(at: string): void {
    if (this.#reasoning === undefined) return;
    refuse(
      "input",
      "invalid_request",
      `Item '${this.#reasoning}' of type 'reasoning' was provided without its required following item, before ${at}.`,
    );
  }

  #expectSettled(): void {
    const [id] = this.#open;
    if (id !== undefined) refuse("input", "invalid_request", `No tool output found for function call ${id}.`);
  }
}
