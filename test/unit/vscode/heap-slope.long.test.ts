/** A conversation of 1,000 turns leaves on the extension host's heap what it consists of, and nothing else. */
import { afterEach, expect, it } from "vitest";
import type { Frame } from "../../../src/shared/protocol.ts";
import { RealHost } from "../../browser/support/real-host.ts";
import { type InstantModel, startInstantModel } from "../../support/instant-model.ts";
import { growthOf } from "../../support/many-turns.ts";

let model: InstantModel;
let host: RealHost;
afterEach(async () => {
  await host.close();
  await model.close();
});

it("a conversation of 1,000 turns, with the panel open, leaves nothing else on the heap", {
  timeout: 300_000,
}, async () => {
  model = await startInstantModel({ text: "It says one." });
  host = await RealHost.start(
    { turns: [] },
    {
      files: { "a.ts": "export const a = 1;\n" },
      run: async (_command, _signal, onOutput) => {
        onOutput("one\n");
        return 0;
      },
      approval: { edit: true, commandSafe: true, commandAll: true, maxRequests: 0 },
    },
  );
  const { agent } = host;
  // A small window, so that requests stay short.
  Object.assign(agent.settings.provider, {
    baseUrl: model.url,
    protocol: "native",
    contextWindow: 16_000,
  });
  let events = 0;
  await openPanel((frame) => {
    if (frame.frame === "notification" && frame.name === "chat/events") events += 1;
  });
  const { heap, allowed, points } = await growthOf({
    model,
    onEvent: (listener) => agent.project.onEvent(listener),
    async send(text) {
      await agent.view.send(text);
      expect((await agent.view.active.idle)?.type).toBe("replied");
      // The test's own record.
      agent.events.length = 0;
    },
  });
  // A request for a summary, which then fails, may take an answer with a call.
  const taken = agent.rows().filter((row) => row.kind === "notice" && row.code === "condense-failed");
  expect(agent.calls().length + taken.length).toBeGreaterThan(290);
  expect(events).toBeGreaterThan(100);
  expect(heap, JSON.stringify(points)).toBeLessThan(allowed);
});

/** Opens a panel that takes whatever it is sent. */
function openPanel(receive: (frame: Frame) => void): Promise<void> {
  return new Promise((resolve) => {
    let send: (value: unknown) => void = () => undefined;
    host.attach({
      send(frame) {
        if (frame.frame === "result") resolve();
        else receive(frame);
      },
      listen(listener) {
        send = listener;
        return () => undefined;
      },
    });
    send({ frame: "request", id: 1, name: "chat/open", params: {} });
  });
}
