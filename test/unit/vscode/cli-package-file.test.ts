import path from "node:path";
import { expect, it } from "vitest";
import { installationOf } from "../../../src/vscode/terminal/cli-package-file.ts";

it("is installed by a command that needs no quotes, whatever its folder is called", () => {
  const folder = path.resolve("/a $(touch b) 'c'");
  expect(installationOf(path.join(folder, "nekode-cli-0.1.0.tgz"))).toEqual({
    cwd: folder,
    command: "npm install -g ./nekode-cli-0.1.0.tgz",
  });
});

it.each([
  "nekode-cli-1.0.0;id.tgz",
  "nekode-cli-1.0.0 $(id).tgz",
  "other-1.0.0.tgz",
  "nekode-cli-1.0.0.tgz.exe",
  "nekode-cli-.tgz",
])("is no file named %s", (name) => expect(installationOf(path.join("/downloads", name))).toBeUndefined());
