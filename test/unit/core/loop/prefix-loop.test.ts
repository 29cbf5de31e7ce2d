/**
 * Prompt caches live on it: through the whole loop each request begins as the one before it, byte for byte, whatever the
 * user does in between.
 */
import { afterEach, describe, expect, it } from "vitest";
import { promptPieces } from "../../../model-server/chat/wire.ts";
import type { ScriptTurn } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { underOne } from "../../../support/protocols.ts";
import { rounds } from "../../../support/random.ts";

let agent: Agent;
afterEach(() => agent.close());

const files = {
  "AGENTS.md": "猫を大切に。",
  ".nekode/rules/ts.md": "---\npaths: '**/*.ts'\n---\nNo any.",
  "src/a.ts": "export const cat = 1;\n".repeat(40),
  "猫.txt": "吾輩は猫である。\n".repeat(40),
};

/** A reply to each of the user's messages, after a look at a file. */
const turns = Array.from({ length: 80 }, (_, n): ScriptTurn => {
  const path = n % 4 === 0 ? "猫.txt" : "src/a.ts";
  const task_progress = `- [x] Step ${n}\n- [ ] 猫を見る`;
  return n % 2 === 0
    ? {
        match: { request: n + 1 },
        answer: [{ text: `Looking (${n}).` }, { tool: "read_file", params: { path, task_progress } }],
      }
    : { match: { request: n + 1 }, answer: [{ text: `見ました ${n}` }] };
});

const REQUESTS = rounds(28, 54);
const image = { mimeType: "image/png", data: Buffer.alloc(200, 7).toString("base64") };

describe.each(underOne("xml"))(
  `over ${REQUESTS} requests under %s, each begins as the one before`,
  (protocol) => {
    it("with switches of the mode, edits of the todo list, images and reloads", async () => {
      agent = await startAgent({ script: { turns }, protocol, files });
      const { server } = agent;
      for (let n = 0; server.requests.length < REQUESTS; n++) {
        if (n % 5 === 3)
          await agent.view.active.setMode(agent.view.active.chatView.mode === "act" ? "plan" : "act");
        if (n % 4 === 2) await agent.view.active.setTodo(`- [ ] edited by hand ${n}`);
        if (n % 7 === 4) await agent.restart();
        const text = n % 6 === 1 ? "/newrule @/猫.txt を見て" : `メッセージ ${n} @/src/a.ts`;
        await agent.view.send(text, n % 3 === 1 ? [image] : []);
        await agent.view.active.idle;
      }
      expect(server.refusals).toEqual([]);
      let before: string[] = [];
      for (let n = 1; n <= server.requests.length; n++) {
        const pieces = promptPieces(server.chat(n));
        const where = `request ${n}`;
        for (const [index, piece] of before.entries()) expect(pieces[index], where).toBe(piece);
        expect(pieces.length, where).toBeGreaterThan(before.length);
        before = pieces;
      }
    });

    it("and the settings alone change the system prompt", async () => {
      agent = await startAgent({ script: { turns }, protocol, files });
      const system = (n: number) => JSON.stringify(agent.server.chat(n).messages[0]);
      const say = async () => {
        await agent.view.send("hello");
        await agent.view.active.idle;
      };
      await say();
      await agent.restart();
      await say();
      expect(system(3)).toBe(system(1));
      agent.settings.preferredLanguage = "日本語";
      await say();
      expect(system(5)).not.toBe(system(1));
      expect(system(5)).toContain("Write to the user in 日本語.");
    });
  },
);
