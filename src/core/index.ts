/** The library's face: the parts of the agent that stand alone. Documented in docs/library.md. */

export { findMentions, type Mention } from "../shared/mentions.ts";
export { createArgumentsParser } from "./assistant/arguments.ts";
export type { AssistantBlock, AssistantEvent } from "./assistant/events.ts";
export { createAssistantParser, parseAssistantMessage } from "./assistant/xml.ts";
export { estimateTokens } from "./context/tokens.ts";
export { applySearchReplace } from "./edits/apply.ts";
export { createCommandJudge } from "./safety/commands.ts";
export { judgePath } from "./safety/paths.ts";
