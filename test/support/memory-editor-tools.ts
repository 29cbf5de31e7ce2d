/** Tools of other extensions in memory, with the shape of the editor's. */
import type { EditorTool, EditorToolPart, EditorTools } from "../../src/core/ports/editor-tools.ts";

export interface MemoryEditorTools extends EditorTools {
  /** What the extensions offer; a test may change it. */
  offered: EditorTool[];
  readonly calls: { name: string; input: Record<string, unknown>; signal: AbortSignal }[];
  /** How the next calls end. */
  answer: (signal: AbortSignal) => Promise<EditorToolPart[]>;
}

export const ISSUE_TOOL: EditorTool = {
  extension: "github.pull-requests",
  owner: "GitHub Pull Requests",
  name: "github-pull-request_issue.fetch",
  title: "Get an issue",
  description: "Gets an issue.",
  inputSchema: { type: "object", properties: { issue: { type: "number" } }, required: ["issue"] },
};

export function memoryEditorTools(offered: EditorTool[] = [ISSUE_TOOL]): MemoryEditorTools {
  const tools: MemoryEditorTools = {
    offered,
    calls: [],
    answer: async () => [{ type: "text", text: "The issue is open." }],
    list: () => tools.offered,
    async call(name, input, signal) {
      tools.calls.push({ name, input, signal });
      return tools.answer(signal);
    },
  };
  return tools;
}
