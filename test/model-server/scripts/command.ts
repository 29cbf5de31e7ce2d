import type { Script } from "../server.ts";

export interface CommandOptions {
  command: string;
  /** The model's claim about approval, which grants nothing. Default false. */
  requiresApproval?: boolean;
  /** Seconds. */
  timeout?: number;
  /** Default "Done." */
  result?: string;
}

/** One execute_command, then attempt_completion. */
export function commandScript(options: CommandOptions): Script {
  const { command, requiresApproval = false, timeout, result = "Done." } = options;
  return {
    turns: [
      {
        name: "run",
        match: { request: 1 },
        answer: [
          {
            tool: "execute_command",
            params: {
              command,
              requires_approval: requiresApproval,
              ...(timeout === undefined ? {} : { timeout }),
            },
          },
        ],
      },
      {
        name: "done",
        match: { toolResult: "execute_command" },
        answer: [{ tool: "attempt_completion", params: { result } }],
      },
    ],
  };
}
