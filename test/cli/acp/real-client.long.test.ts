/**
 * A client of somebody else's, over an SDK of its own. With the SDK's own client, `turns.test.ts` proves what a prompt, a rejection
 * and a cancellation do, and `sessions.test.ts` that another process loads a session.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { acpx, DONE, EDIT, NEKO, run, stopReason } from "./acpx.ts";
import { Stage } from "./stage.ts";

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.create({ "neko.txt": NEKO });
});
afterEach(() => stage.close());

describe("acpx", () => {
  it("prompts, shows the change, and gives the permission", async () => {
    stage.model.setScript({ turns: [{ answer: [{ text: "I edit." }, EDIT] }, DONE] });
    const edited = await run(stage, ["exec", "More cats please"], ["--approve-all"]);
    expect(edited.code).toBe(0);
    expect(stopReason(edited)).toEqual(["end_turn"]);
    const asked = edited.lines.find(({ method }) => method === "session/request_permission");
    expect(JSON.stringify(asked)).toContain(
      '"oldText":"cats\\nare fine\\n","newText":"many cats\\nare fine\\n"',
    );
    expect(await stage.project.read("neko.txt")).toBe("many cats\nare fine\n");
  });

  it("refuses the permission, and the file is byte-identical", async () => {
    stage.model.setScript({ turns: [{ answer: [EDIT] }, DONE] });
    const refused = await run(stage, ["exec", "More cats please"], ["--deny-all"]);
    expect(stopReason(refused)).toEqual(["end_turn"]);
    expect(await stage.project.read("neko.txt")).toBe(NEKO);
  });

  it("loads the session in another process, and cancels a prompt", async () => {
    stage.model.setScript({
      turns: [
        { match: { said: "first" }, answer: [{ text: "One." }] },
        { match: { said: "second" }, answer: [{ text: "It says " }, { hold: "middle" }, { text: "more." }] },
      ],
    });
    expect((await run(stage, ["sessions", "new"])).code).toBe(0);
    expect(stopReason(await run(stage, ["prompt", "first"]))).toEqual(["end_turn"]);
    const turn = acpx(stage, ["prompt", "second"]);
    const loaded = turn.until('"method":"session/load"');
    await stage.model.waitForHold("middle");
    await loaded;
    await run(stage, ["cancel"]);
    expect(await turn.ended).toBe(0);
    // Ends the client's process that takes the prompts of the session, each of which has an agent of its own.
    expect((await run(stage, ["sessions", "close"])).code).toBe(0);
    expect(stopReason(turn)).toEqual(["cancelled"]);
    expect(JSON.stringify(stage.model.requests.at(-1)?.body)).toContain("first");
  });
});
