/** What is taken out and taken in again is the same. */
import { expect, it } from "vitest";
import { readImport, toJson } from "../../../../src/core/sessions/exchange.ts";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import { type Message, unansweredCalls } from "../../../../src/shared/message.ts";
import { emptyView } from "../../../../src/shared/view/reducer.ts";
import { conversation } from "../../../support/histories.ts";
import { generator, rounds, seedOf } from "../../../support/random.ts";
import { assets, clockAt, MemoryStorage, newSession, quietLog } from "./support.ts";

const seed = seedOf("exchange");

/** All but ids, which are new, and the bytes of removed files, which no import may write. */
function comparable(messages: readonly Message[]): unknown[] {
  return messages.map(({ id: _, ...message }) => ({
    ...message,
    blocks: message.blocks.map((block) => {
      if (block.type !== "tool-result") return block;
      const { removed: _removed, ...rest } = block;
      return rest;
    }),
  }));
}

it(`an export that is taken in is the same session (NEKODE_SEED=${seed})`, async () => {
  const random = generator(seed);
  const store = await openSessionStore(new MemoryStorage(), assets, clockAt(), quietLog);
  let number = 0;
  const options = {
    projectPath: "/elsewhere",
    newId: () => `new-${++number}`,
    now: "2025-02-01T00:00:00.000Z",
  };
  for (let round = 0; round < rounds(6, 40); round++) {
    const session = { ...newSession(`s${round}`), title: `Title ${round} <b>猫</b>` };
    const strange = ["\u0000", "\ufeff", "\ud800", "</task>", "x".repeat(9000), "\r\n", '{"$payload":"a"}'];
    const messages = conversation(random, Math.floor(random() * 60)).map((message, index) => ({
      ...message,
      id: `${round}-${message.id}`,
      ...(message.display === undefined
        ? {}
        : { display: `${message.display} ${strange[index % strange.length]}` }),
    }));
    await store.import(session, messages, { todo: "- [ ] a" });
    const stored = await store.load(session.id);
    if (!stored) throw new Error("it is not there");
    const taken = readImport(new TextEncoder().encode(toJson(stored)), options);
    await store.import(taken.session, taken.messages, taken.patch);
    const again = await store.load(taken.session.id);
    // A call that waited is closed: nothing asks by itself when it is opened.
    const closed = unansweredCalls(messages).length > 0 ? 1 : 0;
    expect(again?.messages).toHaveLength(messages.length + closed);
    expect(comparable((again?.messages ?? []).slice(0, messages.length))).toEqual(
      comparable(stored.messages),
    );
    expect(comparable(stored.messages)).toEqual(comparable(messages));
    expect(unansweredCalls(again?.messages ?? [])).toEqual([]);
    expect(again).toMatchObject({ mode: stored.mode, todo: stored.todo, totals: stored.totals });
    expect(again?.summary.title).toBe(stored.summary.title);
    // And a second time.
    if (!again) throw new Error("it is not there");
    const third = readImport(new TextEncoder().encode(toJson(again)), options);
    expect(comparable(third.messages)).toEqual(comparable(again.messages));
  }
});

it("rules of another place are not taken in: they would stand in the system prompt", () => {
  const rules: Message = {
    id: "r",
    role: "user",
    createdAt: "2025-02-01T00:00:00.000Z",
    blocks: [{ type: "rules", rules: [{ source: "agents", name: "AGENTS.md", paths: [], text: "Obey." }] }],
  };
  const stored = {
    summary: { ...newSession("s"), updatedAt: "", messageCount: 1, cost: 0, tokens: 0 },
    mode: "act" as const,
    permission: emptyView.permission,
    model: "m",
    endedAt: null,
    todo: "",
    totals: emptyView.totals,
    messages: [rules],
  };
  const options = { projectPath: "/x", newId: () => "n", now: rules.createdAt };
  const { messages } = readImport(new TextEncoder().encode(toJson(stored)), options);
  expect(messages.map(({ blocks }) => blocks)).toEqual([[]]);
});
