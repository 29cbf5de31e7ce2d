/** Form controls are those of one folder, so that a successor of the toolkit is a change to that folder. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const FOLDER = "webview-ui";
const CONTROLS = /<(?:input|select|textarea|option|progress|vscode-[a-z-]+)\b/;

it("no component outside of webview-ui/toolkit makes a form control of its own", () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .map((name) => name.split(path.sep).join("/"))
    .filter((name) => name.endsWith(".tsx"));
  const own = (name: string) => CONTROLS.test(readFileSync(path.join(FOLDER, name), "utf8"));
  expect(files.filter((name) => !name.startsWith("toolkit/") && own(name))).toEqual([]);
  expect(files.filter((name) => name.startsWith("toolkit/") && own(name)).length).toBeGreaterThan(5);
});
