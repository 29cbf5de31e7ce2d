import { describe, expect, it } from "vitest";
import type * as vscode from "vscode";
import * as z from "zod";
import { bareLines } from "../../../src/core/text.ts";
import { defaultSettings } from "../../../src/shared/settings.ts";
import { expectedText } from "../../../src/shared/words/issue-words.ts";
import { translator } from "../../../src/shared/words/task-words.ts";
import { opensAsPlainText } from "../../../src/vscode/editor/plain-files.ts";
import { linesInRange } from "../../../src/vscode/editor/selected-lines.ts";
import { minimalChanges, trimCommonEnds, userEditedText } from "../../../src/vscode/editor/text-edits.ts";
import { FileList } from "../../../src/vscode/files/file-list.ts";
import { createLog } from "../../../src/vscode/log.ts";
import { pageHtml, scriptJson } from "../../../src/vscode/panel/page.ts";
import { fenced } from "../../../src/vscode/panel/quote.ts";
import {
  type Inspected,
  isMachineScoped,
  readSettings,
  settingKeys,
} from "../../../src/vscode/settings-reader.ts";
import { fc } from "../../support/property.ts";

const line = fc.constantFrom("a", "b", "c", "", "  x", "長い行");
const eol = fc.constantFrom("\n", "\r\n");
const text = fc
  .array(fc.tuple(line, eol))
  .chain((lines) => line.map((last) => lines.map(([words, end]) => words + end).join("") + last));

describe("minimal changes", () => {
  it("make the new text of the old", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        let result = before;
        for (const { start, end, text: by } of minimalChanges(before, after).reverse()) {
          result = result.slice(0, start) + by + result.slice(end);
        }
        return result === after;
      }),
    );
  });

  it("touch only the lines that differ", () => {
    const before = "1\n2\n3\n4\n5\n";
    expect(minimalChanges(before, "1\ntwo\n3\n4\nfive\n")).toEqual([
      { start: 2, end: 4, text: "two\n" },
      { start: 8, end: 10, text: "five\n" },
    ]);
    expect(minimalChanges(before, before)).toEqual([]);
  });
});

describe("changes without their common ends", () => {
  const words = fc
    .array(fc.constantFrom("a", "b", "\r\n", "\n", "\r", "\ud83d\ude00", "\ud83d\ude01", "\ud83c\ude00"))
    .map((parts) => parts.join(""));

  it("make the same text, and cut no character or line ending in two", () => {
    fc.assert(
      fc.property(words, words, (before, after) => {
        let result = before;
        for (const { start, end, text: by } of trimCommonEnds(
          before,
          minimalChanges(before, after),
        ).reverse()) {
          for (const at of [start, end]) {
            expect(before.slice(at - 1, at + 1)).not.toMatch(/^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])$/);
          }
          expect(by).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
          result = result.slice(0, start) + by + result.slice(end);
        }
        expect(result).toBe(after);
      }),
    );
  });

  it("hold the one character that differs", () => {
    const before = "吾輩は猫である。\n名前はまだ無い。\n";
    const changes = minimalChanges(before, before.replace("猫", "犬"));
    expect(trimCommonEnds(before, changes)).toEqual([{ start: 3, end: 4, text: "犬" }]);
  });
});

describe("the user's version", () => {
  it("is none when only the editor's line endings differ", () => {
    expect(userEditedText("a\r\nb\nc", "a\r\nb\r\nc")).toBeUndefined();
  });

  it("has the user's lines, and the proposal's endings on the lines they left", () => {
    expect(userEditedText("a\r\nb\nc\r\n", "a\r\nnew\r\nb\r\nc\r\n")).toBe("a\r\nnew\r\nb\nc\r\n");
    expect(userEditedText("a\r\n", "a\nb\n")).toBe("a\r\nb\r\n");
    expect(userEditedText("a", "a\nb")).toBe("a\nb");
  });

  it("never changes the words", () => {
    fc.assert(
      fc.property(text, text, (proposal, shown) => {
        const version = userEditedText(proposal, shown);
        expect(bareLines(version ?? shown)).toEqual(bareLines(shown));
      }),
    );
  });
});

/** Values that differ from a setting's default, whatever its type. */
function otherValues(value: unknown): unknown[] {
  return [!value, "obey", 7, ["rm"], { global: false, a: "b" }, null].filter(
    (each) => JSON.stringify(each) !== JSON.stringify(value),
  );
}

describe("settings", () => {
  const read = (values: Record<string, Inspected>, trusted = true) =>
    readSettings((key) => values[key], trusted);

  it("are the defaults when nothing is set", () => {
    expect(read({})).toEqual({ settings: defaultSettings, bad: [] });
  });

  it("take a workspace's value only where one may set it, and the workspace is trusted", () => {
    const values: Record<string, Inspected> = {
      "approval.edit": { workspaceValue: true, workspaceFolderValue: true },
      "provider.baseUrl": { globalValue: "http://mine", workspaceValue: "http://theirs" },
      "context.maxFiles": { globalValue: 5, workspaceValue: 7 },
      "context.autoCondense": { workspaceFolderValue: false },
    };
    const { settings } = read(values);
    expect(settings.approval.edit).toBe(false);
    expect(settings.provider.baseUrl).toBe("http://mine");
    expect(settings.context.maxFiles).toBe(7);
    expect(settings.context.autoCondense).toBe(false);
    const untrusted = read(values, false).settings;
    expect(untrusted.context.maxFiles).toBe(5);
    expect(untrusted.context.autoCondense).toBe(true);
  });

  it("of rules that are switched off add up", () => {
    const values: Record<string, Inspected> = {
      "context.rulesOff": { globalValue: ["~/.nekode/rules/a.md"], workspaceValue: ["CLAUDE.md"] },
    };
    expect(read(values).settings.context.rulesOff).toEqual(["~/.nekode/rules/a.md", "CLAUDE.md"]);
    expect(read(values, false).settings.context.rulesOff).toEqual(["~/.nekode/rules/a.md"]);
  });

  it("of a workspace switch off none of the user's own rules", () => {
    const workspaceValue = ["~/.nekode/rules/a.md", "AGENTS.md"];
    for (const globalValue of [undefined, [], ["CLAUDE.md"]]) {
      const { rulesOff } = read({ "context.rulesOff": { globalValue, workspaceValue } }).settings.context;
      expect(rulesOff).toEqual([...(globalValue ?? []), "AGENTS.md"]);
    }
  });

  it("that are the machine's are not changed by a workspace", () => {
    const flat = z.record(z.string(), z.unknown());
    for (const key of settingKeys.filter(isMachineScoped)) {
      const [section = "", name = ""] = key.split(".");
      const defaultIn = (settings: unknown) => {
        const value = flat.parse(settings)[section];
        return name === "" ? value : flat.parse(value)[name];
      };
      for (const hostile of otherValues(defaultIn(defaultSettings))) {
        const found = { workspaceValue: hostile, workspaceFolderValue: hostile };
        expect(read({ [key]: found }), key).toEqual({ settings: defaultSettings, bad: [] });
      }
    }
  });

  it("that do not fit fall back one by one, and are named with what is expected", () => {
    const { settings, bad } = read({
      "provider.temperature": { globalValue: 9 },
      "provider.contextWindow": { globalValue: 1.5 },
      "provider.protocol": { globalValue: "soap" },
      "provider.model": { globalValue: "kept" },
      "commands.timeout": { globalValue: -1 },
      "commands.allow": { globalValue: "ls" },
      "approval.edit": { globalValue: "true" },
      "context.rules": { globalValue: 1 },
      preferredLanguage: { globalValue: null },
    });
    const told = Object.fromEntries(bad.map(({ key, issue }) => [key, expectedText(translator({}), issue)]));
    expect(told).toEqual({
      "provider.temperature": "Must be at most 2.",
      "provider.contextWindow": "Must be an integer.",
      "provider.protocol": "Must be one of: auto, native, xml.",
      "commands.timeout": "Must be at least 0.",
      "commands.allow": "Must be an array.",
      "approval.edit": "Must be true or false.",
      "context.rules": "Must be an object.",
      preferredLanguage: "Must be a string.",
    });
    expect(bad.filter(({ entry }) => entry !== undefined)).toEqual([]);
    expect(settings).toEqual({
      ...defaultSettings,
      provider: { ...defaultSettings.provider, model: "kept" },
    });
  });

  it("name the model of which a fact does not fit, and keep what is known of the others", () => {
    const kept = { window: 32_768, tools: true };
    const { settings, bad } = read({
      models: {
        globalValue: {
          "gpt-4.1": { window: "much", inputPrice: -1 },
          "local/*": kept,
          "qwen/qwen3.5": { widow: 1_000 },
        },
      },
    });
    expect(settings.models).toEqual({ "local/*": kept });
    expect(bad).toHaveLength(1);
    expect(bad[0]).toMatchObject({ key: "models", entry: "gpt-4.1: window" });
    const wrong =
      read({ models: { globalValue: { "qwen/qwen3.5": { widow: 1_000 } } } }).bad[0] ?? expect.fail();
    expect([wrong.entry, expectedText(translator({}), wrong.issue)]).toEqual([
      "qwen/qwen3.5",
      "Unknown: widow.",
    ]);
  });

  it("with two faults in one entry of a list lose that entry alone", () => {
    const second = { name: "b", baseUrl: "http://b/v1" };
    const { settings, bad } = read({ connections: { globalValue: [{ name: "a b", baseUrl: 3 }, second] } });
    expect(settings.connections).toMatchObject([second]);
    expect(bad[0]).toMatchObject({ key: "connections", entry: "1: name" });
  });

  it("lose only the entries that do not fit: what is denied stays denied", () => {
    const { settings, bad } = read({
      "commands.deny": { globalValue: ["rm", 3, "git push", null] },
      "provider.headers": { globalValue: { a: 1, "x-kept": "kept" } },
      "context.rules": { globalValue: { claude: "no", cursor: false } },
    });
    expect(bad.map(({ key, entry }) => [key, entry]).sort()).toEqual([
      ["commands.deny", "2"],
      ["context.rules", "claude"],
      ["provider.headers", "a"],
    ]);
    expect(settings.commands.deny).toEqual(["rm", "git push"]);
    expect(settings.provider.headers).toEqual({ "x-kept": "kept" });
    expect(settings.context.rules).toEqual({ ...defaultSettings.context.rules, cursor: false });
  });

  it("that steer the key, commands or approvals are the machine's", () => {
    expect(isMachineScoped("provider.headers")).toBe(true);
    expect(isMachineScoped("context.rules")).toBe(true);
    expect(isMachineScoped("context.rulesOff")).toBe(false);
  });
});

describe("the log", () => {
  it("holds no secret, whoever repeats it", () => {
    const lines: string[] = [];
    const channel = { info: (text: string) => lines.push(text), error: (text: string) => lines.push(text) };
    const log = createLog(channel, () => ["sk-secret-1", "header-2", "on"]);
    log.info("Incorrect API key: sk-secret-1, sk-secret-1. Try on.");
    log.error("the endpoint said so", new Error("no header-2 here"));
    log.error("header-2");
    expect(lines[0]).toBe("Incorrect API key: ***, ***. Try on.");
    expect(lines[1]).toMatch(/^the endpoint said so: Error: no \*\*\* here\n +at /);
    expect(lines[2]).toBe("***");
  });
});

describe("the page", () => {
  const boot = { language: "ja", translations: { a: "</script><script>alert(1)</script>\u2028" } };
  const html = pageHtml({
    nonce: "N",
    cspSource: "https://source",
    scriptUri: "https://source/index.js",
    styleUri: "https://source/index.css",
    boot,
  });

  it("cannot be broken out of by a text", () => {
    expect(html.match(/<\/script>/g)).toHaveLength(2);
    expect(JSON.parse(scriptJson(boot))).toEqual(boot);
  });

  it("allows no request, and no source but the extension's own", () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/connect-src|unsafe|frame-src|\*/);
    const sources = policy.split("; ").flatMap((directive) => {
      const [name = "", ...allowed] = directive.split(" ");
      return allowed.filter((source) => source !== "data:" || name !== "img-src");
    });
    expect([...new Set(sources)].sort()).toEqual(["'nonce-N'", "'none'", "https://source"]);
  });
});

describe("quotes", () => {
  it("count the lines that a selection touches", () => {
    const at = (line: number, character: number) => ({ line, character }) as vscode.Position;
    expect(linesInRange({ start: at(0, 3), end: at(3, 1) })).toEqual({ start: 1, end: 4 });
    expect(linesInRange({ start: at(0, 0), end: at(4, 0) })).toEqual({ start: 1, end: 4 });
    expect(linesInRange({ start: at(2, 0), end: at(2, 0) })).toEqual({ start: 3, end: 3 });
  });

  it("are fenced so that their text cannot end them", () => {
    expect(fenced("a\n````\nb", "md")).toBe("`````md\na\n````\nb\n`````\n");
  });
});

describe("files that open as plain text", () => {
  it("are those for which language servers fetch schemas", () => {
    for (const path of ["a.json", "/x/TSCONFIG.JSON", "b\\c.jsonc", ".eslintrc", "k8s.yaml", "a.json. "]) {
      expect(opensAsPlainText(path), path).toBe(true);
    }
    for (const path of ["a.ts", "json/readme.md", "jsonfile"])
      expect(opensAsPlainText(path), path).toBe(false);
  });
});

describe("the list of files", () => {
  function listOf(...paths: string[]): FileList {
    const list = new FileList();
    list.replace(paths);
    return list;
  }
  const found = (list: FileList, query: string, first: string[] = []) =>
    list.find(query, 10, first).map((hit) => hit.path);

  it("finds names before paths, and tells what matched", () => {
    const list = listOf("manager/index.ts", "src/task-manager.ts", "src/other.ts");
    expect(found(list, "manager")).toEqual(["manager/", "src/task-manager.ts", "manager/index.ts"]);
    expect(list.find("TMT", 1)[0]).toEqual({
      path: "src/task-manager.ts",
      kind: "file",
      positions: [4, 9, 17],
    });
  });

  it("puts open files first where they match well", () => {
    const list = listOf("a/report.md", "b/report.md", "r/e/p/o/r/t.md");
    expect(found(list, "report", ["b/report.md"])[0]).toBe("b/report.md");
    expect(found(list, "", ["b/report.md"])[0]).toBe("b/report.md");
  });

  it("holds exactly the files it was given, and their folders, whatever came and went", () => {
    const path = fc
      .array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 4 })
      .map((parts) => `${parts.join("/")}.f`);
    const step = fc.record({ kind: fc.constantFrom("add", "delete", "deleteTree", "replace"), path });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const list = new FileList();
        let model = new Set<string>();
        for (const { kind, path: file } of steps) {
          if (kind === "add") {
            list.add(file);
            model.add(file);
          } else if (kind === "delete") {
            list.delete(file);
            model.delete(file);
          } else if (kind === "deleteTree") {
            const folder = file.split("/")[0] ?? "";
            list.deleteTree(folder);
            model = new Set(
              [...model].filter((other) => other !== folder && !other.startsWith(`${folder}/`)),
            );
          } else {
            const half = [...model].filter((_, index) => index % 2 === 0);
            list.replace(half);
            model = new Set(half);
          }
        }
        const folders = new Set(
          [...model].flatMap((file) =>
            file
              .split("/")
              .flatMap((_, depth, parts) => (depth > 0 ? [`${parts.slice(0, depth).join("/")}/`] : [])),
          ),
        );
        expect(list.fileCount).toBe(model.size);
        const all = list.find("f", 1_000).map((hit) => hit.path);
        expect(new Set(all)).toEqual(model);
        for (const folder of ["a/", "b/", "a/b/"]) expect(list.hasFolder(folder)).toBe(folders.has(folder));
      }),
    );
  });

  it("searches 100,000 paths", () => {
    const paths = Array.from(
      { length: 100_000 },
      (_, index) => `packages/p${index % 97}/src/module${index % 1009}/file-${index}.ts`,
    );
    const list = listOf(...paths);
    expect(found(list, "p79file99989")).toContain("packages/p79/src/module98/file-99989.ts");
    expect(found(list, "zzz")).toEqual([]);
  });
});
