/** The available APIs, each in its own folder. */
import type { ApiKind } from "../../shared/models/connection.ts";
import { streamMessages } from "./anthropic/anthropic-messages.ts";
import { listAnthropicModels } from "./anthropic/anthropic-models.ts";
import { ANTHROPIC_QUIRKS } from "./anthropic/anthropic-quirks.ts";
import type { Api } from "./api.ts";
import { streamChat } from "./chat/chat-completions.ts";
import { listModels } from "./chat/models.ts";
import { ALTERNATING_ROLES, QUIRKS } from "./chat/quirks.ts";
import { statedLengths } from "./context-length.ts";
import { editorApi } from "./editor/editor-api.ts";
import { saysToolsUnsupported } from "./failures.ts";
import { saysNoImages } from "./images.ts";
import { streamResponses } from "./responses/responses.ts";
import { RESPONSES_QUIRKS } from "./responses/responses-quirks.ts";

/** The Messages API of Anthropic, which some other makers' endpoints implement, too. */
const anthropicApi: Api = {
  quirks: ANTHROPIC_QUIRKS,
  stream: streamMessages,
  listModels: listAnthropicModels,
  refusesTools: saysToolsUnsupported,
  refusesImages: saysNoImages,
  statedLengths,
};

/** The chat completions API, which most hosted and local endpoints implement. */
const chatApi: Api = {
  quirks: QUIRKS,
  stream: streamChat,
  listModels,
  // Under XML, roles alternate.
  refusesTools: (error) =>
    saysToolsUnsupported(error) || ALTERNATING_ROLES.words.test(error.view.detail ?? ""),
  refusesImages: saysNoImages,
  statedLengths,
};

/** OpenAI's Responses API. */
const responsesApi: Api = {
  quirks: RESPONSES_QUIRKS,
  stream: streamResponses,
  listModels,
  refusesTools: saysToolsUnsupported,
  refusesImages: saysNoImages,
  statedLengths,
};

export const apis: Readonly<Record<ApiKind, Api>> = {
  chat: chatApi,
  responses: responsesApi,
  anthropic: anthropicApi,
  editor: editorApi,
};
