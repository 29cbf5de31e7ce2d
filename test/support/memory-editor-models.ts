/** The editor's models in memory, as strict as an editor: every call has its result in the next message. */
import type {
  EditorMessage,
  EditorModels,
  EditorPart,
  EditorRequest,
} from "../../src/core/ports/editor-models.ts";

export interface MemoryEditorModels extends EditorModels {
  readonly requests: EditorRequest[];
}

/** `answer`: the parts of the answer to a request; may throw. */
export function memoryEditorModels(
  answer: (request: EditorRequest) => readonly EditorPart[],
): MemoryEditorModels {
  const requests: EditorRequest[] = [];
  return {
    requests,
    list: async () => [{ id: "gpt-x", name: "GPT-X", vendor: "copilot", maxInputTokens: 64_000 }],
    async *send(_model, request) {
      for (const [index, message] of request.messages.entries()) check(message, request.messages[index - 1]);
      requests.push(request);
      yield* answer(request);
    },
    onChange: () => ({ dispose: () => undefined }),
  };
}

function check({ role, parts }: EditorMessage, before: EditorMessage | undefined): void {
  if (before?.role === role) throw new Error("two messages of one role");
  if (parts.length === 0) throw new Error("an empty message");
  const calls = (before?.parts ?? []).flatMap((part) => (part.type === "call" ? [part.id] : []));
  const results = parts.flatMap((part) => (part.type === "result" ? [part.id] : []));
  if (calls.join() !== results.join())
    throw new Error(`calls ${calls.join()} have results ${results.join()}`);
  for (const part of parts) {
    if (part.type === "text" && part.text.trim() === "") throw new Error("an empty text");
    if ((part.type === "call") !== (role === "assistant" && part.type !== "text")) throw new Error(part.type);
  }
}
