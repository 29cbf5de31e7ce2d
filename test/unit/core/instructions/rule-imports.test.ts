/** What counts as an import in a file of instructions, and what becomes of it: within the project, without secrets, without circles. */
import { describe, expect, it } from "vitest";
import { importsIn } from "../../../../src/core/instructions/rule-imports.ts";
import type { SurveyedRule } from "../../../../src/core/instructions/rule-survey.ts";
import { readRules, surveyRules } from "../../../../src/core/instructions/rules.ts";
import type { Host } from "../../../../src/core/ports/host.ts";
import { defaultSettings } from "../../../../src/shared/settings.ts";
import { memoryHost } from "../../../support/memory-host.ts";

const HOME = memoryHost().host.system.home;
const NEVER = new AbortController().signal;
const settings = { rules: defaultSettings.context.rules, rulesOff: [] };

const typedIn = (text: string) => importsIn(text, "/project/docs", HOME).map(({ path }) => path);

describe("imports in a text", () => {
  it.each([
    ["See @a.md and @../b.md, then\n@/etc/c.md.", ["/project/docs/a.md", "/project/b.md", "/etc/c.md"]],
    ["@~/mine.md", [`${HOME}/mine.md`]],
    ["@two\\ words.md", ["/project/docs/two words.md"]],
    ["@a.md @a.md (@no.md) me@example.org", ["/project/docs/a.md"]],
    ["`@a.md` and ``x ` @b.md`` but @c.md", ["/project/docs/c.md"]],
    ["one ` backtick @a.md", ["/project/docs/a.md"]],
    ["`over\nlines @a.md` @b.md", ["/project/docs/b.md"]],
    ["`not over\n\nparagraphs @a.md `", ["/project/docs/a.md"]],
    ["```\n@a.md\n```\n@b.md", ["/project/docs/b.md"]],
    ["~~~md\n@a.md\n```\n@b.md\n~~~\n@c.md", ["/project/docs/c.md"]],
    ["````\n```\n@a.md\n````\n@b.md", ["/project/docs/b.md"]],
    ["```\n@a.md", []],
    // Paths of other computers are not even looked at.
    ["@//host/share/a.md @\\\\host\\share @~other/a.md @", []],
  ])("%j", (text, paths) => {
    expect(typedIn(text)).toEqual(paths);
  });

  it("are found in time that grows with the text alone", () => {
    const runs = Array.from({ length: 400 }, (_, n) => "`".repeat(n + 1)).join(" ");
    expect(typedIn(`${runs}\n\n${"` ".repeat(20_000)}@a.md`)).toEqual(["/project/docs/a.md"]);
  });
});

async function survey(files: Record<string, string>, patch?: (host: Host) => void): Promise<SurveyedRule[]> {
  const memory = memoryHost();
  for (const [name, text] of Object.entries(files))
    memory.files.set(name.replace(/^~/, HOME).replace(/^(?!\/)/, "/project/"), text);
  patch?.(memory.host);
  return surveyRules(memory.host, settings, NEVER);
}

const statesOf = (found: readonly SurveyedRule[]) =>
  Object.fromEntries(found.map(({ name, state, by }) => [name, by === undefined ? state : `${state} ${by}`]));

describe("imported files", () => {
  it("become rules that say who imports them, and follow the file that does", async () => {
    const { host } = memoryHost({
      files: {
        "CLAUDE.md": "See @docs/style.md.",
        "docs/style.md": "Two spaces.\n@more.md",
        "docs/more.md": "More.",
      },
    });
    const { rules } = await readRules(host, settings, NEVER);
    expect(rules.map(({ name, text }) => [name, text])).toEqual([
      ["CLAUDE.md", "See @docs/style.md."],
      ["docs/style.md", "(Imported by CLAUDE.md)\n\nTwo spaces.\n@more.md"],
      ["docs/more.md", "(Imported by docs/style.md)\n\nMore."],
    ]);
  });

  it("count once: in circles, as rules of their own, with the same text", async () => {
    const found = await survey({
      "AGENTS.md": "Be kind.",
      "CLAUDE.md": "@AGENTS.md @CLAUDE.md @a.md @copy.md @.github/copilot-instructions.md",
      "a.md": "@b.md",
      "b.md": "@a.md @CLAUDE.md",
      "copy.md": "Be kind.",
      ".github/copilot-instructions.md": "Be brief.",
    });
    expect(statesOf(found)).toEqual({
      "AGENTS.md": "applies",
      "CLAUDE.md": "applies",
      "a.md": "applies CLAUDE.md",
      "b.md": "applies a.md",
      "copy.md": "same AGENTS.md",
      ".github/copilot-instructions.md": "applies CLAUDE.md",
    });
    expect(new Set(found.map(({ name }) => name)).size).toBe(found.length);
  });

  it("are followed over four files", async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 9 }, (_, n) => [`${n}.md`, `Number ${n}: @${n + 1}.md`]),
    );
    const found = await survey({ ...chain, "CLAUDE.md": "@0.md" });
    expect(statesOf(found)).toEqual({
      "CLAUDE.md": "applies",
      "0.md": "applies CLAUDE.md",
      "1.md": "applies 0.md",
      "2.md": "applies 1.md",
      "3.md": "applies 2.md",
      "4.md": "too-deep 3.md",
    });
  });

  it("are never secrets, and never outside the project, where nothing is even looked at", async () => {
    const looked: string[] = [];
    const found = await survey(
      {
        "CLAUDE.md":
          "@.env @keys/id_rsa @../other/a.md @/etc/passwd @~/.ssh/id_rsa @~/notes.md @/components/button @link.md @big.md @gone.md @org/package @docs",
        ".env": "KEY=SECRET",
        "keys/id_rsa": "SECRET",
        "docs/x.md": "SECRET",
        "link.md": "SECRET",
        "big.md": "SECRET".repeat(50_000),
        "/other/a.md": "SECRET",
        "/etc/passwd": "SECRET",
        "~/.ssh/id_rsa": "SECRET",
        "~/notes.md": "SECRET",
      },
      (host) => {
        const { realpath, stat } = host.files;
        host.files.stat = async (path) => {
          looked.push(path);
          return stat(path);
        };
        host.files.realpath = async (path) => (path === "/project/link.md" ? "/etc/passwd" : realpath(path));
      },
    );
    expect(statesOf(found)).toEqual({
      "CLAUDE.md": "applies",
      ".env": "secret CLAUDE.md",
      "keys/id_rsa": "secret CLAUDE.md",
      "../other/a.md": "elsewhere CLAUDE.md",
      "/etc/passwd": "elsewhere CLAUDE.md",
      "~/.ssh/id_rsa": "elsewhere CLAUDE.md",
      "~/notes.md": "elsewhere CLAUDE.md",
      "link.md": "elsewhere CLAUDE.md",
      "big.md": "too-large CLAUDE.md",
      "gone.md": "missing CLAUDE.md",
    });
    expect(JSON.stringify(found)).not.toContain("SECRET");
    expect(looked).toContain("/project/.env");
    for (const path of ["/other/a.md", "/etc/passwd", `${HOME}/.ssh/id_rsa`, `${HOME}/notes.md`])
      expect(looked).not.toContain(path);
  });

  it("of a file of the user may be anywhere in the home folder, but no secrets", async () => {
    const found = await survey({
      "~/.claude/CLAUDE.md": "@~/notes/a.md @b.md @~/.ssh/id_rsa @/project/c.md",
      "~/notes/a.md": "A.",
      "~/.claude/b.md": "B.",
      "~/.ssh/id_rsa": "SECRET",
      "c.md": "C.",
    });
    expect(statesOf(found)).toEqual({
      "~/.claude/CLAUDE.md": "applies",
      "~/notes/a.md": "applies ~/.claude/CLAUDE.md",
      "~/.claude/b.md": "applies ~/.claude/CLAUDE.md",
      "~/.ssh/id_rsa": "secret ~/.claude/CLAUDE.md",
      "/project/c.md": "elsewhere ~/.claude/CLAUDE.md",
    });
  });

  it("are off by their own name, and on where only their own source is off", async () => {
    const memory = memoryHost({
      files: { "CLAUDE.md": "@AGENTS.md @a.md", "AGENTS.md": "Be kind.", "a.md": "A." },
    });
    const off = { rules: { ...settings.rules, agents: false }, rulesOff: ["a.md"] };
    expect(statesOf(await surveyRules(memory.host, off, NEVER))).toEqual({
      "CLAUDE.md": "applies",
      "AGENTS.md": "applies CLAUDE.md",
      "a.md": "off CLAUDE.md",
    });
  });

  it("cost little, however many there are", async () => {
    const words = Array.from({ length: 9_000 }, (_, n) => `@${n}.md`).join("\n");
    let looks = 0;
    const found = await survey({ "CLAUDE.md": words }, (host) => {
      const { stat } = host.files;
      host.files.stat = (path) => {
        looks++;
        return stat(path);
      };
    });
    expect(found.at(-1)?.state).toBe("too-many");
    expect(looks).toBeLessThan(1_000);
  });
});
