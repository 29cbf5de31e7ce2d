/** What each transport has to carry, of a server with every feature. */
import { describe, expect, it } from "vitest";
import type { ServerLaunch } from "../../../../src/core/ports/servers.ts";
import type { ServerForm } from "../../../../src/shared/server-form.ts";
import { neverAborted, recordedEvents, sharedConnection, type WhenOver } from "./support.ts";

const options = { signal: neverAborted, timeoutMs: 30_000 };

export function describeTransport(
  name: string,
  launch: (whenOver: WhenOver) => ServerLaunch | Promise<ServerLaunch>,
): void {
  describe(`server-everything over ${name}`, () => {
    const asked: Omit<ServerForm, "id" | "server">[] = [];
    const events = recordedEvents({
      ask: async (form) => {
        asked.push(form);
        return { action: "accept", values: { name: "Tama", check: true } };
      },
    });
    const connected = sharedConnection(launch, events);

    it("lists what the server has, and calls a tool", async () => {
      const connection = connected();
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
      const connection = connected();
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
}
