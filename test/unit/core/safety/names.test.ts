import { describe, expect, it } from "vitest";
import { foldedParts } from "../../../../src/core/safety/paths/folded-names.ts";
import { protectedWrite } from "../../../../src/core/safety/paths/judge-path.ts";
import { packageScriptsChanged } from "../../../../src/core/safety/paths/manifests.ts";
import { secretName } from "../../../../src/core/safety/paths/secret-names.ts";

describe("folded names", () => {
  it.each([
    ".GIT",
    ".git.",
    ".git ",
    ".git. .",
    ".git::$INDEX_ALLOCATION",
    ".g\u200cit",
    "\uff0egit",
    ".g\u0131t",
    ".gi\ufeff\u0074",
    ".\u24d6it",
  ])("%j is .git", (name) => {
    expect(foldedParts(name)).toEqual([".git"]);
    expect(protectedWrite(`a/${name}/config`)).toBeDefined();
  });

  it("leaves ordinary names alone", () => {
    expect(foldedParts("src//./Foo.ts")).toEqual(["src", "foo.ts"]);
    for (const path of [
      "src/a.ts",
      "git/a",
      "docs/environment.md",
      "package-lock.json",
      "src/agents/index.ts",
      "vscode.md",
      "Dockerfile",
      "a~b.txt",
    ])
      expect(protectedWrite(path), path).toBeUndefined();
    for (const path of [
      "src/keys.ts",
      "keyboard.key.ts",
      "src/env.ts",
      "id_rsa.pub",
      "tokens.json",
      "docs/secrets.md",
      "src/credentials.ts",
    ])
      expect(secretName(path), path).toBeUndefined();
  });
});

describe("package.json", () => {
  it("counts as changed in its scripts by anything but descriptions and dependencies", () => {
    const before = '{"name":"a","scripts":{"test":"x"},"version":"1.0.0"}';
    expect(
      packageScriptsChanged(
        before,
        '{"name":"a","scripts":{"test":"x"},"version":"1.0.1","dependencies":{"b":"1"}}',
      ),
    ).toBe(false);
    expect(packageScriptsChanged(before, '{"name":"a","scripts":{"test":"evil"},"version":"1.0.0"}')).toBe(
      true,
    );
    expect(packageScriptsChanged(before, '{"name":"a","scripts":{"test":"x"},"husky":{"hooks":{}}}')).toBe(
      true,
    );
    expect(packageScriptsChanged(undefined, '{"scripts":{"postinstall":"x"}}')).toBe(true);
    expect(packageScriptsChanged(before, "not json")).toBe(true);
  });
});
