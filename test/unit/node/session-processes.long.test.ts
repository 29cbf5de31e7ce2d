/**
 * Two processes that write the sessions of one project at once. For `npm test`, session-processes.test.ts has two that write while
 * a third sweeps, and test/unit/core/sessions/durability.test.ts has two stores on one disk.
 */
import { once } from "node:events";
import { beforeAll, describe, expect, it } from "vitest";
import { rounds } from "../../support/random.ts";
import { messageOf } from "./session-content.ts";
import { buildWriter, expectRested, fillRested, openAt, seed, start } from "./session-processes-support.ts";
import { temporaryFolder } from "./support.ts";

beforeAll(buildWriter);

const appends = rounds(30, 10_000);

describe("two processes on one project", () => {
  it("append at once, checkpoint in between, and nothing is lost", {
    timeout: 120_000 + appends * 100,
  }, async () => {
    const folder = await temporaryFolder();
    const count = appends;
    await fillRested(folder);
    const children = ["a", "b"].map((session, index) =>
      start({ folder, session, count, seed: seed + index }),
    );
    for (const child of children) child.stdout?.resume();
    const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
    expect(codes).toEqual([0, 0]);
    const store = await openAt(folder);
    for (const session of ["a", "b"]) {
      const expected = Array.from({ length: count }, (_, index) => messageOf(session, index));
      expect((await store.load(session))?.messages).toEqual(expected);
    }
    await expectRested(store);
    expect(store.problems).toEqual([]);
    await store.close();
  });
});
