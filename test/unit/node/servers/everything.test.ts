/** The connection to a real server with every feature, over both transports of today. */
import { describe, expect, it, vi } from "vitest";
import type { ServerProgress } from "../../../../src/core/ports/servers.ts";
import { holdTimers } from "../../../support/timers.ts";
import { describeTransport } from "./everything-support.ts";
import { EVERYTHING, everythingOnPort, neverAborted, packageServer, sharedConnection } from "./support.ts";

const options = { signal: neverAborted, timeoutMs: 30_000 };

describeTransport("stdio", () => packageServer(...EVERYTHING));
describeTransport("http, found by itself", async (whenOver) => ({
  type: "auto",
  url: await everythingOnPort("streamableHttp", whenOver),
  headers: {},
}));

describe("server-everything", () => {
  const connected = sharedConnection(() => packageServer(...EVERYTHING));

  it("returns images, links, resources and structured results", async () => {
    const connection = connected();
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
    const connection = connected();
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
    const connection = connected();
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
    const connection = connected();
    await expect
      .poll(async () => JSON.stringify((await connection.callTool("get-roots-list", {}, options)).content))
      .toContain("file://");
  });

  it("explains an error of the server", async () => {
    const connection = connected();
    const wrong = await connection.callTool("echo", {}, options).catch((error: unknown) => error);
    expect(JSON.stringify(wrong) + String(wrong)).toMatch(/message/);
    await expect(connection.readResource("nowhere://at-all", options)).rejects.toThrow(
      /^MCP server sample: the server answered with an error/,
    );
  });

  it("declares no capability for sampling", async () => {
    const connection = connected();
    const names = (await connection.tools(neverAborted)).map((tool) => tool.name);
    expect(names).not.toContain("trigger-sampling-request");
  });
});
