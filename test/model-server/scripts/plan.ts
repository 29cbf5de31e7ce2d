import type { Script } from "../server.ts";

export interface PlanOptions {
  /** The file to write; default `greeting.txt`. */
  path?: string;
  content?: string;
  /** The plan shown in plan mode. */
  plan?: string;
}

/**
 * In plan mode: a write that must be refused, then plan_mode_respond. In act mode: the write, then attempt_completion.
 */
export function planScript(options: PlanOptions = {}): Script {
  const { path = "greeting.txt", content = "Hello.\n", plan = `1. Write \`${path}\`.\n2. Done.` } = options;
  const write = { tool: "write_to_file", params: { path, content } };
  return {
    turns: [
      {
        name: "early write",
        match: { mode: "plan", request: 1 },
        answer: [{ text: "I start at once." }, write],
      },
      {
        name: "plan",
        match: { mode: "plan", toolResult: "write_to_file" },
        answer: [{ tool: "plan_mode_respond", params: { response: plan } }],
      },
      {
        name: "done",
        match: { mode: "act", toolResult: "write_to_file" },
        answer: [{ tool: "attempt_completion", params: { result: `Wrote ${path}.` } }],
      },
      { name: "write", match: { mode: "act" }, answer: [write] },
    ],
  };
}
