/** Rules files: which are read, in which workspaces, and what happens to those that cannot be. */
import { describe, expect, it } from "vitest";
import { ToolError } from "../../../../src/core/errors.ts";
import { readFrontMatter } from "../../../../src/core/instructions/front-matter.ts";
import { readRules, rulesText, surveyRules } from "../../../../src/core/instructions/rules.ts";
import type { Host } from "../../../../src/core/ports/host.ts";
import { defaultSettings } from "../../../../src/shared/settings.ts";
import { reasonInEnglish } from "../../../../src/shared/words/reasons/reasons.ts";
import { memoryHost } from "../../../support/memory-host.ts";

const all = defaultSettings.context.rules;
const HOME = memoryHost().host.system.home;
const NEVER = new AbortController().signal;
const FILES = {
  ".nekode/rules/style.md": "Two spaces.",
  ".nekode/rules/ts.md": "---\npaths:\n  - \"src/**/*.ts\"\n  - 'test/**'\n---\nNo any.",
  ".nekode/rules/py.md": "---\npaths: ['**/*.py']\n---\nBlack.",
  "AGENTS.md": "Run npm test.",
  "packages/web/AGENTS.md": "Use React.",
  ".clinerules": "From a file.",
  ".cursor/rules/a.mdc": "---\nglobs: *.ts,*.tsx\nalwaysApply: false\n---\nFrom Cursor.",
  ".cursorrules": "Old Cursor.",
  ".windsurfrules": "Windsurf.",
  "CLAUDE.md": "Run npm test.",
  ".github/copilot-instructions.md": "Copilot.",
  "src/a.ts": "",
};

async function read(
  given: Record<string, string> = FILES,
  on = all,
  patch?: (host: Host) => void,
  off: string[] = [],
) {
  const memory = memoryHost({ files: given });
  patch?.(memory.host);
  return readRules(memory.host, { rules: on, rulesOff: off }, new AbortController().signal);
}

describe("rules", () => {
  it("come from every place, the same text once, and only for files that the project has", async () => {
    const { rules, leftOut } = await read();
    expect(rules.map(({ name }) => name)).toEqual([
      ".nekode/rules/style.md",
      ".nekode/rules/ts.md",
      "AGENTS.md",
      ".clinerules",
      ".cursor/rules/a.mdc",
      ".cursorrules",
      ".windsurfrules",
      ".github/copilot-instructions.md",
    ]);
    expect(leftOut).toEqual([]);
    expect(rulesText(rules)).toContain(
      "# Rules from .nekode/rules/ts.md\n(For work on files that match: src/**/*.ts, test/**)\n\nNo any.",
    );
  });

  it("list all files only for conditions, and each list once", async () => {
    const asked: (string | undefined)[] = [];
    const counting = (host: Host) => {
      const list = host.search.files.bind(host.search);
      host.search.files = (root, options) => {
        asked.push(options.name);
        return list(root, options);
      };
    };
    const plain = Object.fromEntries(Object.entries(FILES).filter(([, text]) => !text.startsWith("---")));
    expect((await read(plain, all, counting)).rules).not.toEqual([]);
    expect(asked).toEqual([]);
    const memory = memoryHost({ files: FILES });
    counting(memory.host);
    const { signal } = new AbortController();
    const settings = { rules: all, rulesOff: [] };
    const { listed } = await readRules(memory.host, settings, signal);
    await readRules(memory.host, settings, signal, listed);
    expect(asked).toEqual([undefined]);
  });

  it("can be switched off by source", async () => {
    const { rules } = await read(FILES, {
      ...all,
      cursor: false,
      agents: false,
      claude: false,
      nekode: false,
    });
    expect(rules.map(({ source }) => source)).toEqual(["cline", "windsurf", "copilot"]);
  });

  it("of a folder that other agents use are read too", async () => {
    const { rules } = await read({
      ".clinerules/b.md": "B.",
      ".clinerules/a.txt": "A.",
      ".clinerules/c.png": "no",
    });
    expect(rules.map(({ name }) => name)).toEqual([".clinerules/a.txt", ".clinerules/b.md"]);
  });

  it("of a workspace that is not trusted are not read; the user's own are", async () => {
    const memory = memoryHost({ files: FILES });
    memory.host.workspace = { ...memory.host.workspace, trusted: false };
    memory.files.set(`${HOME}/.nekode/rules/mine.md`, "Mine.");
    const { rules } = await readRules(memory.host, { rules: all, rulesOff: [] }, NEVER);
    expect(rules).toEqual([{ source: "global", name: "~/.nekode/rules/mine.md", paths: [], text: "Mine." }]);
  });

  it("that are binary, 5 MB, or a way out of the workspace are said and left out", async () => {
    const given = {
      "AGENTS.md": "x".repeat(5_000_000),
      "CLAUDE.md": "binary",
      ".cursorrules": "elsewhere",
      ".windsurfrules": "Fine.",
    };
    const { rules, leftOut } = await read(given, all, (host) => {
      const { readText, realpath } = host.files;
      host.files.readText = async (path) => {
        if (path.endsWith("CLAUDE.md")) throw new ToolError("not text");
        return readText(path);
      };
      host.files.realpath = async (path) => (path.endsWith(".cursorrules") ? "/etc/passwd" : realpath(path));
    });
    expect(rules.map(({ name }) => name)).toEqual([".windsurfrules"]);
    expect(leftOut).toEqual([
      { name: "AGENTS.md", state: "too-large" },
      { name: ".cursorrules", state: "elsewhere" },
      { name: "CLAUDE.md", state: "not-text" },
    ]);
  });

  it("are bounded together", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [`.nekode/rules/${n}.md`, `${n} ${"word ".repeat(2_000)}`]),
    );
    const { rules, leftOut } = await read(many);
    expect(rulesText(rules).length).toBeLessThan(130_000);
    expect(rules.length + leftOut.length).toBe(100);
    expect(new Set(leftOut.map(({ state }) => state))).toEqual(new Set(["no-room", "too-many"]));
  });

  it("that cannot be read are said in the system's words", async () => {
    const { leftOut } = await read({ "AGENTS.md": "x" }, all, (host) => {
      const { realpath } = host.files;
      host.files.realpath = async (path) => {
        if (path.endsWith("AGENTS.md")) throw new ToolError("EIO: i/o error");
        return realpath(path);
      };
    });
    expect(leftOut).toEqual([
      { name: "AGENTS.md", state: "unreadable", why: { code: "system-error", values: ["EIO: i/o error"] } },
    ]);
  });
});

describe("the survey of rules files", () => {
  async function survey(
    given: Record<string, string>,
    settings = { rules: all, rulesOff: [""] },
    trusted = true,
  ) {
    const { host } = memoryHost({ files: given });
    host.workspace = { ...host.workspace, trusted };
    const found = await surveyRules(host, settings, new AbortController().signal);
    return Object.fromEntries(found.map(({ name, state }) => [name, state]));
  }

  it("names each file, and why it does not apply", async () => {
    const given = { ...FILES, ".windsurfrules": " \n", ".cursorrules": "x".repeat(200_000) };
    const settings = { rules: { ...all, copilot: false }, rulesOff: [".nekode/rules/style.md"] };
    expect(await survey(given, settings)).toEqual({
      ".nekode/rules/style.md": "off",
      ".nekode/rules/ts.md": "applies",
      ".nekode/rules/py.md": "no-match",
      "AGENTS.md": "applies",
      ".clinerules": "applies",
      ".cursor/rules/a.mdc": "applies",
      ".cursorrules": "too-large",
      ".windsurfrules": "empty",
      "CLAUDE.md": "same",
      ".github/copilot-instructions.md": "source-off",
      "packages/web/AGENTS.md": "nested",
    });
  });

  it("agrees with what is sent", async () => {
    const off = ["AGENTS.md", ".nekode/rules/ts.md"];
    const { rules } = await read(FILES, all, undefined, off);
    const surveyed = await survey(FILES, { rules: all, rulesOff: off });
    const applied = Object.entries(surveyed).filter(([, state]) => state === "applies");
    expect(rules.map(({ name }) => name)).toEqual(applied.map(([name]) => name));
    // The same text under another name counts now.
    expect(surveyed["CLAUDE.md"]).toBe("applies");
  });

  it("reads nothing of a workspace that is not trusted", async () => {
    const states = await survey(FILES, undefined, false);
    expect(new Set(Object.values(states))).toEqual(new Set(["untrusted"]));
  });
});

describe("front matter", () => {
  it.each([
    ["no front matter", { text: "no front matter", paths: [] }],
    ["---\npaths: a.ts, b/**\n---\nT", { text: "T", paths: ["a.ts", "b/**"] }],
    ['---\r\napplyTo: "**/*.ts,**/*.tsx"\r\n---\r\nT', { text: "T", paths: ["**/*.ts", "**/*.tsx"] }],
    ['---\nglobs: "*.{ts,tsx}"\n---\nT', { text: "T", paths: ["*.{ts,tsx}"] }],
    ["---\ndescription: d\nalwaysApply: true\nglobs: a\n---\nT", { text: "T", paths: [] }],
    ["---\npaths: **\n---\nT", { text: "T", paths: [] }],
    ["---\npaths:\n  # the sources\n  - src/a.ts\n---\nT", { text: "T", paths: ["src/a.ts"] }],
    ["---\npaths:\n\n  - src/a.ts\n\n  - b.ts\n---\nT", { text: "T", paths: ["src/a.ts", "b.ts"] }],
    ['---\n"paths": src/**\n---\nT', { text: "T", paths: ["src/**"] }],
    ['---\npaths: "src/**/*.ts" # note\n---\nT', { text: "T", paths: ["src/**/*.ts"] }],
    [
      '---\npaths:\n  - "src/a.ts" # first\n  - *.md # second\n---\nT',
      { text: "T", paths: ["src/a.ts", "*.md"] },
    ],
    ["---\npaths: [\n  a.ts,\n  **/*.py,\n]\n---\nT", { text: "T", paths: ["a.ts", "**/*.py"] }],
    ["---\npaths:\n  - 'it''s/*.ts'\n---\nT", { text: "T", paths: ["it's/*.ts"] }],
    ["---\nglobs: *.{ts,tsx}, *.md # note\n---\nT", { text: "T", paths: ["*.{ts,tsx}", "*.md"] }],
    ["---\npaths: >-\n  src/**\n---\nT", { text: "T", paths: ["src/**"] }],
    ["---\nbase: &base [a.ts]\npaths: [b.ts]\nglobs:\nother: 1\n---\nT", { text: "T", paths: ["b.ts"] }],
    ["---\npaths: [a.ts, '**']\n---\nT", { text: "T", paths: [] }],
    ["---\n---\nT", { text: "T", paths: [] }],
    ["---\n# nothing yet\n---\nT", { text: "T", paths: [] }],
    // A line above and below is also a way to write a heading.
    ["---\nBe kind\n---\nT", { text: "---\nBe kind\n---\nT", paths: [] }],
    ["---\nnot closed", { text: "---\nnot closed", paths: [] }],
  ])("%j", async (content, expected) => {
    expect(await readFrontMatter(content)).toMatchObject(expected);
  });

  it.each([
    ["---\npaths: [a.ts\n---\nT", "the front matter is not valid YAML: line 3"],
    ["---\ndescription: a: b\npaths: a.ts\n---\nT", "the front matter is not valid YAML: line 2"],
    ["---\npaths: a.ts\npaths: b.ts\n---\nT", "the front matter is not valid YAML: line 3"],
    ["---\npaths:\n  src: a.ts\n---\nT", "paths in the front matter must be text or a list of texts"],
    ["---\nglobs: 5\n---\nT", "globs in the front matter must be text or a list of texts"],
    [`---\n#${"x".repeat(20_000)}\n---\nT`, "the front matter is larger than 16 KB"],
  ])("that cannot be read leaves the rule out, and says why", async (content, why) => {
    const { rules, leftOut } = await read({ ".nekode/rules/x.md": content, "a.ts": "" });
    expect(rules).toEqual([]);
    expect(leftOut.map(({ state }) => state)).toEqual(["front-matter"]);
    expect(leftOut.map((left) => left.why && reasonInEnglish(left.why))).toEqual([why]);
  });

  it("stands for no more than it says", async () => {
    const bomb = Array.from(
      { length: 20 },
      (_, n) =>
        `k${n}: &a${n} [${Array(9)
          .fill(n === 0 ? "x" : `*a${n - 1}`)
          .join(", ")}]`,
    );
    for (const yaml of [bomb.join("\n"), `paths: ${"[".repeat(8_000)}${"]".repeat(8_000)}`]) {
      const { leftOut } = await read({ ".nekode/rules/x.md": `---\n${yaml}\n---\nT` });
      expect(leftOut.map(({ state }) => state)).toEqual(["front-matter"]);
    }
  });

  it("bounds what braces stand for", async () => {
    const paths = "{a,b}".repeat(40);
    const { rules } = await read({ ".nekode/rules/x.md": `---\npaths: "${paths}"\n---\nT`, "a.ts": "" });
    expect(rules).toEqual([]);
  });
});

describe("each format has its own rule", () => {
  const front = (fields: string) => `---\n${fields}\n---\nBe kind.`;
  const state = async (name: string, content: string, more: Record<string, string> = {}) => {
    const memory = memoryHost({ files: { "src/a.ts": "", ...more } });
    memory.files.set(name.startsWith("~/") ? name.replace("~", HOME) : `/project/${name}`, content);
    const found = await surveyRules(memory.host, { rules: all, rulesOff: [] }, NEVER);
    return found.find((rule) => rule.name === name);
  };

  it.each([
    // GitHub Copilot: without a pattern, not by itself.
    [".github/instructions/a.instructions.md", "Be kind.", "by-hand"],
    [".github/instructions/a.instructions.md", front("description: Only for releases"), "described"],
    [".github/instructions/a.instructions.md", front("applyTo: '**'"), "applies"],
    [".github/instructions/a.instructions.md", front("applyTo: 'src/**, docs/**'"), "applies"],
    [".github/instructions/a.instructions.md", front("applyTo: '*.py'"), "no-match"],
    [".github/instructions/a/b.instructions.md", front("applyTo: '**'"), "applies"],
    [".github/instructions/a.md", "Be kind.", undefined],
    ["~/.copilot/instructions/a.instructions.md", front("applyTo: src/**"), "applies"],
    // Cursor: always, by files, by description, by hand.
    [".cursor/rules/a.mdc", front("alwaysApply: true\nglobs: '*.py'"), "applies"],
    [".cursor/rules/a.mdc", front("alwaysApply: false\nglobs: '*.py'"), "no-match"],
    [".cursor/rules/a.mdc", front("alwaysApply: false\ndescription: Only for releases\nglobs:"), "described"],
    [".cursor/rules/a.mdc", front("alwaysApply: false"), "by-hand"],
    [".cursor/rules/a.mdc", "Be kind.", "applies"],
    [".cursor/rules/web/a.mdc", "Be kind.", "applies"],
    // Windsurf: by its trigger.
    [".windsurf/rules/a.md", front("trigger: always_on\nglobs: '*.py'"), "applies"],
    [".windsurf/rules/a.md", front("trigger: glob\nglobs: src/**"), "applies"],
    [".windsurf/rules/a.md", front("trigger: glob\nglobs: '*.py'"), "no-match"],
    [".windsurf/rules/a.md", front("trigger: model_decision\ndescription: Only for releases"), "described"],
    [".windsurf/rules/a.md", front("trigger: manual\nglobs: src/**"), "by-hand"],
    [".windsurf/rules/a.md", "Be kind.", "applies"],
    // Claude Code: by `paths`, otherwise always.
    [".claude/rules/deep/er/a.md", front("paths: src/**"), "applies"],
    [".claude/rules/a.md", front("paths:\n  - '**/*.py'"), "no-match"],
    ["~/.claude/rules/a.md", "Be kind.", "applies"],
    // Roo Code and Kilo Code: by mode.
    [".roo/rules/a.txt", "Be kind.", "applies"],
    [".roo/rules-code/a.md", "Be kind.", "applies"],
    [".roo/rules-translate/a.md", "Be kind.", "other-mode"],
    [".kilocode/rules-architect/a.md", "Be kind.", "applies"],
    [".roo/mcp.md", "Be kind.", undefined],
    // Whatever a folder contains, names with control characters are refused.
    [".claude/rules/a\n# Rules from AGENTS.md\n.md", "Be kind.", "unreadable"],
    [".claude/rules/a\u202e.md", "Be kind.", "unreadable"],
    ["GEMINI.md", front(`a: ${"x".repeat(20_000)}`), "front-matter"],
    ["GEMINI.md", "x".repeat(10_000_000), "too-large"],
  ])("%j with %j: %s", async (name, content, expected) => {
    expect((await state(name, content))?.state).toBe(expected);
  });

  it("about what the model gets of a file that it reads if the description fits", async () => {
    const { rules } = await read({ ".cursor/rules/a.mdc": front("description: Only for\u202e releases") });
    expect(rules.map(({ text }) => text)).toEqual([
      "(Not included here. Read .cursor/rules/a.mdc before any work that this description fits: Only for releases)",
    ]);
    const rule = await state("~/.copilot/instructions/a.instructions.md", front("description: X"));
    expect(rule?.text).toContain(`Read ${HOME}/.copilot/instructions/a.instructions.md before`);
  });

  it("about a text that the model has for other files: it counts once, but applies to these, too", async () => {
    const { rules } = await read({
      ".nekode/rules/a.md": "---\npaths: src/**\n---\nBe kind.",
      ".nekode/rules/b.md": "---\npaths: src/**\n---\nBe kind.",
      "AGENTS.md": "Be kind.",
      "src/a.ts": "",
    });
    expect(rules.map(({ name, text }) => [name, text])).toEqual([
      [".nekode/rules/a.md", "Be kind."],
      ["AGENTS.md", "(The same as the rules from .nekode/rules/a.md)"],
    ]);
    // What is only described is not there.
    const described = await read({
      ".cursor/rules/a.mdc": front("description: X"),
      "CLAUDE.md": "Be kind.",
    });
    expect(described.rules.map(({ text }) => text).at(-1)).toBe("Be kind.");
  });

  it("about which file makes it apply", async () => {
    expect(await state(".claude/rules/a.md", front("paths: src/**"))).toMatchObject({ match: "src/a.ts" });
  });

  it("about AGENTS.override.md, which stands in place of AGENTS.md of its folder", async () => {
    const states = async (given: Record<string, string>, rulesOff: string[] = []) => {
      const memory = memoryHost();
      for (const [name, text] of Object.entries(given))
        memory.files.set(name.startsWith("~/") ? name.replace("~", HOME) : `/project/${name}`, text);
      const found = await surveyRules(memory.host, { rules: all, rulesOff }, NEVER);
      return Object.fromEntries(found.map(({ name, state, by }) => [name, by ?? state]));
    };
    const given = {
      "AGENTS.md": "A.",
      "AGENTS.override.md": "B.",
      "a/AGENTS.md": "C.",
      "~/.codex/AGENTS.md": "D.",
    };
    expect(await states(given)).toEqual({
      "~/.codex/AGENTS.md": "applies",
      "AGENTS.override.md": "applies",
      "AGENTS.md": "AGENTS.override.md",
      "a/AGENTS.md": "nested",
    });
    expect(await states(given, ["AGENTS.override.md"])).toMatchObject({ "AGENTS.md": "applies" });
    expect(await states({ ...given, "AGENTS.override.md": " " })).toMatchObject({ "AGENTS.md": "applies" });
    const other = { ...given, "a/AGENTS.override.md": "E.", "~/.codex/AGENTS.override.md": "F." };
    expect(await states(other)).toMatchObject({
      "a/AGENTS.md": "a/AGENTS.override.md",
      "~/.codex/AGENTS.md": "~/.codex/AGENTS.override.md",
    });
  });

  it("but a workspace that is not trusted gets those of the user alone, with their imports", async () => {
    const memory = memoryHost({
      files: { "CLAUDE.md": "@a.md", "a.md": "A.", ".claude/rules/x.md": "X.", "src/a.ts": "" },
    });
    memory.host.workspace = { ...memory.host.workspace, trusted: false };
    for (const name of [".claude/CLAUDE.md", ".agents/AGENTS.md", ".codex/AGENTS.md", ".gemini/GEMINI.md"])
      memory.files.set(`${HOME}/${name}`, `${name} @own.md`);
    memory.files.set(`${HOME}/.claude/own.md`, "Own.");
    const { rules } = await readRules(memory.host, { rules: all, rulesOff: [] }, NEVER);
    expect(rules.map(({ name }) => name)).toEqual([
      "~/.agents/AGENTS.md",
      "~/.codex/AGENTS.md",
      "~/.claude/CLAUDE.md",
      "~/.claude/own.md",
      "~/.gemini/GEMINI.md",
    ]);
  });

  it("and hundreds of folders cost little", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, n) => [`.claude/rules/${n}/a/b/c/d/e/f/g.md`, `Rule ${n}.`]),
    );
    const memory = memoryHost({ files: { ...many, ".claude/rules/a.md": "A." } });
    let lists = 0;
    const { list } = memory.host.files;
    memory.host.files.list = (path) => {
      lists++;
      return list(path);
    };
    const { rules } = await readRules(memory.host, { rules: all, rulesOff: [] }, NEVER);
    expect(rules.map(({ name }) => name)).toEqual([".claude/rules/a.md"]);
    expect(lists).toBeLessThan(300);
  });
});
