/**
 * Workflows in other encodings and of a wrong size, and long plans. `context.test.ts` proves commands and workflows that are as usual;
 * test/unit/core proves how files are decoded and limited.
 */
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { DONE, env, instructed, placeOfEachTest, project, put, said, use } from "./context-place.ts";

placeOfEachTest();

describe("a slash command on the terminal", () => {
  it("/deep-planning plans with commands for this shell", async () => {
    use({ tool: "write_to_file", params: { path: "implementation_plan.md", content: "[Overview]\n" } }, DONE);
    const { code } = await project.run(["--approve", "read,edit", "/deep-planning 猫を犬に"], env);
    expect(code).toBe(0);
    expect(said(1)).toMatch(instructed("deep-planning"));
    expect(said(1)).toContain("find . -type f");
    expect(said(1)).toMatch(/<task>\n猫を犬に\n<\/task>$/);
    expect(await project.read("implementation_plan.md")).toBe("[Overview]\n");
  });
});

describe("a workflow on the terminal", () => {
  it("in Shift-JIS is read as it was meant", async () => {
    await put(
      ".nekode/workflows/リリース.md",
      iconv.encode("手順に従って、猫を公開してください。番号を一つ上げます。\n", "shift_jis"),
    );
    use(DONE);
    await project.run(["/リリース"], env);
    expect(said(1)).toContain("手順に従って、猫を公開してください。番号を一つ上げます。");
  });

  it.each([
    ["of 5 MB", "x".repeat(5_000_000), /The workflow bad cannot be used: the file is larger than 100 KB/],
    [
      "that is binary",
      Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 2, 0, 255, 254, 0, 3]),
      /The workflow bad cannot be used: /,
    ],
  ])("%s is said, not sent", async (_name, content, words) => {
    await put(".nekode/workflows/bad.md", content);
    use(DONE);
    expect((await project.run(["/bad"], env)).code).toBe(0);
    expect(said(1)).toMatch(words);
    expect(said(1).length).toBeLessThan(1_000);
  });
});
