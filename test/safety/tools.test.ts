/**
 * One check for every tool, on a real folder with everything approved: what .nekodeignore names, secrets, protected files
 * and links to them are refused or ask, and what is allowed shows nothing of them.
 */
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Judge } from "../../src/core/loop/calls/permission.ts";
import { defaultTools } from "../../src/core/tools/registry.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { memoryCodeSymbols } from "../support/memory-code-symbols.ts";
import { memoryEditorTests } from "../support/memory-editor-tests.ts";
import { JUPYTER } from "../support/notebooks.ts";
import { project } from "../support/tools-on-disk.ts";
import { neverAborted } from "../unit/node/support.ts";

const APPROVAL = { read: true, edit: true, commandSafe: true, commandAll: true, web: true, mcp: true };

async function trapped() {
  const made = await project();
  const { root, host } = made;
  const outside = path.join(root, "..", "outside");
  for (const folder of ["private", "src", ".git/hooks", ".husky"])
    await mkdir(path.join(root, folder), { recursive: true });
  await mkdir(outside);
  const canary = "export function canary() { return 'canary'; }\n";
  const files: Record<string, string> = {
    ".nekodeignore": "/private/\nhidden.ts\n",
    "private/a.ts": canary,
    "hidden.ts": canary,
    "src/hidden.ts": canary,
    ".env": "KEY=canary\n",
    "server.pem": "canary\n",
    "src/a.ts": "export function ordinary() {}\n",
    "../outside/x.ts": canary,
    "package.json": "{}\n",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(root, name), text);
  const links: [string, string][] = [
    ["link.ts", "hidden.ts"],
    ["src/up.ts", "../private/a.ts"],
    ["folder", "private"],
    ["here", "."],
    ["out", "../outside"],
    ["env.txt", ".env"],
    ["chain.txt", "env.txt"],
    ["hooks", ".git/hooks"],
    ["new-outside", "../outside/not-yet"],
    ["new-hook", ".git/hooks/pre-commit"],
  ];
  for (const [name, target] of links) await symlink(target, path.join(root, name));
  const settings = settingsSchema.parse({ approval: APPROVAL, commands: { allow: ["cat", "ls"] } });
  const judge = new Judge(host, () => settings);
  made.context.unreadable = (file) => judge.unreadable(file);
  const prepared = async (name: string, params: Record<string, unknown>) => {
    const tool = made.registry.find(name);
    if (!tool) throw new Error(`no tool ${name}`);
    const invocation = await tool.prepare(params, made.context);
    const { verdict } = await judge.permission(tool, invocation, "act");
    return { invocation, verdict: verdict === "allow" && invocation.alwaysAsks ? "ask" : verdict };
  };
  return { ...made, judge, prepared, settings };
}

/** Everything that must not be read unasked, under its own name and others. */
const UNREADABLE = [
  "hidden.ts",
  "./hidden.ts",
  "src/../hidden.ts",
  "HIDDEN.TS",
  "src/hidden.ts",
  "private/a.ts",
  "link.ts",
  "src/up.ts",
  "folder/a.ts",
  "here/hidden.ts",
  "here/here/private/a.ts",
  "out/x.ts",
  "../outside/x.ts",
  ".env",
  ".ENV",
  "env.txt",
  "chain.txt",
  "here/.env",
  "server.pem",
];

/** Files that exist under that very name on a file system that tells cases apart. */
const there = (name: string) => !/HIDDEN|ENV$/.test(name);

describe("every tool", () => {
  it("asks or refuses to read what must not be read", async () => {
    const { prepared, judge, at } = await trapped();
    for (const name of UNREADABLE) {
      for (const tool of ["read_file", "list_files", "list_code_definition_names", "search_files"]) {
        const { verdict } = await prepared(tool, { path: name, regex: "." });
        expect(verdict, `${tool} ${name}`).not.toBe("allow");
      }
      expect(await judge.unreadable(at(name)), `a mention of ${name}`).toBeDefined();
    }
    for (const folder of ["private", "folder", "here/private", "out", "../outside", ".."]) {
      for (const tool of ["list_files", "list_code_definition_names", "search_files"])
        expect((await prepared(tool, { path: folder, regex: "." })).verdict, `${tool} ${folder}`).not.toBe(
          "allow",
        );
    }
  });

  it("shows nothing of it where the folder around it is read", async () => {
    const { prepared } = await trapped();
    for (const folder of [".", "here", "here/here", "src", "src/.."]) {
      for (const [tool, params] of [
        ["search_files", { regex: "canary" }],
        ["list_files", { recursive: true }],
        ["list_files", {}],
        ["list_code_definition_names", {}],
      ] as const) {
        const { invocation, verdict } = await prepared(tool, { path: folder, ...params });
        if (verdict !== "allow") continue;
        const { parts } = await invocation.run({
          signal: neverAborted,
          onOutput: () => undefined,
          ask: async () => ({ action: "cancel" }),
          callId: "call",
          isRestored: false,
          propose: async () => ({ type: "rejected", comment: undefined }),
        });
        const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
        expect(text, `${tool} ${folder}`).not.toMatch(/canary|hidden\.ts|private/);
      }
    }
  });

  it("asks or refuses to write what steers, is secret, is ignored or is elsewhere", async () => {
    const { prepared } = await trapped();
    const places = [
      ...UNREADABLE,
      "hooks/pre-push",
      "here/.git/config",
      ".husky/pre-commit",
      "package.json",
      "here/package.json",
      "src/.nekode/rules/x.md",
      "AGENTS.md",
    ];
    // Links to nothing are refused before anybody is asked.
    for (const name of ["new-outside", "new-hook"])
      await expect(prepared("write_to_file", { path: name, content: "x\n" }), name).rejects.toThrow(
        `${name} is a link to`,
      );
    for (const name of places) {
      const write = await prepared("write_to_file", { path: name, content: '{"scripts":{"test":"x"}}\n' });
      expect(write.verdict, `write_to_file ${name}`).not.toBe("allow");
      await write.invocation.discard?.();
      if (!there(name) || !UNREADABLE.includes(name)) continue;
      const gone = await prepared("delete_file", { path: name });
      expect(gone.verdict, `delete_file ${name}`).not.toBe("allow");
      const patch = `*** Begin Patch\n*** Delete File: ${name}\n*** End Patch`;
      const patched = await prepared("apply_patch", { input: patch });
      expect(patched.verdict, `apply_patch deleting ${name}`).not.toBe("allow");
      await patched.invocation.discard?.();
    }
    const targets = [
      ".git/hooks/pre-push",
      "hooks/pre-push",
      ".husky/pre-push",
      ".env.local",
      "private/b.ts",
      "folder/b.ts",
      "here/private/b.ts",
      "out/b.ts",
      "../outside/b.ts",
      "here/.vscode/tasks.json",
      "src/AGENTS.md",
    ];
    for (const to of targets) {
      const input = `*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: ${to}\n-export function ordinary() {}\n+1\n*** End Patch`;
      const move = await prepared("apply_patch", { input });
      expect(move.verdict, `apply_patch, moved to ${to}`).not.toBe("allow");
      await move.invocation.discard?.();
    }
    const rule = await prepared("new_rule", { path: "a.md", content: "x" });
    expect(rule.verdict).toBe("ask");
    await rule.invocation.discard?.();
  });

  it("quotes none of it in the answer to an edit that does not fit", async () => {
    const { prepared } = await trapped();
    for (const name of UNREADABLE.filter(there)) {
      const diff = "------- SEARCH\nKEY\nexport function\n=======\nx\n+++++++ REPLACE";
      const patch = `*** Begin Patch\n*** Update File: ${name}\n-KEY\n+x\n*** End Patch`;
      for (const [tool, params] of [
        ["replace_in_file", { path: name, diff }],
        ["apply_patch", { input: patch }],
      ] as const) {
        const error = await prepared(tool, params).then(
          () => "it fits",
          (thrown: Error) => thrown.message,
        );
        expect(error, `${tool} ${name}`).toMatch(/not shown here/);
        expect(error, `${tool} ${name}`).not.toContain("canary");
      }
    }
  });

  it("asks for a command that names one of them", async () => {
    const { host, registry, context, settings } = await trapped();
    const judge = new Judge(host, () => ({
      ...settings,
      approval: { ...settings.approval, commandAll: false },
    }));
    const tool = registry.find("execute_command");
    if (!tool) throw new Error("no execute_command");
    for (const name of [...UNREADABLE, "*.pem", "link.*", "out/*", "here/hid*"]) {
      const invocation = await tool.prepare({ command: `cat ${name}`, requires_approval: false }, context);
      expect((await judge.permission(tool, invocation, "act")).verdict, `cat ${name}`).not.toBe("allow");
    }
    const plain = await tool.prepare({ command: "cat src/a.ts", requires_approval: false }, context);
    expect((await judge.permission(tool, plain, "act")).verdict).toBe("allow");
  });

  it("asks for an edit of a script that an entry of the list runs unasked", async () => {
    const { host, registry, context, settings } = await trapped();
    const allow = ["./scripts/check.sh", "node tools/build.mjs --fast", "npm test"];
    const judge = new Judge(host, () => ({ ...settings, commands: { ...settings.commands, allow } }));
    const tool = registry.find("write_to_file");
    if (!tool) throw new Error("no write_to_file");
    const verdicts = await Promise.all(
      ["scripts/check.sh", "tools/build.mjs", "scripts/other.sh", "test"].map(async (path) => {
        const invocation = await tool.prepare({ path, content: "echo ran\n" }, context);
        const { verdict } = await judge.permission(tool, invocation, "act");
        await invocation.discard?.();
        return `${path} ${verdict}`;
      }),
    );
    expect(verdicts).toEqual([
      "scripts/check.sh ask",
      "tools/build.mjs ask",
      "scripts/other.sh allow",
      "test allow",
    ]);
  });

  it.each([
    ["make", ["Makefile", "sub/GNUmakefile", "makefile"]],
    ["make test", ["Makefile"]],
    ["just check", ["justfile"]],
    ["task lint", ["Taskfile.yml"]],
    ["rake spec", ["Rakefile"]],
    ["nox -s tests", ["noxfile.py"]],
    ["tox -e py", ["tox.ini"]],
    ["ninja", ["build.ninja"]],
  ])("asks for an edit of what %s on the list runs by its name", async (entry, paths) => {
    const { host, registry, context, settings } = await trapped();
    const tool = registry.find("write_to_file");
    if (!tool) throw new Error("no write_to_file");
    const verdicts = async (allow: string[], of: string[]) => {
      const judge = new Judge(host, () => ({ ...settings, commands: { ...settings.commands, allow } }));
      const found: string[] = [];
      for (const path of of) {
        const invocation = await tool.prepare({ path, content: "check:\n\techo ran\n" }, context);
        found.push((await judge.permission(tool, invocation, "act")).verdict);
        await invocation.discard?.();
      }
      return found;
    };
    expect(await verdicts([entry], paths)).toEqual(paths.map(() => "ask"));
    expect(await verdicts([entry], ["notes.txt", "Makefile.md", "constructor"])).toEqual([
      "allow",
      "allow",
      "allow",
    ]);
    expect(await verdicts(["constructor", "toString x"], ["notes.txt"])).toEqual(["allow"]);
  });

  it("asks for a package.json by what is written into it", async () => {
    const { prepared, at } = await trapped();
    const verdict = async (tool: string, params: Record<string, unknown>) => {
      const made = await prepared(tool, params);
      await made.invocation.discard?.();
      return made.verdict;
    };
    const before = { name: "a", scripts: { test: "vitest" }, dependencies: { zod: "4" } };
    await writeFile(at("package.json"), JSON.stringify(before, null, 2));
    const write = (after: unknown, name = "package.json") =>
      verdict("write_to_file", {
        path: name,
        content: typeof after === "string" ? after : JSON.stringify(after),
      });
    const harmless = {
      ...before,
      version: "1.0.1",
      description: "x",
      dependencies: { zod: "4", react: "19" },
    };
    expect(await write(harmless)).toBe("allow");
    expect(await write(harmless, "here/package.json")).toBe("allow");
    expect(await write({ name: "new", version: "1" }, "src/package.json")).toBe("allow");
    const replace = (search: string, replaced: string) =>
      verdict("replace_in_file", {
        path: "package.json",
        diff: `------- SEARCH\n${search}\n=======\n${replaced}\n+++++++ REPLACE`,
      });
    expect(await replace('    "zod": "4"', '    "zod": "4.1"')).toBe("allow");
    expect(await replace('    "test": "vitest"', '    "test": "evil"')).toBe("ask");
    for (const section of [
      "scripts",
      "husky",
      "lint-staged",
      "simple-git-hooks",
      "pre-commit",
      "gitHooks",
      "jest",
      "packageManager",
      "bin",
      "workspaces",
      "config",
      "pnpm",
      "babel",
      "eslintConfig",
      "Scripts",
      "nano-staged",
      "wireit",
      "nx",
    ])
      expect(await write({ ...harmless, [section]: { test: "evil" } }), section).toBe("ask");
    expect(await write('{"name":"a"}')).toBe("ask");
    expect(await write('{"scripts":{"test":"vitest"},"scripts":{"test":"evil"}}')).toBe("ask");
    expect(await write("not JSON")).toBe("ask");
    expect(await write({ ...harmless }, "../outside/package.json")).toBe("ask");
    expect(await write({ name: "a" }, "out/package.json")).toBe("ask");
    expect(await write({ name: "a" }, ".vscode/package.json")).toBe("ask");
    expect(await write({ scripts: { test: "evil" } }, "src/package.json")).toBe("ask");
    expect(await verdict("delete_file", { path: "package.json" })).toBe("ask");
    const patch = (line: string) =>
      verdict("apply_patch", {
        input: `*** Begin Patch\n*** Update File: package.json\n   "scripts": {\n-    "test": "vitest"\n+    ${line}\n*** End Patch`,
      });
    expect(await patch('"test": "evil"')).toBe("ask");
    expect(await patch('"test":   "vitest"')).toBe("allow");
    await writeFile(at("moved.json"), '{"scripts":{"test":"evil"}}\n');
    const move = `*** Begin Patch\n*** Update File: moved.json\n*** Move to: src/package.json\n-{"scripts":{"test":"evil"}}\n+{"scripts":{"test":"worse"}}\n*** End Patch`;
    expect(await verdict("apply_patch", { input: move })).toBe("ask");
  });

  it("names its paths: none that takes one is without", async () => {
    const { context, root } = await trapped();
    const file = path.join(root, "src/a.ts");
    context.host.codeSymbols = memoryCodeSymbols(new Map([[file, await readFile(file, "utf8")]]));
    context.host.editorTests = memoryEditorTests([{ name: "a", state: "passed", path: file, messages: [] }]);
    context.host.kernels = { run: () => Promise.reject(new Error("nothing runs here")) };
    await writeFile(path.join(root, "src/a.ipynb"), JUPYTER);
    for (const tool of defaultTools) {
      if (tool.input.params.every(({ name }) => name !== "path") || tool.name === "new_rule") continue;
      const params = {
        path: tool.input.params.some(({ name }) => name === "cell") ? "src/a.ipynb" : "src/a.ts",
        content: "x\n",
        diff: "------- SEARCH\nexport function ordinary() {}\n=======\nx\n+++++++ REPLACE",
        regex: "x",
        operation: tool.name === "edit_notebook" ? "delete" : "references",
        cell: "load",
        symbol: "ordinary",
        new_name: "unusual",
      };
      const invocation = await tool.prepare(params, context);
      expect(invocation.paths.length, tool.name).toBeGreaterThan(0);
      await invocation.discard?.();
    }
  });

  it("hands on that commands are typed into an interactive shell", async () => {
    const { host, registry, context, settings } = await trapped();
    const tool = registry.find("execute_command");
    if (!tool) throw new Error("no execute_command");
    const verdictIn = async (interactive: boolean) => {
      const shell = { ...host.shell, kind: "bash" as const, interactive };
      const judge = new Judge({ ...host, shell }, () => ({
        ...settings,
        approval: { ...settings.approval, commandAll: false },
        commands: { ...settings.commands, allow: ["echo"] },
      }));
      const invocation = await tool.prepare({ command: 'echo "a!b"', requires_approval: false }, context);
      return (await judge.permission(tool, invocation, "act")).verdict;
    };
    expect(await verdictIn(false)).toBe("allow");
    expect(await verdictIn(true)).toBe("ask");
  });
});
