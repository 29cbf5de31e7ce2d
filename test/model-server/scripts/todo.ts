import type { Script, ScriptTurn } from "../server.ts";
import { TODO_FILES } from "../todo-app.ts";
import { checklist } from "./neko.ts";

export interface TodoOptions {
  /** Characters in a delta; default 48. */
  chunkSize?: number;
  pace?: number;
}

/**
 * "Make a simple Todo app": read_file of index.html, a write_to_file for each of the three files, attempt_completion.
 * Each step waits for the result of the previous one.
 */
export function todoScript(options: TodoOptions = {}): Script {
  const names = Object.keys(TODO_FILES);
  const steps = [...names.map((name) => `${name} を書く`)];
  const writes = Object.entries(TODO_FILES).map(
    ([path, content], index): ScriptTurn => ({
      name: `write ${path}`,
      match: index === 0 ? { toolResult: "read_file" } : { toolResult: "write_to_file" },
      answer: [
        { text: `${path} を書きます。` },
        { tool: "write_to_file", params: { path, content, task_progress: checklist(steps, index) } },
      ],
    }),
  );
  return {
    chunkSize: options.chunkSize ?? 48,
    pace: options.pace ?? 0,
    turns: [
      {
        name: "read",
        match: { request: 1 },
        answer: [
          { text: "まず、今の index.html を確かめます。" },
          { tool: "read_file", params: { path: "index.html" } },
        ],
      },
      ...writes,
      {
        name: "done",
        match: { toolResult: "write_to_file" },
        answer: [
          {
            tool: "attempt_completion",
            params: {
              result: "Todo アプリができました。`index.html` をブラウザーで開いてください。",
              task_progress: checklist(steps, steps.length),
            },
          },
        ],
      },
    ],
  };
}
