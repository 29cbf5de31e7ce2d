import type { Conversation, ToolResult } from "../conversation.ts";
import type { ScriptPart } from "../script.ts";

/** One request as the demonstration sees it. */
export interface Scene {
  conversation: Conversation;
  /** What the user last said. */
  said: string;
  japanese: boolean;
  planning: boolean;
  /** Tool results since the user last spoke, oldest first. */
  results: ToolResult[];
}

/** Something that the demonstration can show. */
export interface Topic {
  wants(said: string): boolean;
  /** The plan for plan mode; absent if the answer is the same in both modes. */
  plan?(scene: Scene): string;
  act(scene: Scene): ScriptPart[];
}

/** How results start when the user, a setting or the mode rejected the call. */
const REFUSED =
  /^.*(\b(reject|den(y|ied)|declin|refus|forbid|not (run|allowed|approved)|cannot be used|did not (allow|approve))|拒否|却下)/i;

export function sceneOf(conversation: Conversation, said: string, since: number): Scene {
  return {
    conversation,
    said,
    japanese: /[\u3040-\u30ff\u4e00-\u9fff]/.test(said),
    planning: conversation.mode === "plan",
    results: conversation.toolResults.filter((result) => result.message > since),
  };
}

export function resultsOf(scene: Scene, tool: string): ToolResult[] {
  return scene.results.filter((result) => result.tool === tool);
}

export function isSaved(result: ToolResult): boolean {
  return /^(Saved|The content was saved)/.test(result.text) || result.text.includes("<final_file_content");
}

export function isRefused(result: ToolResult): boolean {
  return !isSaved(result) && REFUSED.test(result.text);
}

/** The sentence in the user's language. */
export function say(scene: Scene, english: string, japanese: string): string {
  return scene.japanese ? japanese : english;
}

export function think(scene: Scene, english: string, japanese: string): ScriptPart {
  const text = say(scene, english, japanese);
  return scene.conversation.native ? { reasoning: text } : { thinking: text };
}

/** A tool call, or the given text if the host does not offer the tool. */
export function call(
  scene: Scene,
  tool: string,
  params: Extract<ScriptPart, { tool: unknown }>["params"],
  words = "",
): ScriptPart[] {
  const { native, tools } = scene.conversation;
  if (!native || tools.includes(tool)) return [{ tool, params }];
  return [{ text: words === "" ? `(${tool})` : words }];
}

/** The end of a task: attempt_completion, or plan_mode_respond while planning. */
export function finish(scene: Scene, text: string, steps?: string): ScriptPart[] {
  const progress = steps === undefined ? {} : { task_progress: steps };
  return scene.planning
    ? call(scene, "plan_mode_respond", { response: text, ...progress }, text)
    : call(scene, "attempt_completion", { result: text, ...progress }, text);
}

/** The latest text of a file in the conversation, without line numbers; undefined if it was never shown. */
export function knownContent(scene: Scene, path: string): string | undefined {
  const { texts, toolResults } = scene.conversation;
  const shown: string[] = [];
  for (const text of texts) {
    for (const match of text.matchAll(
      /<(final_file_content|file_content) path="([^"]*)">\n?([\s\S]*?)\n?<\/\1>/g,
    )) {
      if (match[2] === path && match[3] !== undefined) shown.push(match[3]);
    }
  }
  const read = toolResults.filter((result) => result.tool === "read_file" && result.target === path).at(-1);
  const written = toolResults.findLast(isSaved);
  // A read after the last write is the newest version.
  if (read !== undefined && read.message > (written?.message ?? -1)) return withoutLineNumbers(read.text);
  return shown.at(-1) ?? (read === undefined ? undefined : withoutLineNumbers(read.text));
}

function withoutLineNumbers(text: string): string {
  const lines = text.split("\n");
  const numbered = /^\s*\d+ \| /;
  return lines.every((line) => line === "" || numbered.test(line))
    ? lines.map((line) => line.replace(numbered, "")).join("\n")
    : text;
}

/** A fenced block whose fence is longer than any in the text. */
export function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

export function checklist(steps: readonly string[], done: number): string {
  return steps.map((step, index) => `- [${index < done ? "x" : " "}] ${step}`).join("\n");
}
