/**
 * Offers Nekode's models to VS Code's own chat, where the running VS Code has the API for it (1.104 and later). Offers only
 * models that the user chose, used or marked as favorites, because an endpoint may list hundreds.
 */
import * as vscode from "vscode";
import type { Disposable } from "../../core/lifecycle.ts";
import type { EditorMessage, EditorPart, EditorRequest } from "../../core/ports/editor-models.ts";

/** The vendor, as `contributes.languageModelChatProviders` names it. */
export const VENDOR = "nekode";

export interface OfferedModel {
  /** `connection/id` */
  name: string;
  title: string;
  maxInputTokens: number;
  maxOutputTokens: number;
  images: boolean;
}

/** The agent's part, which loads when a model is listed or used. */
export interface OfferedModelService {
  list(): Promise<OfferedModel[]>;
  /** Rejects with an error whose message is for the user. */
  respond(
    name: string,
    request: EditorRequest,
    report: (part: EditorPart) => void,
    signal: AbortSignal,
  ): Promise<void>;
  countTokens(text: string): number;
}

/** The part of the API that is used; the oldest supported VS Code does not declare it. */
interface ChatInformation {
  id: string;
  name: string;
  family: string;
  version: string;
  detail?: string;
  maxInputTokens: number;
  maxOutputTokens: number;
  capabilities: { toolCalling: boolean; imageInput: boolean };
}
interface ChatProvider {
  provideLanguageModelChatInformation(): Promise<ChatInformation[]>;
  provideLanguageModelChatResponse(
    model: ChatInformation,
    messages: readonly vscode.LanguageModelChatMessage[],
    options: { tools?: readonly vscode.LanguageModelChatTool[] },
    progress: vscode.Progress<vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart>,
    token: vscode.CancellationToken,
  ): Promise<void>;
  provideTokenCount(model: ChatInformation, text: string | vscode.LanguageModelChatMessage): Promise<number>;
}
interface ProviderApi {
  registerLanguageModelChatProvider(vendor: string, provider: ChatProvider): vscode.Disposable;
}

function hasProviders(lm: object): lm is ProviderApi {
  return "registerLanguageModelChatProvider" in lm;
}

/** Does nothing in a VS Code without the API. */
export function offerModels(models: () => Promise<OfferedModelService>): Disposable {
  const lm: object = vscode.lm;
  if (!hasProviders(lm)) return { dispose: () => undefined };
  return lm.registerLanguageModelChatProvider(VENDOR, {
    async provideLanguageModelChatInformation() {
      const offered = await (await models()).list();
      return offered.map(({ name, title, maxInputTokens, maxOutputTokens, images }) => ({
        id: name,
        name: title,
        family: name,
        version: "1",
        detail: "Nekode",
        maxInputTokens,
        maxOutputTokens,
        capabilities: { toolCalling: true, imageInput: images },
      }));
    },
    async provideLanguageModelChatResponse({ id }, messages, { tools = [] }, progress, token) {
      const controller = new AbortController();
      const listening = token.onCancellationRequested(() => controller.abort());
      const request = { messages: messages.map(editorMessage), tools: tools.map(editorTool) };
      try {
        const { respond } = await models();
        await respond(
          id,
          request,
          (part) => {
            if (part.type === "text") progress.report(new vscode.LanguageModelTextPart(part.text));
            else if (part.type === "call")
              progress.report(new vscode.LanguageModelToolCallPart(part.id, part.name, part.input));
          },
          controller.signal,
        );
      } finally {
        listening.dispose();
      }
    },
    async provideTokenCount(_model, text) {
      const { countTokens } = await models();
      return countTokens(typeof text === "string" ? text : editorMessage(text).parts.map(textOf).join("\n"));
    },
  });
}

function editorTool({
  name,
  description,
  inputSchema = {},
}: vscode.LanguageModelChatTool): EditorRequest["tools"][number] {
  return { name, description, parameters: { type: "object", properties: {}, ...inputSchema } };
}

/** Parts of kinds that the oldest supported VS Code does not know, such as images, are left out. */
function editorMessage({ role, content }: vscode.LanguageModelChatMessage): EditorMessage {
  const parts = content.flatMap((part): EditorPart[] => {
    if (part instanceof vscode.LanguageModelTextPart) return [{ type: "text", text: part.value }];
    if (part instanceof vscode.LanguageModelToolCallPart)
      return [{ type: "call", id: part.callId, name: part.name, input: { ...part.input } }];
    if (part instanceof vscode.LanguageModelToolResultPart)
      return [{ type: "result", id: part.callId, text: resultText(part) }];
    return [];
  });
  return { role: role === vscode.LanguageModelChatMessageRole.User ? "user" : "assistant", parts };
}

function resultText({ content }: vscode.LanguageModelToolResultPart): string {
  const texts = content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ""));
  return texts.join("\n");
}

function textOf(part: EditorPart): string {
  if (part.type === "call") return JSON.stringify(part.input);
  return part.text;
}
