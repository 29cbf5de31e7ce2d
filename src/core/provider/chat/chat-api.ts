/** Chat completions: what most endpoints speak, hosted and local. */
import type { Api } from "../api.ts";
import { statedLengths } from "../context-length.ts";
import { saysToolsUnsupported } from "../failures.ts";
import { saysNoImages } from "../images.ts";
import { streamChat } from "./chat-completions.ts";
import { listedWindow } from "./models.ts";
import { quirks } from "./quirks.ts";

export const chatApi: Api = {
  quirks,
  stream: streamChat,
  listedWindow,
  refusesTools: saysToolsUnsupported,
  refusesImages: saysNoImages,
  statedLengths,
};
