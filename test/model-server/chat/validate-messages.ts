import { isRecord, refuse } from "../api-error.ts";

const ROLES = ["system", "developer", "user", "assistant", "tool"] as const;
type Role = (typeof ROLES)[number];

const FIELDS: Record<Role, readonly string[]> = {
  system: ["role", "content", "name"],
  developer: ["role", "content", "name"],
  user: ["role", "content", "name"],
  assistant: ["role", "content", "name", "tool_calls", "refusal"],
  tool: ["role", "content", "tool_call_id"],
};

/** Throws a 400 that names the index of the invalid message. */
export function validateMessages(messages: unknown, accepts: readonly string[]): void {
  if (messages === undefined) {
    refuse("messages", "missing_required_parameter", "Missing required parameter: 'messages'.");
  }
  if (!Array.isArray(messages)) refuse("messages", "invalid_type", "'messages' must be an array.");
  if (messages.length === 0) {
    refuse("messages", "empty_array", "Invalid 'messages': empty array. Expected at least one message.");
  }
  const calls = new CallLedger(accepts);
  let conversationStarted = false;
  messages.forEach((message: unknown, index) => {
    const at = `messages[${index}]`;
    if (!isRecord(message)) refuse(at, "invalid_type", `'${at}' must be an object.`);
    const role = roleOf(message, at);
    for (const field of Object.keys(message)) {
      if (!FIELDS[role].includes(field) && !accepts.includes(field)) {
        refuse(
          `${at}.${field}`,
          "unknown_parameter",
          `Unknown parameter: '${at}.${field}' in a ${role} message.`,
        );
      }
    }
    if (role !== "tool") calls.expectSettled(at, role);
    if (role === "system" || role === "developer") {
      if (conversationStarted) {
        refuse(`${at}.role`, "invalid_role_order", `'${at}': a ${role} message must come first.`);
      }
    } else if (!conversationStarted) {
      conversationStarted = true;
      if (role === "assistant") {
        refuse(
          `${at}.role`,
          "invalid_role_order",
          `'${at}': the conversation must begin with a user message.`,
        );
      }
    }
    if (role === "assistant") calls.open(message, at);
    validateContent(message, role, at);
    if (role === "tool") calls.settle(message, at);
  });
  calls.expectSettled("messages", "end");
  const last: unknown = messages.at(-1);
  const lastRole = isRecord(last) ? last.role : undefined;
  if (lastRole !== "user" && lastRole !== "tool") {
    refuse(
      `messages[${messages.length - 1}].role`,
      "invalid_role_order",
      `The last message must be from the user or a tool, got '${lastRole}' at messages[${messages.length - 1}].`,
    );
  }
}

function roleOf(message: Record<string, unknown>, at: string): Role {
  const role = ROLES.find((known) => known === message.role);
  if (role === undefined) {
    refuse(
      `${at}.role`,
      "invalid_value",
      `Invalid value: ${JSON.stringify(message.role)} at '${at}.role'. Supported values are: ${ROLES.join(", ")}.`,
    );
  }
  return role;
}

function validateContent(message: Record<string, unknown>, role: Role, at: string): void {
  const { content } = message;
  const where = `${at}.content`;
  if (content === undefined || content === null) {
    if (role === "assistant" && message.tool_calls !== undefined) return;
    refuse(
      where,
      "empty_content",
      `Invalid '${where}': a ${role} message needs content, got ${String(content)}.`,
    );
  }
  if (typeof content === "string") {
    if (content.trim() === "") refuse(where, "empty_content", `Invalid '${where}': the text is empty.`);
    return;
  }
  if (!Array.isArray(content)) {
    refuse(where, "invalid_type", `Invalid type for '${where}': expected a string or an array of parts.`);
  }
  if (content.length === 0)
    refuse(where, "empty_content", `Invalid '${where}': the array of parts is empty.`);
  content.forEach((part: unknown, index) => {
    validatePart(part, role, `${where}[${index}]`);
  });
}

function validatePart(part: unknown, role: Role, at: string): void {
  if (!isRecord(part)) refuse(at, "invalid_type", `'${at}' must be an object.`);
  if (part.type === "text") {
    if (typeof part.text !== "string") {
      refuse(`${at}.text`, "invalid_type", `'${at}.text' must be a string.`);
    }
    if (part.text.trim() === "")
      refuse(`${at}.text`, "empty_content", `Invalid '${at}.text': the text is empty.`);
    return;
  }
  if (part.type === "image_url") {
    if (role !== "user") {
      refuse(
        at,
        "invalid_content_part",
        `'${at}': an image is only allowed in a user message, not in a ${role} one.`,
      );
    }
    validateImage(part.image_url, `${at}.image_url`);
    return;
  }
  refuse(
    `${at}.type`,
    "invalid_value",
    `Invalid value: ${JSON.stringify(part.type)} at '${at}.type'. Supported values are: 'text', 'image_url'.`,
  );
}

const IMAGE_DATA = /^data:image\/(png|jpeg|gif|webp);base64,([A-Za-z0-9+/]+={0,2})$/;

function validateImage(image: unknown, at: string): void {
  const url = isRecord(image) ? image.url : undefined;
  if (typeof url !== "string") refuse(`${at}.url`, "invalid_type", `'${at}.url' must be a string.`);
  if (!/^https?:\/\//.test(url) && !IMAGE_DATA.test(url)) {
    refuse(
      `${at}.url`,
      "invalid_image_url",
      `Invalid '${at}.url': expected an http(s) URL or a base64 data URL of a png, jpeg, gif or webp image.`,
    );
  }
}

/** Matches tool calls with their results: each is answered once, immediately, and no id repeats. */
class CallLedger {
  readonly #known = new Set<string>();
  #pending = new Set<string>();
  #openedAt = "";
  readonly #accepts: readonly string[];

  /** `accepts`: fields of a call that are accepted beyond OpenAI's own. */
  constructor(accepts: readonly string[]) {
    this.#accepts = accepts;
  }

  open(message: Record<string, unknown>, at: string): void {
    const calls = message.tool_calls;
    const where = `${at}.tool_calls`;
    if (calls === undefined) return;
    if (!Array.isArray(calls)) refuse(where, "invalid_type", `'${where}' must be an array.`);
    if (calls.length === 0) {
      refuse(
        where,
        "empty_array",
        `Invalid '${where}': empty array. Expected an array with minimum length 1.`,
      );
    }
    this.#openedAt = at;
    calls.forEach((call: unknown, index) => {
      const id = validateCall(call, `${where}[${index}]`, this.#accepts);
      if (this.#known.has(id)) {
        refuse(
          `${where}[${index}].id`,
          "duplicate_tool_call_id",
          `Duplicate tool_call id '${id}' at ${where}[${index}].`,
        );
      }
      this.#known.add(id);
      this.#pending.add(id);
    });
  }

  settle(message: Record<string, unknown>, at: string): void {
    const id = message.tool_call_id;
    if (typeof id !== "string" || id === "") {
      refuse(
        `${at}.tool_call_id`,
        "missing_required_parameter",
        `Missing required parameter: '${at}.tool_call_id'.`,
      );
    }
    if (this.#pending.delete(id)) return;
    if (this.#known.has(id)) {
      refuse(
        `${at}.tool_call_id`,
        "invalid_tool_message",
        `'${at}': the tool_call '${id}' has its result already.`,
      );
    }
    if (this.#openedAt === "") {
      refuse(
        `${at}.role`,
        "invalid_tool_message",
        `'${at}': messages with role 'tool' must be a response to a preceding message with 'tool_calls'.`,
      );
    }
    refuse(
      `${at}.tool_call_id`,
      "invalid_tool_message",
      `'${at}': no preceding tool_call has the id '${id}'.`,
    );
  }

  expectSettled(at: string, next: string): void {
    if (this.#pending.size === 0) return;
    refuse(
      this.#openedAt,
      "missing_tool_result",
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
        `The following tool_call_ids of ${this.#openedAt} did not have response messages before ${at} (${next}): ` +
        `${[...this.#pending].join(", ")}`,
    );
  }
}

function validateCall(call: unknown, at: string, accepts: readonly string[]): string {
  if (!isRecord(call)) refuse(at, "invalid_type", `'${at}' must be an object.`);
  const unknown = Object.keys(call).find((name) => !["id", "type", "function", ...accepts].includes(name));
  if (unknown !== undefined)
    refuse(`${at}.${unknown}`, "unknown_parameter", `Unknown parameter: '${at}.${unknown}'.`);
  if (call.type !== "function") refuse(`${at}.type`, "invalid_value", `'${at}.type' must be 'function'.`);
  if (typeof call.id !== "string" || call.id === "") {
    refuse(`${at}.id`, "missing_required_parameter", `Missing required parameter: '${at}.id'.`);
  }
  const fn = call.function;
  if (!isRecord(fn)) refuse(`${at}.function`, "invalid_type", `'${at}.function' must be an object.`);
  if (typeof fn.name !== "string" || !/^[a-zA-Z0-9_-]{1,64}$/.test(fn.name)) {
    refuse(
      `${at}.function.name`,
      "invalid_value",
      `Invalid '${at}.function.name': ${JSON.stringify(fn.name)} does not match '^[a-zA-Z0-9_-]{1,64}$'.`,
    );
  }
  if (typeof fn.arguments !== "string") {
    refuse(
      `${at}.function.arguments`,
      "invalid_type",
      `Invalid type for '${at}.function.arguments': expected a string, got ${typeof fn.arguments}.`,
    );
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(fn.arguments);
  } catch {
    refuse(`${at}.function.arguments`, "invalid_json", `'${at}.function.arguments' is not valid JSON.`);
  }
  if (!isRecord(parsed)) {
    refuse(`${at}.function.arguments`, "invalid_json", `'${at}.function.arguments' must hold a JSON object.`);
  }
  return call.id;
}
