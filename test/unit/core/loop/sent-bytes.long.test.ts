/**
 * What a long task sends: the conversation goes out with every request, so each byte of a turn is sent many times. That each
 * request begins as the one before, prefix-loop.test.ts proves, and that a result is short, the tests of the tools.
 */
import { afterEach, describe, expect, it } from "vitest";
import type { Script } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { underOne } from "../../../support/protocols.ts";

let agent: Agent;
afterEach(() => agent.close());

const EDITS = 50;
const line = (at: number, limit: number) => `export const limit${at} = ${limit};`;
const file = (limit: number) =>
  Array.from({ length: 400 }, (_, at) => `${line(at, at < EDITS ? limit : 10)}\n`).join("");

const script: Script = {
  turns: [
    ...Array.from({ length: EDITS }, (_, at) => ({
      match: { request: at + 1 },
      answer: [
        {
          tool: "replace_in_file",
          params: {
            path: "limits.ts",
            diff: `------- SEARCH\n${line(at, 10)}\n=======\n${line(at, 20)}\n+++++++ REPLACE`,
          },
        },
      ],
    })),
    { answer: [{ tool: "attempt_completion", params: { result: "All limits are doubled." } }] },
  ],
};

/**
 * Bytes of all requests without the prompt that each begins with, and those that each edit adds to the next one. Most of them
 * are the model's own call; by text, each result has the environment details, as every user message.
 */
const MOST = {
  native: { sent: 530_000, edit: 402 },
  xml: { sent: 895_000, edit: 702 },
} as const;

describe.each(underOne("native"))(`${EDITS} edits of a file of 400 lines under %s`, (protocol) => {
  it("send little more than the model's calls, and leave most of the window free", async () => {
    agent = await startAgent({
      script,
      protocol,
      files: { "limits.ts": file(10) },
      approval: { edit: true, maxRequests: 1_000 },
    });
    await agent.view.send("Double the first limits");
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(agent.files.get("/project/limits.ts")).toBe(file(20));
    const sizes = agent.server.requests.map(({ text }) => Buffer.byteLength(text));
    expect(sizes).toHaveLength(EDITS + 1);
    // Without what every request begins with.
    const sent = sizes.reduce((sum, bytes) => sum + bytes - (sizes[0] ?? 0), 0);
    const edit = ((sizes.at(-1) ?? 0) - (sizes[1] ?? 0)) / (EDITS - 1);
    expect(sent).toBeLessThan(MOST[protocol].sent);
    expect(edit).toBeLessThan(MOST[protocol].edit);
    const { contextTokens, contextWindow } = agent.view.active.chatView.totals;
    expect(contextTokens / contextWindow).toBeLessThan(0.2);
  });
});
