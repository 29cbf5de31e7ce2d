/** The port for the language models that the editor itself offers, with the user's consent. */
import type { Disposable } from "../lifecycle.ts";

export interface EditorModel {
  id: string;
  /** For people, such as "GPT-4.1". */
  name: string;
  vendor: string;
  /** Tokens of a request. */
  maxInputTokens: number;
}

export type EditorPart =
  | { type: "text"; text: string }
  | { type: "call"; id: string; name: string; input: Record<string, unknown> }
  | { type: "result"; id: string; text: string };

/** Calls are in messages of the assistant, results in messages of the user. */
export interface EditorMessage {
  role: "user" | "assistant";
  parts: EditorPart[];
}

export interface EditorRequest {
  messages: readonly EditorMessage[];
  tools: readonly { name: string; description: string; parameters: Record<string, unknown> }[];
}

export interface EditorModels {
  /** Does not ask for consent. Empty: the editor offers none. */
  list(): Promise<EditorModel[]>;
  /**
   * Sends a request and streams the answer. The editor asks for consent once. Rejects with ProviderError; with Interrupt
   * when `signal` aborts.
   */
  send(model: string, request: EditorRequest, signal: AbortSignal): AsyncIterable<EditorPart>;
  /** Fires when the list changes. */
  readonly onChange: (listener: () => void) => Disposable;
}
