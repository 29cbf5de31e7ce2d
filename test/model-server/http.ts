import type { IncomingMessage } from "node:http";
import { ApiError, refuse } from "./api-error.ts";
import type { ParsedScript } from "./script.ts";

/** The whole body of a request; rejects when the client disconnects before its end. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON of a body; throws a 400 on another content type, invalid UTF-8 or invalid JSON. */
export function parseBody(request: IncomingMessage, bytes: Buffer): unknown {
  const type = request.headers["content-type"] ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    refuse(null, "invalid_content_type", `Invalid content type '${type}': expected 'application/json'.`);
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    refuse(null, "invalid_json", "We could not parse the JSON body of your request: it is not valid UTF-8.");
  }
  const body = jsonOrUndefined(text);
  if (body === undefined) refuse(null, "invalid_json", "We could not parse the JSON body of your request.");
  return body;
}

export function methodNotAllowed(record: { method: string; path: string }, allowed: string): ApiError {
  return new ApiError(405, `Not allowed to ${record.method} on ${record.path}; use ${allowed}.`, {
    code: "method_not_allowed",
    headers: { allow: allowed },
  });
}

/** Throws a 404 for a model that the script does not list. */
export function requireModel(script: ParsedScript, model: string): void {
  const known = script.models?.map((entry) => (typeof entry === "string" ? entry : entry.id));
  if (known === undefined || known.includes(model)) return;
  throw new ApiError(404, `The model '${model}' does not exist or you do not have access to it.`, {
    code: "model_not_found",
  });
}
