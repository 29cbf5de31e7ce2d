/** The messages of a session that come before the newest ones. */
import { setTimeout as after } from "node:timers/promises";
import { expect, it } from "vitest";
import { earlierPages, FIRST_PAGE_SIZE } from "../../../../src/core/loop/transcript.ts";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import { systemClock } from "../../../../src/node/clock.ts";
import { assets, MemoryStorage, newSession, quietLog, userMessage } from "./support.ts";

it("come in order, each part after what is due, as what VS Code sends to the panel", async () => {
  const store = await openSessionStore(new MemoryStorage(), assets, systemClock, quietLog);
  const session = newSession();
  const messages = Array.from({ length: FIRST_PAGE_SIZE + 1_300 }, (_, at) => userMessage(`message ${at}`));
  await store.import(session, messages, {});
  const order: string[] = [];
  const reading = {
    load: (...[id, part]: Parameters<typeof store.load>) => {
      order.push(`after ${part?.skip}`);
      return store.load(id, part);
    },
  };
  const found: string[] = [];
  const due = () => void after(0).then(() => order.push("due"));
  due();
  for await (const page of earlierPages(reading, session.id, systemClock)) {
    found.unshift(...page.map(({ id }) => id));
    due();
  }
  expect(found).toEqual(messages.slice(0, -FIRST_PAGE_SIZE).map(({ id }) => id));
  expect(order).toEqual(["due", "after 240", "due", "after 1440", "due", "after 2640"]);
  await store.close();
});
