/** The APIs that there are, each a folder of its own. */
import type { Api } from "./api.ts";
import { chatApi } from "./chat/chat-api.ts";

export const apis = { chat: chatApi } satisfies Record<string, Api>;

export type ApiKind = keyof typeof apis;
