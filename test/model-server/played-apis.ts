/** The APIs that the server plays, each in its own folder. */
import { createPlayedAnthropic } from "./anthropic/played-anthropic.ts";
import { createPlayedChat } from "./chat/played-chat.ts";
import type { PlayedApi } from "./played-api.ts";
import { createPlayedResponses } from "./responses/played-responses.ts";

/** `create`: once for each server, which does not know what another one signed. */
export function createPlayedApis(): PlayedApi[] {
  return [createPlayedChat(), createPlayedResponses(), createPlayedAnthropic()];
}
