/**
 * Variants of `nekode doctor`: without the window, on a terminal, as JSON. `doctor.test.ts` proves a whole check, and
 * test/unit/core/provider/check the rest.
 */
import { expect, it } from "vitest";
import { placeOfEachTest, play, played, project, STILL } from "./doctor-place.ts";

placeOfEachTest();

it("without a terminal or a budget does not measure the window", async () => {
  const { stderr } = await project.spawn(["doctor", await play("none")], STILL);
  expect(stderr).toContain("16,000 tokens, 0 of them to measure");
  expect(stderr).toContain("· Context window: not measured");
});

it("asks on a terminal, and sends nothing more after a no", async () => {
  const url = await play("none");
  const refused = await project.converseOnTerminal(["doctor", url], STILL, [["Start the check?", "n\r"]]);
  expect(refused.code).toBe(0);
  expect(refused.stdout).not.toContain("First token");
  const before = played?.requests ?? 0;
  const done = await project.converseOnTerminal(["doctor", url], STILL, [
    ["or [w]ithout measuring the window:", "w\r"],
    ["Context window: not measured", ""],
    ["Nekode works well with this model.", ""],
  ]);
  expect(done.code).toBe(0);
  expect(played?.requests).toBeGreaterThan(before + 15);
});

it("writes the report as JSON, checks a connection by name, and names one that is unknown", async () => {
  const url = await play("none");
  await project.run(["config", "set", "connections.local.baseUrl", url]);
  const { code, stdout } = await project.spawn(["doctor", "local/m", "--json"], STILL);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ name: "local/m", verdict: "good" });
  const unknown = await project.run(["doctor", "nowhere"]);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('no connection "nowhere"')]);
});
