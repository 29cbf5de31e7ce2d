/** The chat completions API, which most hosted and local endpoints implement. */
import type { Api } from "../api.ts";
import { statedLengths } from "../context-length.ts";
import { saysToolsUnsupported } from "../failures.ts";
import { saysNoImages } from "../images.ts";
import { streamChat } from "./chat-completions.ts";
import { listModels } from "./models.ts";
import { ALTERNATING_ROLES, QUIRKS } from "./quirks.ts";

export const chatApi: Api = {
  quirks: QUIRKS,
  stream: streamChat,
  listModels,
  // Under XML, roles alternate.
  refusesTools: (error) =>
    saysToolsUnsupported(error) || ALTERNATING_ROLES.words.test(error.view.detail ?? ""),
  refusesImages: saysNoImages,
  statedLengths,
};
