/** VS Code's own language models, through its stable API (`vscode.lm`). */
import * as vscode from "vscode";
import { Interrupt, messageOf, ProviderError } from "../../core/errors.ts";
import type {
  EditorMessage,
  EditorModel,
  EditorModels,
  EditorPart,
  EditorRequest,
} from "../../core/ports/editor-models.ts";
import { VENDOR } from "./chat-provider.ts";

export function createEditorModels(): EditorModels {
  return {
    async list(): Promise<EditorModel[]> {
      const models = await vscode.lm.selectChatModels();
      const others = models.filter(({ vendor }) => vendor !== VENDOR);
      return others.map(({ id, name, vendor, maxInputTokens }) => ({ id, name, vendor, maxInputTokens }));
    },
    send,
    onChange: (listener) => vscode.lm.onDidChangeChatModels(() => listener()),
  };
}

async function* send(
  id: string,
  { messages, tools }: EditorRequest,
  signal: AbortSignal,
): AsyncGenerator<EditorPart> {
  const [model] = await vscode.lm.selectChatModels({ id });
  if (!model) throw new ProviderError({ code: "unknown-model", subject: id });
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    const response = await model.sendRequest(
      messages.map(messageFor),
      {
        justification: vscode.l10n.t("You chose this model in Nekode."),
        tools: tools.map(({ name, description, parameters }) => ({
          name,
          description,
          inputSchema: parameters,
        })),
      },
      source.token,
    );
    for await (const part of response.stream) {
      if (part instanceof vscode.LanguageModelTextPart) yield { type: "text", text: part.value };
      else if (part instanceof vscode.LanguageModelToolCallPart) {
        yield { type: "call", id: part.callId, name: part.name, input: { ...part.input } };
      }
    }
  } catch (error) {
    if (signal.aborted) throw new Interrupt();
    throw failure(error, id);
  } finally {
    signal.removeEventListener("abort", cancel);
    source.dispose();
  }
}

function messageFor({ role, parts }: EditorMessage): vscode.LanguageModelChatMessage {
  const sender = vscode.LanguageModelChatMessageRole;
  return new vscode.LanguageModelChatMessage(
    role === "user" ? sender.User : sender.Assistant,
    parts.map(partFor),
  );
}

function partFor(part: EditorPart): vscode.LanguageModelChatMessage["content"][number] {
  switch (part.type) {
    case "text":
      return new vscode.LanguageModelTextPart(part.text);
    case "call":
      return new vscode.LanguageModelToolCallPart(part.id, part.name, part.input);
    case "result":
      return new vscode.LanguageModelToolResultPart(part.id, [new vscode.LanguageModelTextPart(part.text)]);
  }
}

/** The errors that the API documents (`LanguageModelError`); anything else is the provider's own. */
function failure(error: unknown, subject: string): ProviderError {
  const detail = messageOf(error);
  const code = error instanceof vscode.LanguageModelError ? error.code : "";
  const known = vscode.LanguageModelError;
  if (code === known.NoPermissions.name) return new ProviderError({ code: "no-consent", subject, detail });
  if (code === known.NotFound.name) return new ProviderError({ code: "unknown-model", subject, detail });
  if (code === known.Blocked.name) return new ProviderError({ code: "rate-limited", subject, detail });
  return new ProviderError({ code: "server-error", subject, detail }, { cause: error });
}
