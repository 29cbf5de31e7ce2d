/** A plan's text is untrusted: it names files of the workspace, or nothing. */
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { comparePlan, pathsIn } from "../../../../../src/core/loop/plan/plan-comparison.ts";
import { nodeFiles } from "../../../../../src/node/files/disk-files.ts";

const named = (plan: string) => [...pathsIn(plan).keys()];

describe("the paths in a plan", () => {
  it("are in code spans, in links and in plain words", () => {
    const plan = "Change `src/a.ts:12`, [b](./src/b.ts#L3) and src/c/d.ts, and in src/; and/or not.";
    expect(named(plan)).toEqual(["src/a.ts", "src/b.ts", "src/c/d.ts"]);
    expect(named("`@/e.md` `Makefile` `src\\f.ts` `猫/犬.md`")).toEqual([
      "e.md",
      "Makefile",
      "src/f.ts",
      "猫/犬.md",
    ]);
  });

  it("never lead out of the workspace", () => {
    const hostile = [
      "`../../etc/passwd` `/etc/passwd` `~/.ssh/id` `C:/windows/x.ini` `a/../../b.ts` `//host/share.txt`",
      "[x](https://example.com/a.ts) [y](file:///etc/passwd) see https://example.com/src/a.ts",
      "`a\u202eb.ts` `a\u0000b.ts` `a b.ts` `$(rm -rf x)/y.ts` `..`",
      "../up/x.ts /abs/x.ts C:/abs/x.ts ~/home/x.ts",
    ].join("\n");
    expect(named(hostile)).toEqual([]);
  });

  it("are not those of code blocks", () => {
    expect(named("```\n`a.ts`\nsrc/b.ts\n```\n`c.ts`")).toEqual(["c.ts"]);
  });

  it("are read from 300 KB within the test's time, and no more than 300 of them", () => {
    const shapes = ["a/", "`", "a.", "](", "a/b.ts ", "`a.ts`", "- [ ] ", "../", "\u0000"];
    for (const shape of shapes) {
      const plan = shape.repeat(300_000 / shape.length);
      expect(named(plan).length).toBeLessThanOrEqual(300);
    }
    const many = Array.from({ length: 1_000 }, (_, n) => `\`f${n}.ts\``).join(" ");
    expect(named(many)).toHaveLength(300);
  });
});

describe("a comparison on a disk", () => {
  let root: string;
  let outside: string;
  beforeAll(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), "plan-")));
    outside = await realpath(await mkdtemp(path.join(tmpdir(), "plan-outside-")));
    await mkdir(path.join(root, "src"));
    for (const file of ["a.ts", "b.ts", "x.ts"]) await writeFile(path.join(root, "src", file), "");
    await writeFile(path.join(outside, "secret.ts"), "");
    await symlink(path.join(outside, "secret.ts"), path.join(root, "link.ts"));
    await symlink(outside, path.join(root, "away"));
  });
  afterAll(async () => {
    for (const folder of [root, outside]) await rm(folder, { recursive: true });
  });

  const compare = (plan: string, changed: string[] | undefined, todo = "") =>
    comparePlan(
      { plan, todo, changed: changed?.map((file) => path.join(root, file)) },
      { files: nodeFiles, workspace: { root, roots: [{ name: "p", path: root }], trusted: true } },
    );

  it("names what was not changed and what the plan does not name", async () => {
    const plan =
      "# P\nChange `src/a.ts` and `src/b.ts`.\nCreate `src/new.ts`.\nLater there may be `src/never.ts`.";
    expect(await compare(plan, ["src/a.ts", "src/x.ts"])).toEqual({
      changed: 1,
      named: 3,
      missing: ["src/b.ts", "src/new.ts"],
      others: [path.join(root, "src/x.ts")],
      open: [],
    });
    expect(await compare(plan, ["src/a.ts", "src/b.ts", "src/new.ts"])).toMatchObject({
      changed: 3,
      missing: [],
    });
  });

  it("a link that leaves the workspace is no file of the plan", async () => {
    expect(await compare("`link.ts` `away/secret.ts`", [])).toBeUndefined();
  });

  it("says nothing where nothing can be compared", async () => {
    expect(await compare("# P\nThink.", ["src/a.ts"])).toBeUndefined();
    expect(await compare("# P\n`src/a.ts`", undefined)).toBeUndefined();
  });

  it("an item is open if the todo list has it as not done", async () => {
    const plan = "# P\n- [ ] one\n- [ ] two\n- [x] three\n- [ ] four";
    const todo = "- [ ] one\n- [x] two\n- [ ] three";
    expect((await compare(plan, [], todo))?.open).toEqual(["one"]);
    expect((await compare(plan.replaceAll("\n", "\r\n"), [], todo))?.open).toEqual(["one"]);
    expect(await compare(plan, [], "")).toBeUndefined();
  });
});
