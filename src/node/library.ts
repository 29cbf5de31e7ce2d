/** `dist/core.mjs`: core's face, with the command judge given its grammars from the folder beside it. */
import { fileURLToPath } from "node:url";
import { createCommandJudge } from "../core/index.ts";
import { createAssets } from "./assets.ts";

export {
  type AssistantBlock,
  type AssistantEvent,
  applySearchReplace,
  createArgumentsParser,
  createAssistantParser,
  estimateTokens,
  findMentions,
  judgePath,
  type Mention,
  parseAssistantMessage,
} from "../core/index.ts";

/**
 * Whether a command may run without asking, judged by the grammar of the shell that will run it.
 * `allow` and `deny` hold command prefixes by word; the longest match wins, deny wins a tie.
 */
export const judgeCommand = createCommandJudge(
  createAssets(fileURLToPath(new URL("./wasm/", import.meta.url))),
);
