/** The Messages API of Anthropic, which some other makers' endpoints implement, too. */
import type { Api } from "../api.ts";
import { statedLengths } from "../context-length.ts";
import { saysToolsUnsupported } from "../failures.ts";
import { saysNoImages } from "../images.ts";
import { streamMessages } from "./anthropic-messages.ts";
import { listAnthropicModels } from "./anthropic-models.ts";
import { ANTHROPIC_QUIRKS } from "./anthropic-quirks.ts";

export const anthropicApi: Api = {
  quirks: ANTHROPIC_QUIRKS,
  stream: streamMessages,
  listModels: listAnthropicModels,
  refusesTools: saysToolsUnsupported,
  refusesImages: saysNoImages,
  statedLengths,
};
