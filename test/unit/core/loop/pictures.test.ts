/** Images in results: rows describe them, events carry no bytes that a panel receives, and the bytes come when asked for. */
import { afterEach, expect, it } from "vitest";
import { ToolRegistry } from "../../../../src/core/tools/registry.ts";
import { defineForeignTool, type ToolOutput } from "../../../../src/core/tools/tool.ts";
import { shownPart } from "../../../../src/shared/view/reducer.ts";
import type { ScriptPart } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

/** A PNG header of 640 x 480 pixels, and so much of nothing. */
function png(filler: number): string {
  const bytes = Buffer.alloc(24 + filler, 7);
  bytes.set([0x89, 0x50, 0x4e, 0x47], 0);
  bytes.writeUInt32BE(640, 16);
  bytes.writeUInt32BE(480, 20);
  return bytes.toString("base64");
}

async function lookWith(output: ToolOutput): Promise<void> {
  const registry = new ToolRegistry();
  registry.add(
    defineForeignTool({
      name: "look",
      presentation: { icon: "globe", title: { doing: "Looking" }, row: "tool" },
      access: "read",
      description: "Looks.",
      schema: { type: "object", properties: {} },
      prepare: async () => ({ paths: [], view: {}, run: async () => output }),
    }),
  );
  const turns = [{ answer: [{ tool: "look", params: {} } as ScriptPart] }, { answer: [{ text: "Seen." }] }];
  agent = await startAgent({ script: { turns }, registry, approval: { read: true }, protocol: "native" });
  await agent.view.send("look");
  await agent.view.active.idle;
}

it("are described in the row by size, with what the tool said about them, also after a restart", async () => {
  const image = (filler: number) => ({ type: "image" as const, mimeType: "image/png", data: png(filler) });
  await lookWith({
    parts: [{ type: "text", text: "two" }, image(0), image(60_000)],
    shown: { text: "2", pictures: [{}, { about: "The second", mark: { x: 3, y: 4 } }] },
  });
  const size = { width: 640, height: 480 };
  const pictures = [size, { ...size, about: "The second", mark: { x: 3, y: 4 } }];
  expect(agent.calls()).toMatchObject([{ tool: "look", shown: { text: "2", pictures } }]);
  const id = agent.calls()[0]?.id ?? "";
  await agent.restart();
  expect(agent.calls()[0]?.shown?.pictures).toEqual(pictures);
  expect(agent.view.active.texts.picture(id, 1)).toEqual({ mimeType: "image/png", data: png(60_000) });
  expect([agent.view.active.texts.picture(id, 2), agent.view.active.texts.picture("other", 0)]).toEqual([
    undefined,
    undefined,
  ]);
});

it("send no bytes to a panel, neither with events nor with the view", async () => {
  await lookWith({ parts: [{ type: "image", mimeType: "image/png", data: png(60_000) }] });
  const { chatView: view } = agent.view.active;
  const sent = agent.events.map((event) =>
    event.type === "message" ? { ...event, message: shownPart(event.message, view.faces) } : event,
  );
  for (const each of [JSON.stringify(sent), JSON.stringify(view)]) {
    expect(each).toContain('"width":640');
    expect(each.length).toBeLessThan(20_000);
  }
});

it("are left alone where a picture's size cannot be read, or there is none", async () => {
  await lookWith({ parts: [{ type: "image", mimeType: "image/webp", data: "!!" }] });
  expect(agent.calls()[0]?.shown).toEqual({ pictures: [{}] });
  await agent.close();
  await lookWith({ parts: [{ type: "text", text: "none" }], shown: { text: "1" } });
  expect(agent.calls()[0]?.shown).toEqual({ text: "1" });
});
