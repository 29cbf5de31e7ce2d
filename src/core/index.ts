/** The library's face: the parts of the agent that stand alone. Documented in docs/library.md. */

export { findMentions, type Mention } from "../shared/mentions.ts";
export type { AssistantBlock, AssistantEvent } from "./assistant/events.ts";
export { createArgumentsParser } from "./assistant/json/arguments-parser.ts";
export { createAssistantParser, parseAssistantMessage } from "./assistant/xml/xml-protocol.ts";
export { estimateTokens } from "./context/tokens.ts";
export { applySearchReplace } from "./edits/apply-blocks.ts";
export { createCommandJudge } from "./safety/commands/judge-command.ts";
export { judgePath } from "./safety/paths/judge-path.ts";
