/** The templates of Mistral's models, which check the order of messages, as llama.cpp's server reports what they raise. */
import { ApiError } from "../api-error.ts";
import type { ChatMessage } from "./wire.ts";

const RAISED =
  "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...";

/** Throws a 400 unless users and the assistant take turns. Results, and messages with calls, do not count. */
export function requireAlternatingRoles(messages: readonly ChatMessage[]): void {
  const counted = messages.filter(
    ({ role, tool_calls: calls }) => role !== "system" && role !== "tool" && calls === undefined,
  );
  if (counted.every(({ role }, index) => (role === "user") === (index % 2 === 0))) return;
  throw new ApiError(
    400,
    `\n------------\nWhile executing CallExpression at line 18, column 32 in source:\n... == 0) %}\u21b5            {{- raise_exception("After the optional system message, c...\nError: Jinja Exception: ${RAISED}`,
  );
}
