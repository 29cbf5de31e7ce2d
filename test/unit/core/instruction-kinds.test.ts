/** The table of instruction files: a row is all that a new kind needs to be found, read, watched and switched off. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  AGENT_FOLDERS,
  COMMAND_FOLDERS,
  type DefinitionFolder,
  mayBeInstructions,
  RULE_KINDS,
  type RuleKind,
  SKILL_FOLDERS,
} from "../../../src/core/instruction-kinds.ts";
import { readDefinitions } from "../../../src/core/instructions/definition-files.ts";
import { findNestedRules } from "../../../src/core/instructions/rule-files.ts";
import { readRules, rulesIn } from "../../../src/core/instructions/rules.ts";
import { autorunPart } from "../../../src/core/safety/paths/autorun-files.ts";
import { foldedParts } from "../../../src/core/safety/paths/folded-names.ts";
import { ruleSourceSchema } from "../../../src/shared/rule-list.ts";
import { defaultSettings } from "../../../src/shared/settings.ts";
import { memoryHost } from "../../support/memory-host.ts";

/** A file of the kind, by its path below the folder that the kind is for. */
function exampleOf({ scope, path, names, modes }: RuleKind): string {
  const file = ["a.md", "a.instructions.md"].find((name) => names?.test(name));
  const folder = modes ? "/rules-code" : "";
  return `${scope === "nested" ? "packages/web/" : ""}${path}${folder}${file === undefined ? "" : `/${file}`}`;
}

/** A file of a folder of skills, commands or agents. */
function definitionIn({ path, ending }: DefinitionFolder): string {
  if (ending === "") return path;
  return `${path}/a${ending.startsWith(".") ? "" : "/"}${ending}`;
}

const DEFINITIONS = [...SKILL_FOLDERS, ...COMMAND_FOLDERS, ...AGENT_FOLDERS];
const WATCHED = [
  ...RULE_KINDS.map((kind) => [exampleOf(kind)]),
  ...DEFINITIONS.filter(({ scope }) => scope === "project").map((folder) => [definitionIn(folder)]),
];

describe.each(RULE_KINDS.map((kind) => [exampleOf(kind), kind] as const))("the file %s", (file, kind) => {
  it("is named in the documentation", () => {
    const docs = readFileSync(new URL("../../../docs/extend.md", import.meta.url), "utf8");
    const path = `${kind.scope === "user" ? "~/" : ""}${kind.path}${kind.modes ? "/rules-code" : ""}`;
    expect(docs).toContain(`\`${path}\``);
  });

  it("becomes a rule, unless its source is switched off", async () => {
    const { host, files } = memoryHost();
    const folder = kind.scope === "user" ? host.system.home : "/project";
    files.set(`${folder}/${file}`, "Be kind.");
    if (kind.format === "copilot") files.set(`${folder}/${file}`, "---\napplyTo: '**'\n---\nBe kind.");
    const { signal } = new AbortController();
    const read = async (rules: typeof defaultSettings.context.rules) => {
      const { rules: found, survey } = await readRules(host, { rules, rulesOff: [] }, signal);
      const nested = await findNestedRules(host, ["/project/packages/web"], (source) => rules[source]);
      return [...found, ...rulesIn(await survey.add(nested, signal))];
    };
    const all = defaultSettings.context.rules;
    const paths = kind.scope === "nested" ? ["packages/web/**"] : [];
    const name = kind.scope === "user" ? `~/${file}` : file;
    const text = `${kind.modes ? "(For work in ACT MODE)\n\n" : ""}Be kind.`;
    expect(await read(all)).toEqual([{ source: kind.source, name, paths, text }]);
    expect(await read({ ...all, [kind.source]: false })).toEqual([]);
  });
});

it.each(WATCHED)("a change of %s, or of a folder that has it, is noticed", (file) => {
  expect(mayBeInstructions(file)).toBe(true);
  expect(mayBeInstructions(`/project/${file}`)).toBe(true);
  expect(mayBeInstructions(file.replaceAll("/", "\\"))).toBe(true);
});

it.each(WATCHED)("%s instructs later tasks, so no edit of it runs without asking", (file) => {
  expect(autorunPart(foldedParts(file))).toBeDefined();
});

it.each(["src/main.ts", "docs/AGENTS.md.txt", "rules/a.md", "a.nekode/b.md"])(
  "a change of %s is not",
  (file) => {
    expect(mayBeInstructions(file)).toBe(false);
  },
);

it.each(DEFINITIONS.map((folder) => [folder.path, folder] as const))(
  "the folder %s is documented, and read",
  async (path, folder) => {
    const docs = readFileSync(new URL("../../../docs/extend.md", import.meta.url), "utf8");
    const named = folder.scope === "user" ? `~/${path}` : path;
    expect(docs).toContain(`\`${named}\``);
    const { host, files } = memoryHost();
    const above = { project: "/project/", user: `${host.system.home}/`, system: "" }[folder.scope];
    files.set(`${above}${definitionIn(folder)}`, "---\ndescription: Is kind.\n---\nBe kind.");
    const kind = [SKILL_FOLDERS, COMMAND_FOLDERS, AGENT_FOLDERS].find((folders) => folders.includes(folder));
    expect(await readDefinitions(host, kind ?? [])).toEqual([
      expect.objectContaining({ source: folder.source, scope: folder.scope }),
    ]);
  },
);

it("has a kind for each source that can be switched off", () => {
  expect(new Set(RULE_KINDS.map(({ source }) => source))).toEqual(new Set(ruleSourceSchema.options));
});
