/** tsc on the list may run; where the project's configuration has it write is judged as a write of a tool that edits. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Judge } from "../../src/core/loop/calls/permission.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { project } from "../support/tools-on-disk.ts";

async function verdict(files: Record<string, string>, command: string) {
  const { host, at } = await project();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(at(name)), { recursive: true });
    await writeFile(at(name), text);
  }
  const settings = settingsSchema.parse({
    approval: { commandSafe: true },
    commands: { allow: ["tsc", "cd"] },
  });
  const judge = new Judge(host, () => settings);
  return judge.permission({ access: "command" }, { paths: [], command }, "act");
}

const config = (compilerOptions: object, more: object = {}) => JSON.stringify({ ...more, compilerOptions });

describe("tsc", () => {
  it.each<[string, Record<string, string>]>([
    ["tsc --noEmit", {}],
    ["tsc --noEmit", { "tsconfig.json": config({ strict: true, outDir: "../dist" }) }],
    ["tsc", { "tsconfig.json": config({ outDir: "dist", declarationDir: "./dist/types" }) }],
    [
      "tsc --noEmit",
      { "tsconfig.json": config({ incremental: true, tsBuildInfoFile: ".cache/x.tsbuildinfo" }) },
    ],
    [
      "tsc --noEmit",
      { "tsconfig.json": '// a comment\n{ "compilerOptions": { /* b */ "outDir": "a//b", }, }' },
    ],
    ["tsc -p packages/a", { "packages/a/tsconfig.json": config({ outDir: "../../dist/a" }) }],
    [
      "tsc --noEmit",
      { "tsconfig.json": config({}, { extends: "./base.json" }), "base.json": config({ outDir: "out" }) },
    ],
    [
      "tsc --noEmit",
      {
        "tsconfig.json": config({}, { extends: "@x/y" }),
        "node_modules/@x/y/tsconfig.json": config({ strict: true }),
      },
    ],
    ["tsc --version", { "tsconfig.json": "{ not json" }],
    ["tsc --noEmit src/a.ts", { "tsconfig.json": config({ tsBuildInfoFile: "../x" }), "src/a.ts": "" }],
  ])("%s does not ask where it writes into the project (%j)", async (command, files) => {
    expect(await verdict(files, command)).toMatchObject({ verdict: "allow" });
  });

  it.each<[string, Record<string, string>]>([
    ["tsc --noEmit", { "tsconfig.json": config({ tsBuildInfoFile: ".git/hooks/pre-commit" }) }],
    ["tsc --noEmit", { "tsconfig.json": config({ composite: true, outDir: "../outside" }) }],
    ["tsc", { "tsconfig.json": config({ outDir: "../outside" }) }],
    ["tsc", { "tsconfig.json": config({ outDir: "/etc" }) }],
    ["tsc", { "tsconfig.json": config({ outFile: ".vscode/x.js" }) }],
    ["tsc", { "tsconfig.json": config({ declarationDir: `$${"{configDir}"}/../x` }) }],
    ["tsc", { "tsconfig.json": '{ "compilerOptions": { "\\u006futDir": "../x" } }' }],
    ["tsc --noEmit", { "tsconfig.json": config({ generateTrace: "../x" }) }],
    [
      "tsc --noEmit",
      { "tsconfig.json": config({}, { extends: "./b" }), "b.json": config({ tsBuildInfoFile: "../x" }) },
    ],
    [
      "tsc --noEmit",
      {
        "tsconfig.json": config({}, { extends: ["./a.json", "./b.json"] }),
        "a.json": config({}),
        "b.json": config({ tsBuildInfoFile: "package.json" }),
      },
    ],
    ["tsc --noEmit", { "tsconfig.json": config({}, { extends: "nowhere" }) }],
    ["tsc --noEmit", { "tsconfig.json": config({}, { extends: "./tsconfig.json" }) }],
    ["tsc --noEmit", { "tsconfig.json": '{ "compilerOptions": { "tsBuildInfoFile": "../x" ' }],
    ["tsc -p packages/a", { "packages/a/tsconfig.json": config({ outDir: "../../../dist" }) }],
    ["tsc -p other.json --noEmit", { "other.json": config({ tsBuildInfoFile: ".npmrc" }) }],
    ["cd src && tsc --noEmit", { "tsconfig.json": config({ tsBuildInfoFile: "../x" }), "src/a.ts": "" }],
  ])("%s asks where it may write elsewhere (%j)", async (command, files) => {
    expect(await verdict(files, command)).toMatchObject({ verdict: "ask" });
  });
});
