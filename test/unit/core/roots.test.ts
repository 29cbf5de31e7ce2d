/** Names of workspace folders: no two alike, and the same ones for tools, mentions and lists of files. */
import { describe, expect, it } from "vitest";
import { mentionPath } from "../../../src/core/context/mention-files.ts";
import { isInside, rootPrefix, splitRoot, withUniqueNames } from "../../../src/core/roots.ts";
import { displayPath, resolvePath } from "../../../src/core/tools/tool-paths.ts";
import { findMentions } from "../../../src/shared/mentions.ts";

const roots = (...paths: string[]) => paths.map((path) => ({ name: path.split(/[\\/]/).pop() ?? "", path }));
const names = (...paths: string[]) => withUniqueNames(roots(...paths)).map(({ name }) => name);

describe("a file whose name begins with two dots", () => {
  const workspace = { root: "/w/app", roots: roots("/w/app"), trusted: true };

  it("is in its folder for tools, mentions and lists", async () => {
    for (const name of ["..x", "..x/a.ts", "...", "..a..", "src/..b"]) {
      expect(isInside("/w/app", `/w/app/${name}`), name).toBe(true);
      expect(displayPath(workspace, `/w/app/${name}`), name).toBe(name);
      expect(mentionPath(name, { workspace }), name).toBe(`/w/app/${name}`);
    }
    expect(isInside("/w/app", "/w/app")).toBe(true);
    expect(displayPath(workspace, "/w/app")).toBe(".");
  });

  it("is not in the folder beside it", () => {
    for (const path of ["/w", "/", "/w/apps", "/w/..app/x", "/w/other/app"]) {
      expect(isInside("/w/app", path), path).toBe(false);
      expect(displayPath(workspace, path), path).toBe(path);
    }
    expect(() => mentionPath("../x", { workspace })).toThrow("outside the workspace");
  });
});

describe("the names of folders", () => {
  it.each([
    [
      ["/w/app", "/w/lib"],
      ["app", "lib"],
    ],
    [
      ["/w/my app", "/w/猫"],
      ["my app", "猫"],
    ],
    [
      ["/w/one/app", "/w/two/app"],
      ["one-app", "two-app"],
    ],
    [
      ["/w/one/app", "/w/lib", "/w/two/app"],
      ["one-app", "lib", "two-app"],
    ],
    // A folder further above sets them apart.
    [
      ["/a/one/app", "/b/one/app"],
      ["a-one-app", "b-one-app"],
    ],
    [
      ["/a/one/app", "/b/one/app", "/b/two/app"],
      ["a-one-app", "b-one-app", "two-app"],
    ],
    // A folder that has such a name already keeps it.
    [
      ["/w/one/app", "/w/two/app", "/w/one-app"],
      ["w-one-app", "two-app", "one-app"],
    ],
    [
      ["/app", "/w/app"],
      ["app-2", "w-app"],
    ],
    [
      ["C:\\one\\app", "C:\\two\\app"],
      ["one-app", "two-app"],
    ],
    // Alike to the eye.
    [
      ["/w/one/App", "/w/two/app"],
      ["one-App", "two-app"],
    ],
    [
      ["/w/one/が", "/w/two/か\u3099"],
      ["one-が", "two-か\u3099"],
    ],
    // One inside the other.
    [
      ["/w/app", "/w/app/app"],
      ["w-app", "app-app"],
    ],
  ])("of %j are %j", (paths, expected) => {
    const found = names(...paths);
    expect(new Set(found).size).toBe(paths.length);
    expect(found).toEqual(expected);
  });

  it("have nothing that a path such as @name:/ cannot have", () => {
    const found = withUniqueNames([
      { name: "front/end: new", path: "/w/a" },
      { name: 'a"b', path: "/w/b" },
      { name: "", path: "/w/c" },
    ]);
    expect(found.map(({ name }) => name)).toEqual(["front-end- new", "a-b", "-"]);
    for (const root of found) expect(splitRoot(`@${root.name}:/x`)).toEqual({ name: root.name, inside: "x" });
  });

  it("stay apart, however many there are", () => {
    const many = ["/a/x/app", "/b/x/app", "/x/app", "/x-app", "/a-x-app", "/app", "/a/x-app", "/c/X/APP"];
    const found = names(...many);
    expect(new Set(found.map((name) => name.toLowerCase())).size).toBe(many.length);
  });
});

describe("two folders with one name", () => {
  const workspace = {
    root: "/w/one/app",
    roots: withUniqueNames(roots("/w/one/app", "/w/two/app")),
    trusted: true,
  };
  const files = workspace.roots.map((root) => ({
    shown: `${rootPrefix(workspace, root)}main.ts`,
    path: `${root.path}/main.ts`,
  }));

  it("are told apart by each that names or reads a path", () => {
    expect(files.map(({ shown }) => shown)).toEqual(["main.ts", "@two-app:/main.ts"]);
    for (const { shown, path } of files) {
      expect(displayPath(workspace, path)).toBe(shown);
      expect(resolvePath(workspace, shown)).toBe(path);
      const [mention] = findMentions(`See ${shown.startsWith("@") ? shown : `@/${shown}`} please`);
      expect(mentionPath(mention?.value ?? "", { workspace })).toBe(path);
    }
  });

  it("are not meant by the name that they share", () => {
    expect(() => resolvePath(workspace, "@app:/main.ts")).toThrow(
      "There is no workspace folder named app. The folders are: one-app, two-app.",
    );
    expect(() => mentionPath("@app:/main.ts", { workspace })).toThrow(
      "no folder of the workspace is named app",
    );
    const same = { ...workspace, roots: roots("/w/one/app", "/w/two/app") };
    expect(() => resolvePath(same, "@app:/new.ts")).toThrow("no workspace folder named app");
  });
});
