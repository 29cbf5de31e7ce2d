/** The entry point of `dist/core.mjs`: core's public API; the command judge loads its grammars from the `wasm` folder beside it. */
import { fileURLToPath } from "node:url";
import { createCommandJudge } from "../core/index.ts";
import { createAssets } from "./assets.ts";

export {
  type AssistantBlock,
  type AssistantEvent,
  applyPatch,
  applySearchReplace,
  createArgumentsParser,
  createAssistantParser,
  estimateTokens,
  findMentions,
  judgePath,
  type LibraryPatchResult,
  type Mention,
  type PatchedFile,
  parseAssistantMessage,
} from "../core/index.ts";

/**
 * Whether a command may run without asking, judged by the grammar of the shell that will run it.
 * `allow` and `deny` contain command prefixes by word; the longest match wins, and deny wins a tie.
 */
export const judgeCommand = createCommandJudge(
  createAssets(fileURLToPath(new URL("./wasm/", import.meta.url))),
);
