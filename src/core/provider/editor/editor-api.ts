/** The models that the editor itself offers. The editor keeps the key, the address and the limits. */
import { Interrupt, ProviderError } from "../../errors.ts";
import type { EditorModels } from "../../ports/editor-models.ts";
import type { Api, Endpoint, ListedModel } from "../api.ts";
import { Deadline } from "../deadline.ts";
import type { ModelRequest, StreamPart } from "../provider.ts";
import { BOUNDS, tooLarge } from "../received.ts";
import { editorMessages } from "./editor-messages.ts";

export const editorApi: Api = {
  quirks: [],
  stream,
  async listModels({ editorModels }): Promise<ListedModel[]> {
    const models = await offered(editorModels).list();
    return models.map(({ id, name, vendor, maxInputTokens }) => ({
      id,
      title: `${name} (${vendor})`,
      facts: {
        window: { value: maxInputTokens, source: "endpoint" },
        images: { value: false, source: "endpoint" },
      },
    }));
  },
  refusesTools: () => false,
  refusesImages: () => undefined,
  statedLengths: () => ({}),
};

function offered(models: EditorModels | undefined): EditorModels {
  if (!models) throw new ProviderError({ code: "no-editor-models" });
  return models;
}

async function* stream(
  { editorModels, model, provider, clock }: Endpoint,
  request: ModelRequest,
  _quirks: unknown,
  signal: AbortSignal,
): AsyncGenerator<StreamPart> {
  if (model === "") throw new ProviderError({ code: "no-model" });
  const models = offered(editorModels);
  const tools = request.protocol === "native" ? request.tools : [];
  const deadline = new Deadline(clock, signal, provider.firstTokenTimeout, provider.idleTimeout);
  let calls = 0;
  let length = 0;
  try {
    for await (const part of models.send(
      model,
      { messages: editorMessages(request), tools },
      deadline.signal,
    )) {
      deadline.token();
      if (part.type === "text") {
        length += part.text.length;
        yield { type: "text", delta: part.text };
      } else if (part.type === "call") {
        const { id, name, input } = part;
        const args = JSON.stringify(input);
        length += args.length;
        yield { type: "tool-calls", deltas: [{ index: calls++, id, name, arguments: args }] };
      }
      if (length > BOUNDS.answer) throw tooLarge(`${BOUNDS.answer} characters`);
    }
  } catch (error) {
    if (signal.aborted) throw new Interrupt();
    if (deadline.passed) throw deadline.error();
    throw error;
  } finally {
    deadline.dispose();
  }
  if (length === 0 && calls === 0)
    throw new ProviderError({ code: "empty-response", subject: model }, { transient: true });
  yield { type: "finish", reason: calls > 0 ? "tool_calls" : "stop" };
}
