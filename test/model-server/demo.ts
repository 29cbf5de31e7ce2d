import type { Conversation } from "./conversation.ts";
import type { ScriptTurn } from "./script.ts";

/** The model of `npm start`: answers any conversation. */
export function demo(_conversation: Conversation): ScriptTurn {
  return { answer: [{ text: "Hello." }] };
}
