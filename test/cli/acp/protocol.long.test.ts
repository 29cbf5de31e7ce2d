/**
 * More requests at once than the agent takes. `protocol.test.ts` proves that the connection goes on after bad input, and
 * test/unit/acp/bounded-stream.test.ts that no more is read than is answered.
 */
import { describe, expect, it } from "vitest";
import { initialize, raw, request } from "./protocol-place.ts";
import { stageOfEachTest } from "./stage.ts";

stageOfEachTest({});

describe("many requests at once", () => {
  it("are answered, those beyond the limit with a sentence that the agent is busy", async () => {
    const many = Array.from({ length: 600 }, (_, n) => request(n + 2, "session/list", {}));
    const { messages } = await raw([initialize(1), ...many]);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(601);
    const busy = messages.filter(({ error }) =>
      JSON.stringify(error ?? "").includes("Nekode is busy with 200 requests"),
    );
    expect(busy.length).toBeGreaterThan(0);
    expect(messages.filter(({ result }) => result !== undefined).length).toBe(601 - busy.length);
    expect(messages.length - busy.length).toBeGreaterThan(200);
  });
});
