/** How often Chromium parses the panel's first script as it starts. */
import { expect, it } from "vitest";
import { z } from "zod";
import { openPanel, page, servePanels } from "./support/suite.ts";

servePanels();

/** Of Chromium, of those that take time. `ts` and `dur`: microseconds. */
const traceSchema = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      ts: z.number(),
      dur: z.number().optional(),
    }),
  ),
});

it("no line of the first script is looked up while it runs, for which V8 would parse all of it a second time", async () => {
  await openPanel({
    async prepare(shown) {
      const categories = ["v8", "disabled-by-default-v8.compile"];
      await shown.context().browser()?.startTracing(shown, { categories });
    },
  });
  await page.locator("main[aria-busy=false]").waitFor();
  const { traceEvents } = traceSchema.parse(
    JSON.parse(String(await page.context().browser()?.stopTracing())),
  );
  const named = (name: string) => traceEvents.filter((event) => event.name === name);
  type Event = (typeof traceEvents)[number];
  const within =
    (inner: Event) =>
    ({ pid, tid, ts, dur = 0 }: Event) =>
      pid === inner.pid && tid === inner.tid && ts <= inner.ts && inner.ts <= ts + dur;
  const [lookups, modules] = [named("V8.CollectSourcePositions"), named("v8.evaluateModule")];
  expect(modules.length).toBeGreaterThan(0);
  const parsed = named("V8.ParseProgram").filter(
    (event) => lookups.some(within(event)) && modules.some(within(event)),
  );
  expect(parsed).toEqual([]);
});
