/** What the approval of a command covers: the content of what it runs, directly and through the files that it names. */
import { describe, expect, it } from "vitest";
import { shownCode } from "../../../../src/cli/shown-code.ts";
import { reasonOf } from "../../../../src/shared/reason.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import { runTool } from "./run-tool.ts";

const FILES = {
  "run.sh": "set -e\n. ./lib/env\nsource helpers\nbash tools/deep.sh 2>&1 | tee out.log\n",
  "lib/env": "X=1\n",
  helpers: "y() { :; }\n",
  "out.log": "1\n",
  "tools/deep.sh": '"$(dirname "$0")/deeper.sh"\n',
  "tools/deeper.sh": "echo\n",
  "own-int": "#!/bin/sh\n",
  interpreted: "#!./own-int\nx\n",
  enveloped: "#!/usr/bin/env -S python3 tools/int.py\nx\n",
  "tools/int.py": "import helper.one, second\nfrom .third import a\nfrom fourth import (\n  b,\n)\n",
  "tools/helper/one.py": "1\n",
  "second/__init__.py": "1\n",
  "tools/third.py": "1\n",
  "fourth/b.py": "1\n",
  "a.js":
    'const path = require("path");\nrequire("./b");\nimport("./c/index.mjs");\nrequire(path.join(__dirname, "d"));\n',
  "b.js": "export * from './e.js';\n",
  "c/index.mjs": "1\n",
  "d/index.js": "1\n",
  "e.ts": "1\n",
  "package.json": JSON.stringify({
    main: "start.js",
    scripts: {
      test: "npm run check -- --all && other",
      check: "node check.js",
      preother: "x",
      build: "node build.js",
    },
  }),
  "start.js": "1\n",
  "check.js": "1\n",
  "build.js": "1\n",
  "node_modules/.bin/other": "1\n",
  Makefile: "include rules.mk\nx:\n\t./recipe\n",
  "rules.mk": "y:\n\tpython3 tools/int.py\n",
  recipe: "echo\n",
  justfile: "import 'more.just'\nx:\n  ruby gen.rb\n",
  "more.just": "y:\n",
  "gen.rb": 'require_relative "model"\n',
  "model.rb": "1\n",
  "Taskfile.yml": "tasks:\n  x:\n    cmds: [perl gen.pl]\n",
  "gen.pl": "use Own::Part;\n",
  "lib/Own/Part.pm": "1;\n",
  "Cargo.toml": 'build = "make.rs"\n',
  "make.rs": "mod parts;\n",
  "parts/mod.rs": "1\n",
};

/** What an answer from outside is compared with. */
async function codeOf(files: Record<string, string>, command: string): Promise<string> {
  const run = await runTool(
    "execute_command",
    { command, requires_approval: false },
    { memory: memoryHost({ files }), rejected: true },
  );
  const covers = await run.invocation?.coverage?.view();
  const approval = { callId: "c", access: "command" as const, reason: reasonOf("commands-ask"), command };
  return shownCode({ ...approval, ...(covers ? { covers } : {}) }, undefined);
}

describe("the code of an approval is another one", () => {
  it.each([
    ["./run.sh", "run.sh"],
    ["sh run.sh", "lib/env"],
    ["sh run.sh", "helpers"],
    ["sh run.sh", "tools/deep.sh"],
    ["sh run.sh", "tools/deeper.sh"],
    ["./interpreted", "own-int"],
    ["./enveloped", "tools/int.py"],
    ["python3 tools/int.py", "tools/helper/one.py"],
    ["python3 tools/int.py", "second/__init__.py"],
    ["python3 tools/int.py", "tools/third.py"],
    ["python3 tools/int.py", "fourth/b.py"],
    ["node a.js", "b.js"],
    ["node a", "c/index.mjs"],
    ["node ./a.js", "d/index.js"],
    ["node a.js", "e.ts"],
    ["node .", "start.js"],
    ["npm test", "package.json"],
    ["npm test", "check.js"],
    ["pnpm run test", "check.js"],
    ["yarn build", "build.js"],
    ["bun run build", "build.js"],
    ["npm test", "node_modules/.bin/other"],
    ["make x", "Makefile"],
    ["make x", "rules.mk"],
    ["make x", "recipe"],
    ["make x", "tools/third.py"],
    ["just x", "more.just"],
    ["just x", "model.rb"],
    ["task x", "lib/Own/Part.pm"],
    ["cargo build", "make.rs"],
    ["cargo test", "parts/mod.rs"],
  ])("`%s` once %s changed", async (command, changed) => {
    expect(Object.keys(FILES)).toContain(changed);
    const before = await codeOf(FILES, command);
    expect(await codeOf(FILES, command)).toBe(before);
    expect(await codeOf({ ...FILES, [changed]: "something else\n" }, command)).not.toBe(before);
  });

  it("where a file appears that is run instead", async () => {
    const before = await codeOf(FILES, "make x");
    expect(await codeOf({ ...FILES, GNUmakefile: "x:\n" }, "make x")).not.toBe(before);
  });
});

it.each([
  ["sh run.sh", "out.log"],
  ["npm test", "build.js"],
  ["node check.js > out.log", "out.log"],
  ["sh run.sh", "unrelated.sh"],
])("the code for `%s` stays where %s changed", async (command, changed) => {
  expect(await codeOf({ ...FILES, [changed]: "something else\n" }, command)).toBe(
    await codeOf(FILES, command),
  );
});

it("an approval lists what it covers, and counts what it does not list", async () => {
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`part-${n}.sh`, "1\n"]));
  const memory = memoryHost({ files: { ...files, "all.sh": Object.keys(files).join("\n") } });
  const run = await runTool(
    "execute_command",
    { command: "sh all.sh", requires_approval: false },
    { memory, rejected: true },
  );
  const covers = await run.invocation?.coverage?.view();
  expect(covers?.files.slice(0, 2)).toEqual(["all.sh", "part-0.sh"]);
  expect([covers?.files.length, covers?.more]).toEqual([20, 11]);
});
