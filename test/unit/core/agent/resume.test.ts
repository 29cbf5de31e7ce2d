/** Any conversation that ended at any point goes on, with requests that a strict endpoint takes. */
import { afterEach, expect, it } from "vitest";
import type { Message } from "../../../../src/shared/message.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { conversation } from "../../../support/histories.ts";
import { underOne } from "../../../support/protocols.ts";
import { generator, rounds, seedOf } from "../../../support/random.ts";
import { newSession } from "../sessions/support.ts";

const seed = seedOf("resume");
const ROUNDS = rounds(6, 25);

let agent: Agent;
afterEach(() => agent.close());

/** What crashes, older versions and other hands make of it. */
function damaged(random: () => number, whole: readonly Message[]): Message[] {
  const messages = whole.slice(0, 1 + Math.floor(random() * whole.length));
  return messages.flatMap((message, index): Message[] => {
    const dice = random();
    if (index === messages.length - 1 && message.role === "assistant" && dice < 0.5) {
      // A stream that was cut off.
      const blocks = message.blocks.slice(0, Math.floor(random() * (message.blocks.length + 1)));
      return [{ ...message, blocks, interrupted: true }];
    }
    if (dice < 0.03) return [];
    if (dice < 0.06) return [message, { ...message, id: `${message.id}-again` }];
    if (dice < 0.08) return [{ ...message, blocks: [] }];
    if (dice < 0.1) return [{ ...message, blocks: message.blocks.toReversed() }];
    return [message];
  });
}

it.each(underOne("xml"))(`under %s, whatever was stored (NEKODE_SEED=${seed})`, async (protocol) => {
  const random = generator(seed);
  const turns = Array.from({ length: ROUNDS * 3 }, () => ({ answer: [{ text: "Going on." }] }));
  agent = await startAgent({ script: { scope: "server", turns }, protocol });
  const { project, view, store } = await agent.another();
  for (let round = 0; round < ROUNDS; round++) {
    const session = newSession(`s${round}`);
    const unique = conversation(random, 2 + Math.floor(random() * 40)).map((message) => ({
      ...message,
      id: `${round}-${message.id}`,
    }));
    await store.import(session, damaged(random, unique), {});
    const began = random() < 0.5;
    const open = unique.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.type === "tool-call" ? [block.id] : [])),
    );
    if (began) await store.markCall(session.id, open.at(-1) ?? "none", "started");
    await view.open(session.id);
    await view.stop();
    await view.send("go on");
    expect((await view.active.idle)?.type, `round ${round}`).toBe("replied");
    expect(agent.server.refusals, `round ${round}`).toEqual([]);
  }
  expect(agent.server.requests.length).toBeGreaterThanOrEqual(ROUNDS);
  await project.dispose();
});
