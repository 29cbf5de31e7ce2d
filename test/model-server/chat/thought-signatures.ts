/**
 * Thought signatures as Gemini's compatible endpoint issues and checks them: on the first call of each answer, or on the
 * text of an answer without calls.
 */
import { createHash, randomBytes } from "node:crypto";
import { isRecord, refuse } from "../api-error.ts";
import type { ChatMessage, ChatRequest } from "./wire.ts";

/** Google's word for a call that another model made. */
const SKIP = "skip_thought_signature_validator";

export class ThoughtSignatures {
  /** Signatures by what they belong to: the model, and the id of the call or the text. */
  readonly #issued = new Map<string, string>();

  /** Returns the signature of a call. */
  ofCall(model: string, id: string): string {
    return this.#issue(callKey(model, id));
  }

  ofText(model: string, text: string): string {
    return this.#issue(textKey(model, text));
  }

  /** Throws a 400, in Gemini's words, if a signature is missing, changed, or not where it was issued. */
  check({ model, messages }: ChatRequest): void {
    messages.forEach((message, position) => {
      if (message.role !== "assistant") return;
      for (const [index, call] of (message.tool_calls ?? []).entries()) {
        const issued = this.#issued.get(callKey(model, call.id));
        // Another model's call needs no real signature, but the first one of an answer needs one.
        const wanted = issued ?? (index === 0 ? SKIP : undefined);
        const got = signatureIn(call);
        if (got === wanted) continue;
        if (got === undefined) missing(call.function.name, position);
        invalid(`messages[${position}].tool_calls[${index}]`);
      }
      const got = signatureIn(message);
      if (got === this.#issued.get(textKey(model, textOf(message)))) return;
      // A client that has read calls in the text may write them in its own way.
      if (got === undefined && textOf(message).includes("</")) return;
      if (got === undefined) missing("text", position);
      invalid(`messages[${position}]`);
    });
  }

  #issue(key: string): string {
    const signature = randomBytes(24).toString("base64");
    this.#issued.set(key, signature);
    return signature;
  }
}

function callKey(model: string, id: string): string {
  return JSON.stringify([model, "call", id]);
}

function textKey(model: string, text: string): string {
  return JSON.stringify([model, "text", createHash("sha256").update(text.trim()).digest("hex")]);
}

function textOf({ content }: ChatMessage): string {
  return typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
}

/** The signature in an `extra_content`; undefined: there is none. */
function signatureIn(value: Record<string, unknown>): string | undefined {
  const { extra_content: extra } = value;
  const google = isRecord(extra) ? extra.google : undefined;
  const signature = isRecord(google) ? google.thought_signature : undefined;
  if (extra === undefined) return undefined;
  return typeof signature === "string" ? signature : "";
}

function missing(name: string, position: number): never {
  refuse(
    null,
    "INVALID_ARGUMENT",
    `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${position}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
  );
}

function invalid(at: string): never {
  refuse(at, "INVALID_ARGUMENT", `Thought signature is not valid: ${at}.`);
}
