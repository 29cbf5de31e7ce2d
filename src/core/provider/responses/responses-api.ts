/** OpenAI's Responses API. */
import type { Api } from "../api.ts";
import { listModels } from "../chat/models.ts";
import { statedLengths } from "../context-length.ts";
import { saysToolsUnsupported } from "../failures.ts";
import { saysNoImages } from "../images.ts";
import { streamResponses } from "./responses.ts";
import { RESPONSES_QUIRKS } from "./responses-quirks.ts";

export const responsesApi: Api = {
  quirks: RESPONSES_QUIRKS,
  stream: streamResponses,
  listModels,
  refusesTools: saysToolsUnsupported,
  refusesImages: saysNoImages,
  statedLengths,
};
