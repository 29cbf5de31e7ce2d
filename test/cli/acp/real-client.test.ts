/** A client of somebody else's, over an SDK of its own. `real-client.long.test.ts` has more of its commands. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DONE, EDIT, NEKO, run, stopReason } from "./acpx.ts";
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
});
