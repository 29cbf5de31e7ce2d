/** The available APIs, each in its own folder. */
import type { Api } from "./api.ts";
import { chatApi } from "./chat/chat-api.ts";

export const apis = { chat: chatApi } satisfies Record<string, Api>;

export type ApiKind = keyof typeof apis;
