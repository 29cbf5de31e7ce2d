/** The user's own shell, by the editor's settings. */
import { expect, it } from "vitest";
import { defaultShell } from "../../../src/vscode/terminal/default-shell.ts";

function own(values: Record<string, object>, SHELL = "/bin/of-login"): string | undefined {
  return defaultShell({
    inspect: (key) => values[key],
    editorShell: "/bin/of-the-editor",
    environment: { SHELL, WHERE: "/usr" },
    platform: "linux",
  });
}
const profile = (path: unknown) => ({ "profiles.linux": { globalValue: { mine: { path } } } });
const CHOSEN = { "defaultProfile.linux": { globalValue: "mine" } };

it("is what the editor says, unless a profile names another", () => {
  expect(own({})).toBe("/bin/of-the-editor");
  expect(own(profile("/nowhere/zsh"))).toBe("/bin/of-the-editor");
  expect(own({ ...profile(undefined), ...CHOSEN })).toBe("/bin/of-the-editor");
  expect(own({ ...profile("\u0024{workspaceFolder}/zsh"), ...CHOSEN })).toBe("/bin/of-the-editor");
});

it("is the profile's, there or not, so that the user can be told", () => {
  expect(own({ ...profile("/nowhere/zsh"), ...CHOSEN })).toBe("/nowhere/zsh");
  expect(own({ ...profile(["/nowhere/zsh", "/bin/sh"]), ...CHOSEN })).toBe("/bin/sh");
  expect(own({ ...profile("\u0024{env:WHERE}/nowhere"), ...CHOSEN })).toBe("/usr/nowhere");
});

it("is never a project's", () => {
  const workspace = { "profiles.linux": { workspaceValue: { mine: { path: "./evil" } } }, ...CHOSEN };
  expect(own(workspace)).toBe("/bin/of-login");
  expect(own({ "defaultProfile.linux": { workspaceFolderValue: "evil" } }, "")).toBeUndefined();
});
