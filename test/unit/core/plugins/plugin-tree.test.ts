/** The files of a plugin: what is refused, and that links are resolved by their names alone. */
import { expect, it } from "vitest";
import { hashOfFiles, recordsOf, treeOf } from "../../../../src/core/plugins/plugin-tree.ts";
import { entriesOf, pluginTree, refusalOf } from "./support.ts";

const textOf = (files: Record<string, string>, path: string) => {
  const found = pluginTree(files).files.get(path)?.bytes;
  return found && new TextDecoder().decode(found);
};

it("copies what a link inside the plugin leads to, a file or a folder, also through other links", () => {
  const files = {
    "shared/a.md": "A",
    "shared/deep/b.md": "B",
    "skills/one": "->../shared",
    "link.md": "->skills/one/deep/b.md",
    "again.md": "->link.md",
  };
  expect([...pluginTree(files).files.keys()]).toEqual([
    "again.md",
    "link.md",
    "shared/a.md",
    "shared/deep/b.md",
    "skills/one/a.md",
    "skills/one/deep/b.md",
  ]);
  expect(textOf(files, "again.md")).toBe("B");
});

it.each([
  ["../secret", ["link-outside", "skills/one/x.md"]],
  ["../../../secret", ["link-outside", "skills/one/x.md"]],
  ["/etc/passwd", ["link-outside", "skills/one/x.md", "/etc/passwd"]],
  ["C:/secret", ["link-outside", "skills/one/x.md", "C:/secret"]],
  ["out/passwd", ["link-outside", "skills/one/x.md", "/etc"]],
])("refuses a plugin with a link to %s", (target, refusal) => {
  const files = {
    "a.md": "A",
    "skills/one/x.md": `->${target === "../secret" ? "../../../secret" : target}`,
  };
  const linked = target === "out/passwd" ? { ...files, "skills/one/out": "->/etc" } : files;
  expect(refusalOf(() => treeOf(entriesOf(linked))).slice(0, 1)).toEqual(refusal.slice(0, 1));
});

it("leaves out links that lead to nothing, in a circle, or to a folder that they are in, and says so", () => {
  const { files, problems } = pluginTree({
    "a.md": "A",
    gone: "->b.md",
    x: "->y",
    y: "->x",
    "in/it": "->..",
  });
  expect([...files.keys()]).toEqual(["a.md"]);
  expect(problems.map(({ code, values }) => [code, ...values])).toEqual([
    ["link-useless", "gone"],
    ["link-useless", "x"],
    ["link-useless", "y"],
    ["link-useless", "in/it"],
  ]);
});

it.each([
  "a\u0007.md",
  "a\u202e.md",
  "a/../b.md",
  "../b.md",
  "a\\b.md",
  "C:b.md",
  "a//b.md",
  "nul.txt",
  "a. ",
  "x\n.md",
])("refuses the name %j", (path) => {
  expect(refusalOf(() => treeOf(entriesOf({ [path]: "x" })))).toEqual(["path-invalid", path]);
});

it("leaves out the folder of a repository, and reports one within the plugin", () => {
  const { files, problems } = pluginTree({
    ".git/hooks/post-checkout": "run",
    "a.md": "A",
    "lib/.GIT/config": "x",
    "lib/.GIT/hooks/x": "x",
  });
  expect([...files.keys()]).toEqual(["a.md"]);
  expect(problems).toEqual([{ code: "git-folder", values: ["lib/.GIT"] }]);
});

it("refuses names that differ only in case, and what is too large", () => {
  expect(refusalOf(() => pluginTree({ "A.md": "1", "a.md": "2" }))).toEqual(["names-alike", "A.md", "a.md"]);
  const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`${index}.md`, ""]));
  expect(refusalOf(() => pluginTree(many))).toEqual(["too-many-files", "2000"]);
  const large = { kind: "file", isExecutable: false, bytes: new Uint8Array(10 * 1024 * 1024 + 1) } as const;
  expect(refusalOf(() => treeOf([{ ...large, path: "x" }]))).toEqual(["file-too-large", "x", "10"]);
});

it("the hash names the paths, the contents and what may run", async () => {
  const hash = async (files: Record<string, string>) => hashOfFiles(await recordsOf(pluginTree(files)));
  const first = await hash({ "a.md": "A", "b.sh": "B" });
  expect(await hash({ "b.sh": "B", "a.md": "A" })).toBe(first);
  for (const other of [{ "a.md": "A" }, { "a.md": "A", "b.sh": "C" }, { "a.md": "A", "c.sh": "B" }])
    expect(await hash(other)).not.toBe(first);
});
