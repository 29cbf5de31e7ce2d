/** What `protocol.test.ts` and `protocol.long.test.ts` begin with. */
import { createInterface } from "node:readline";
import { text as textOf } from "node:stream/consumers";
import * as z from "zod";
import { runProgram } from "../program.ts";
import { stage } from "./stage.ts";

const messageSchema = z.looseObject({
  id: z.number().nullish(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});

/** Sends lines as they are, each of which is answered, and resolves with all answers when the agent has ended. */
export async function raw(
  lines: readonly string[],
): Promise<{ messages: z.infer<typeof messageSchema>[]; stderr: string }> {
  const { environment, folder } = stage.project;
  const agent = runProgram(["acp"], {
    environment: { ...environment, NEKODE_BASE_URL: stage.model.url, NEKODE_MODEL: "scripted" },
    cwd: folder,
  });
  const stderr = textOf(agent.stderr);
  agent.stdin.write(lines.map((line) => `${line}\n`).join(""));
  const messages: z.infer<typeof messageSchema>[] = [];
  // Whatever is on standard output is a message of the protocol.
  for await (const line of createInterface({ input: agent.stdout })) {
    messages.push(messageSchema.parse(JSON.parse(line)));
    if (messages.length === lines.length) agent.stdin.end();
  }
  return { messages, stderr: await stderr };
}

export const request = (id: number, method: string, params: unknown) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

export const initialize = (protocolVersion: unknown) =>
  request(1, "initialize", { protocolVersion, clientCapabilities: {} });
