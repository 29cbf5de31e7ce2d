/** What lists say about an instruction file: whether the model has it, why, or why not. */
import { expect, it } from "vitest";
import type { RuleFile } from "../../../src/shared/rule-file.ts";
import { isRuleFault, isRuleIncluded, ruleStateText } from "../../../src/shared/words/rule-words.ts";
import { translator } from "../../../src/shared/words/task-words.ts";

const t = translator({});
const rule = (more: Partial<RuleFile>): RuleFile => ({
  source: "claude",
  name: "a.md",
  paths: [],
  state: "applies",
  ...more,
});

it.each<[Partial<RuleFile>, string]>([
  [{}, "Always applies"],
  [{ paths: ["src/**", "*.md"] }, "Applies to src/**, *.md"],
  [{ paths: ["src/**"], match: "src/a.ts" }, "Applies to src/**, for example src/a.ts"],
  [{ paths: ["web/**"], workedOn: "web/a.ts" }, "Applies to web/**, because the task works on web/a.ts"],
  [{ by: "CLAUDE.md" }, "Imported by CLAUDE.md"],
  [{ state: "described" }, "The model reads it if its description fits the task"],
])("%j is included: %s", (more, text) => {
  expect(ruleStateText(t, rule(more))).toBe(text);
  expect([isRuleIncluded(rule(more)), isRuleFault(rule(more))]).toEqual([true, false]);
});

it.each<[Partial<RuleFile>, string, boolean]>([
  [{ state: "nested", paths: ["web/**"] }, "Applies to web/**, once the task works on a file there", false],
  [{ state: "next-message" }, "Applies from your next message", false],
  [{ state: "by-hand" }, "Not applied: mention the file with @ to use it", false],
  [{ state: "other-mode", by: "debug" }, "Not applied: only for the mode debug of its product", false],
  [
    { state: "overridden", by: "AGENTS.override.md" },
    "Not applied: AGENTS.override.md takes its place",
    false,
  ],
  [{ state: "same", by: "AGENTS.md" }, "Not applied: same text as AGENTS.md", false],
  [{ state: "missing", by: "CLAUDE.md" }, "Not applied: CLAUDE.md imports it, but it does not exist", true],
  [{ state: "too-deep", by: "b.md" }, "Not applied: it is imported over more than 4 files", true],
  [{ state: "too-large" }, "Not applied: the file is larger than 100 KB", true],
  [{ state: "unreadable", why: ["system-error", "EIO"] }, "Not applied: EIO", true],
  [
    { state: "elsewhere", by: "CLAUDE.md", why: ["outside-project", "/etc/passwd"] },
    "Not applied: /etc/passwd is outside the project · Imported by CLAUDE.md",
    true,
  ],
])("%j is not included: %s", (more, text, isFault) => {
  expect(ruleStateText(t, rule(more))).toBe(text);
  expect([isRuleIncluded(rule(more)), isRuleFault(rule(more))]).toEqual([false, isFault]);
});
