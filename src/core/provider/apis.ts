/** The available APIs, each in its own folder. */
import type { ApiKind } from "../../shared/models/connection.ts";
import { anthropicApi } from "./anthropic/anthropic-api.ts";
import type { Api } from "./api.ts";
import { chatApi } from "./chat/chat-api.ts";
import { editorApi } from "./editor/editor-api.ts";
import { responsesApi } from "./responses/responses-api.ts";

export const apis: Readonly<Record<ApiKind, Api>> = {
  chat: chatApi,
  responses: responsesApi,
  anthropic: anthropicApi,
  editor: editorApi,
};
