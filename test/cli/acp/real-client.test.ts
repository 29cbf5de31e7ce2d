/** A client of somebody else's, over an SDK of its own. `real-client.long.test.ts` has more of its commands. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run, stopReason } from "./acpx.ts";
import { Stage } from "./stage.ts";

const NEKO = "cats\nare fine\n";
const EDIT = {
  tool: "replace_in_file",
  params: { path: "neko.txt", diff: "------- SEARCH\ncats\n=======\nmany cats\n+++++++ REPLACE" },
};
const DONE = { answer: [{ tool: "attempt_completion", params: { result: "All done." } }] };

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
