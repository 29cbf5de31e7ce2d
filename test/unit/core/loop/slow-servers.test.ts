/** Messages whose prompt or resource a slow or hostile MCP server supplies: seen, stopped, bounded, and never lost. */
import { afterEach, describe, expect, it } from "vitest";
import { PromptFailure } from "../../../../src/core/context/server-prompts.ts";
import { Interrupt } from "../../../../src/core/errors.ts";
import type { ServerContent, ServerPromptMessage } from "../../../../src/core/ports/servers.ts";
import type { ScriptTurn } from "../../../model-server/server.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";
import { gate } from "../../../support/gate.ts";
import { type MemoryServer, memoryServers, serverTool } from "../../../support/memory-servers.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const REPLY: ScriptTurn = { answer: [{ text: "Done." }] };
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const said = (text: string): ServerPromptMessage => ({ role: "user", content: { type: "text", text } });
const shown = (content: ServerContent): ServerPromptMessage => ({ role: "user", content });

/** A server whose prompt `slow` waits for a gate, and whose tool `look` waits for another. */
function slowServer(more: Partial<MemoryServer> = {}) {
  const [prompt, call, asked] = [gate(), gate(), gate()];
  const server: MemoryServer = {
    tools: [serverTool("look")],
    prompts: [
      { name: "slow", arguments: [] },
      { name: "quick", arguments: [] },
    ],
    async prompt(name) {
      asked.open();
      if (name === "slow") await prompt.passed;
      return [said(`text of ${name}`)];
    },
    async call() {
      await call.passed;
      return { content: [], isError: false };
    },
    ...more,
  };
  return { server, prompt, call, asked };
}

const LOOK: ScriptTurn = {
  answer: [{ tool: "use_mcp_tool", params: { server_name: "weather", tool_name: "look", arguments: "{}" } }],
};

async function start(server: MemoryServer, more: Partial<AgentOptions> = {}) {
  const { project } = memoryServers({ servers: { weather: server } });
  const script = { turns: [REPLY, REPLY, REPLY] };
  agent = await startAgent({ script, servers: project, approval: { mcp: true }, ...more });
}

const statuses = () => agent.events.flatMap((event) => (event.type === "status" ? [event.status] : []));
const told = () => agent.until((event) => event.type === "notice" && event.code === "server-waits");
const idle = () => agent.until((event) => event.type === "status" && event.status === "idle");
const request = (n: number) => JSON.stringify(agent.server.chat(n).messages);
const rejection = (work: Promise<unknown>) =>
  work.then(
    () => "sent",
    (error: unknown) => error,
  );
const queued = () => agent.view.active.chatView.queue.map(({ text }) => text);

describe("a server that is slow", () => {
  it("is named after a second, in a status of its own, and Stop returns the message", async () => {
    const { server, prompt } = slowServer();
    await start(server);
    await agent.view.send("begin");
    await agent.view.active.idle;
    const telling = told();
    const sending = rejection(agent.view.send("/weather:slow"));
    expect(await telling).toMatchObject({ values: ["weather"] });
    expect(agent.view.active.chatView.status).toBe("running");
    await agent.view.stop();
    expect(await sending).toBeInstanceOf(Interrupt);
    expect(agent.view.active.chatView.status).toBe("idle");
    expect(agent.server.requests).toHaveLength(1);
    prompt.open();
  });

  it("that reads a resource is named after a second, too", async () => {
    const held = gate();
    const { server } = slowServer({
      async read(uri) {
        await held.passed;
        return [{ type: "resource", uri, text: "content" }];
      },
    });
    await start(server);
    const telling = told();
    const sending = agent.view.send("see @weather:weather://x");
    expect(await telling).toMatchObject({ values: ["weather"] });
    held.open();
    await sending;
    await agent.view.active.idle;
    expect(request(1)).toContain("content\\n</resource>");
    // The model works on it only then.
    expect(statuses().indexOf("running")).toBeLessThan(statuses().indexOf("waiting"));
  });

  it("keeps the order of queued messages", async () => {
    const { server, prompt, call, asked } = slowServer();
    await start(server, { script: { turns: [LOOK, REPLY, REPLY] } });
    await agent.view.send("look");
    const telling = told();
    const first = agent.view.send("/weather:slow");
    const second = agent.view.send("and then this");
    await asked.passed;
    await telling;
    expect(queued()).toEqual([]);
    prompt.open();
    expect(await Promise.all([first, second])).toEqual([{ queued: true }, { queued: true }]);
    expect(queued()).toEqual(["/weather:slow", "and then this"]);
    call.open();
    while ((await agent.view.active.idle)?.type);
    expect(request(agent.server.requests.length)).toContain("text of slow");
  });

  it("answers after the task ended: the panel shows until then that the message waits, and it is sent", async () => {
    const { server, prompt, call, asked } = slowServer();
    await start(server, { script: { turns: [LOOK, REPLY, REPLY, REPLY] } });
    await agent.view.send("look");
    const first = agent.view.send("/weather:slow");
    const second = agent.view.send("and then this");
    await asked.passed;
    call.open();
    while ((await agent.view.active.idle)?.type);
    expect(agent.view.active.chatView.status).toBe("waiting");
    prompt.open();
    expect(await first).toEqual({ queued: false });
    expect(await second).toEqual({ queued: true });
    while ((await agent.view.active.idle)?.type);
    expect(agent.view.active.chatView.status).toBe("idle");
    expect(request(agent.server.requests.length)).toContain("and then this");
  });

  it("is given up by Stop after the task ended, with the messages behind it", async () => {
    const { server, call, asked } = slowServer();
    await start(server, { script: { turns: [LOOK, REPLY, REPLY] } });
    await agent.view.send("look");
    const first = rejection(agent.view.send("/weather:slow"));
    const second = rejection(agent.view.send("and then this"));
    await asked.passed;
    call.open();
    while ((await agent.view.active.idle)?.type);
    const requests = agent.server.requests.length;
    const ended = idle();
    await agent.view.stop();
    expect(await first).toBeInstanceOf(Interrupt);
    expect(await second).toBeInstanceOf(Interrupt);
    await ended;
    expect(agent.view.active.chatView.status).toBe("idle");
    expect(agent.server.requests).toHaveLength(requests);
    // Later messages are sent.
    expect(await agent.view.send("/weather:quick")).toEqual({ queued: false });
    await agent.view.active.idle;
  });

  it("that refuses the prompt of a queued message rejects that one alone", async () => {
    const { server, call } = slowServer({
      prompt() {
        throw new Error("no such city");
      },
    });
    await start(server, { script: { turns: [LOOK, REPLY, REPLY] } });
    await agent.view.send("look");
    const first = rejection(agent.view.send("/weather:slow"));
    const second = agent.view.send("and then this");
    expect(await first).toBeInstanceOf(PromptFailure);
    expect(await second).toEqual({ queued: true });
    expect(agent.view.active.chatView.status).not.toBe("idle");
    call.open();
    while ((await agent.view.active.idle)?.type);
    expect(request(agent.server.requests.length)).toContain("and then this");
  });
});

describe("an edited message whose prompt is not available", () => {
  it("is handed back with the images of the original, which stays in the history", async () => {
    const { server } = slowServer();
    await start(server);
    await agent.view.send("first", [{ mimeType: "image/png", data: PIXEL }]);
    await agent.view.active.idle;
    const original = agent.view.active.id;
    const id = agent.rows()[0]?.id ?? "";
    const back: unknown[] = [];
    const editing = agent.view.editAndResend(id, "/weather:nothing", [], (unsent) => back.push(unsent));
    expect(await rejection(editing)).toBeInstanceOf(PromptFailure);
    expect(back).toEqual([{ text: "/weather:nothing", images: [{ mimeType: "image/png", data: PIXEL }] }]);
    expect((await agent.project.history()).map((session) => session.id)).toContain(original);
    const kept: unknown[] = [];
    await agent.view.open(original);
    await agent.view.editAndResend(id, "/weather:quick", [], (unsent) => kept.push(unsent));
    await agent.view.active.idle;
    expect(kept).toEqual([]);
    expect(request(2)).toContain("text of quick");
  });
});

describe("what a server supplies for a prompt", () => {
  const supplies = (messages: ServerPromptMessage[]) => slowServer({ prompt: () => messages }).server;
  const send = async () => {
    await agent.view.send("/weather:quick");
    await agent.view.active.idle;
    return request(1);
  };
  const imagesIn = (text: string) => text.split("data:image/").length - 1;

  it("images are named, and not sent, if the model does not see them", async () => {
    await start(supplies([shown({ type: "image", mimeType: "image/png", data: PIXEL })]));
    agent.settings.provider.model = "qwen3-coder";
    const text = await send();
    expect(text).toContain("(an image, image/png, which this model does not see)");
    expect(imagesIn(text)).toBe(0);
  });

  it("images that no model takes are said in words, and no more than 20 are sent", async () => {
    const picture = shown({ type: "image", mimeType: "image/png", data: PIXEL });
    await start(
      supplies([
        shown({ type: "image", mimeType: "image/svg+xml", data: "PHN2Zy8+" }),
        shown({ type: "image", mimeType: "image/png", data: "A".repeat(8_000_000) }),
        shown({ type: "resource", uri: "weather://map", mimeType: "image/png", blob: PIXEL }),
        ...Array.from({ length: 30 }, () => picture),
      ]),
    );
    const text = await send();
    expect(text).toContain(
      "[Image, image/svg+xml, 6 bytes. It is too large or of a format that cannot be sent.]",
    );
    expect(text).toContain(
      "[Image, image/png, 5859 KB. It is too large or of a format that cannot be sent.]",
    );
    expect(imagesIn(text)).toBe(20);
  });

  it("texts and resources share what one result may have, and the rest can be read", async () => {
    const long = "wind and rain ".repeat(20_000);
    await start(
      supplies([
        said(long),
        ...Array.from({ length: 50 }, (_, n) =>
          shown({ type: "resource", uri: `weather://${n}`, text: `${n} ${long}` }),
        ),
      ]),
    );
    agent.settings.provider.contextWindow = 128_000;
    const text = await send();
    expect(text.split("<resource server=").length - 1).toBe(20);
    expect(text).toContain("access_mcp_resource with server_name weather and uri nekode://results/");
    // Half of the window's tokens at most, and no notice that the window is full.
    expect(text.length).toBeLessThan(500_000);
    expect(agent.rows().filter(({ kind }) => kind === "error" || kind === "notice")).toEqual([]);
  });

  it("a long text fits a small window", async () => {
    await start(supplies([said("風と雨".repeat(30_000))]));
    agent.settings.provider.contextWindow = 32_000;
    const text = await send();
    expect(text).toMatch(/\(Characters 1 to \d+ of 90000\. access_mcp_resource/);
    expect(agent.rows().filter(({ kind }) => kind === "error" || kind === "notice")).toEqual([]);
  });
});
