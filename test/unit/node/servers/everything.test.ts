/** The connection to a real server with every feature, over each transport. */
import { describe, expect, it, vi } from "vitest";
import type { ServerLaunch, ServerProgress } from "../../../../src/core/ports/servers.ts";
import type { ServerForm } from "../../../../src/shared/server-form.ts";
import { holdTimers } from "../../../support/timers.ts";
import {
  connected,
  EVERYTHING,
  everythingOnPort,
  neverAborted,
  packageServer,
  recordedEvents,
} from "./support.ts";

const options = { signal: neverAborted, timeoutMs: 30_000 };

const TRANSPORTS: Record<string, () => Promise<ServerLaunch>> = {
  stdio: async () => packageServer(...EVERYTHING),
  http: async () => ({ type: "http", url: await everythingOnPort("streamableHttp"), headers: {} }),
  "http, found by itself": async () => ({
    type: "auto",
    url: await everythingOnPort("streamableHttp"),
    headers: {},
  }),
  sse: async () => ({ type: "sse", url: await everythingOnPort("sse"), headers: {} }),
  "sse, found by itself": async () => ({ type: "auto", url: await everythingOnPort("sse"), headers: {} }),
};

describe.each(Object.entries(TRANSPORTS))("server-everything over %s", (_, launch) => {
  it("lists what the server has, and calls a tool", async () => {
    const connection = await connected(await launch());
    expect(connection.info).toMatchObject({
      name: expect.stringContaining("everything"),
      protocol: "2025-11-25",
    });
    const tools = await connection.tools(neverAborted);
    expect(tools.find((tool) => tool.name === "echo")).toMatchObject({
      description: expect.stringMatching(/echo/i),
      inputSchema: { type: "object", properties: { message: { type: "string" } } },
    });
    expect((await connection.resources(neverAborted)).length).toBeGreaterThan(0);
    expect((await connection.resourceTemplates(neverAborted)).length).toBeGreaterThan(0);
    expect((await connection.prompts(neverAborted)).map((prompt) => prompt.name)).toContain("args-prompt");
    expect(await connection.callTool("echo", { message: "nya" }, options)).toEqual({
      content: [{ type: "text", text: "Echo: nya" }],
      isError: false,
    });
  });

  it("asks the user what the server asks, and sends the answer", async () => {
    const asked: Omit<ServerForm, "id" | "server">[] = [];
    const events = recordedEvents({
      ask: async (form) => {
        asked.push(form);
        return { action: "accept", values: { name: "Tama", check: true } };
      },
    });
    const connection = await connected(await launch(), events);
    // The server adds this tool once it knows that the client can ask.
    await expect
      .poll(async () => (await connection.tools(neverAborted)).map((tool) => tool.name))
      .toContain("trigger-elicitation-request");
    const result = await connection.callTool("trigger-elicitation-request", {}, options);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.ask).toMatchObject({ type: "fields" });
    expect(JSON.stringify(result.content)).toContain("Tama");
  });
});

describe("server-everything", () => {
  it("returns images, links, resources and structured results", async () => {
    const connection = await connected(packageServer(...EVERYTHING));
    const image = await connection.callTool("get-tiny-image", {}, options);
    expect(image.content).toContainEqual({
      type: "image",
      mimeType: "image/png",
      data: expect.stringMatching(/^iVBOR/),
    });
    const links = await connection.callTool("get-resource-links", { count: 2 }, options);
    expect(links.content.filter((part) => part.type === "link")).toHaveLength(2);
    const embedded = await connection.callTool(
      "get-resource-reference",
      { resourceType: "Text", resourceId: 1 },
      options,
    );
    expect(embedded.content).toContainEqual(
      expect.objectContaining({ type: "resource", text: expect.any(String) }),
    );
    const structured = await connection.callTool("get-structured-content", { location: "New York" }, options);
    expect(structured.structured).toMatchObject({ temperature: expect.any(Number) });
  });

  it("reads resources and prompts", async () => {
    const connection = await connected(packageServer(...EVERYTHING));
    const [resource] = await connection.resources(neverAborted);
    const [content] = await connection.readResource(resource?.uri ?? "", options);
    expect(content).toMatchObject({ type: "resource", uri: resource?.uri, text: expect.any(String) });
    const messages = await connection.prompt("args-prompt", { city: "Kyoto" }, options);
    expect(messages[0]).toMatchObject({
      role: "user",
      content: { type: "text", text: expect.stringContaining("Kyoto") },
    });
  });

  it("reports progress, which also extends the time limit", async () => {
    const connection = await connected(packageServer(...EVERYTHING));
    const seen: ServerProgress[] = [];
    // Time passes for the limit alone, and most of it before each sign of life, however busy the machine is.
    holdTimers();
    const onProgress = (progress: ServerProgress) => {
      seen.push(progress);
      vi.advanceTimersByTime(1_900);
    };
    const result = await connection.callTool(
      "trigger-long-running-operation",
      { duration: 1, steps: 6 },
      { signal: neverAborted, timeoutMs: 2_000, onProgress },
    );
    expect(result.isError).toBe(false);
    expect(seen.length).toBeGreaterThan(3);
    expect(seen.at(-1)).toMatchObject({ total: 6 });
  });

  it("lists the project's folders when the server asks", async () => {
    const connection = await connected(packageServer(...EVERYTHING));
    await expect
      .poll(async () => JSON.stringify((await connection.callTool("get-roots-list", {}, options)).content))
      .toContain("file://");
  });

  it("explains an error of the server", async () => {
    const connection = await connected(packageServer(...EVERYTHING));
    const wrong = await connection.callTool("echo", {}, options).catch((error: unknown) => error);
    expect(JSON.stringify(wrong) + String(wrong)).toMatch(/message/);
    await expect(connection.readResource("nowhere://at-all", options)).rejects.toThrow(
      /^MCP server sample: the server answered with an error/,
    );
  });

  it("declares no capability for sampling", async () => {
    const connection = await connected(packageServer(...EVERYTHING));
    const names = (await connection.tools(neverAborted)).map((tool) => tool.name);
    expect(names).not.toContain("trigger-sampling-request");
  });
});
