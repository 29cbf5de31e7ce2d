/**
 * Explanations: for every case that asks, the remedy makes it run, the examples hold, and the part is in the command,
 * when the judge is asked again. NEKODE_EXPLAIN_ALL=1 takes every case of the corpora instead of a sample.
 */
import { expect, it } from "vitest";
import type { JudgeHost } from "../../src/core/loop/calls/disk-judge.ts";
import { Judge } from "../../src/core/loop/calls/permission.ts";
import { explain } from "../../src/core/loop/explain/explain.ts";
import type { ShellKind } from "../../src/core/ports/shell.ts";
import { type Explanation, explanationSchema } from "../../src/shared/explanation.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { explanationFacts } from "../../src/shared/words/explanation-words.ts";
import { project } from "../support/tools-on-disk.ts";
import { CORPORA, loadCorpus } from "./corpus.ts";

interface Case {
  shell: ShellKind;
  command: string;
  allow: string[];
  deny: string[];
}

const all = process.env.NEKODE_EXPLAIN_ALL === "1";
const SAMPLED = 60;

/** Cases that do not simply run, at even distances. */
function cases(): Case[] {
  const found = CORPORA.map(loadCorpus).flatMap(({ allow, deny, commands }) =>
    commands
      .filter(([, , verdict]) => verdict !== "allow")
      .map(([shell, command]) => ({ shell, command, allow, deny })),
  );
  const step = all ? 1 : Math.floor(found.length / SAMPLED);
  return found.filter((_, i) => i % step === 0);
}

const settingsFor = (allow: string[], deny: string[], more: Record<string, boolean> = {}) =>
  settingsSchema.parse({
    approval: { read: true, edit: true, commandSafe: true, ...more },
    commands: { allow, deny },
  });

const faultsOf = async (host: JudgeHost, each: Case, explanation: Explanation): Promise<string[]> => {
  const { command, allow, deny } = each;
  const faults: string[] = [];
  const { verdict, part, parts = [], remedy, examples } = explanation;
  for (const own of parts) {
    if (!command.includes(own.text)) faults.push(`not verbatim: ${own.text}`);
  }
  if (verdict === "allow") return faults;
  if (part === undefined ? command.trim() !== "" : !command.includes(part)) faults.push(`part: ${part}`);
  if (remedy === undefined) return [...faults, "no word on a remedy"];
  if (remedy === null) return examples ? [...faults, "examples of nothing"] : faults;
  const toggles = Object.fromEntries(
    remedy.settings.map((name) => [name.replace("nekode.approval.", ""), true]),
  );
  const kept = deny.filter((entry) => !remedy.undeny.includes(entry));
  const judge = (settings: ReturnType<typeof settingsFor>) => new Judge(host, () => settings);
  const before = judge(settingsFor(allow, deny));
  const after = judge(settingsFor([...allow, ...remedy.allow], kept, toggles));
  const verdictOf = async (by: Judge, text: string) =>
    (await by.permission({ access: "command" }, { paths: [], command: text }, "act")).verdict;
  if ((await verdictOf(after, command)) !== "allow") faults.push(`no remedy: ${JSON.stringify(remedy)}`);
  if (examples?.runs !== undefined) {
    if ((await verdictOf(before, examples.runs)) === "allow") faults.push(`runs already: ${examples.runs}`);
    if ((await verdictOf(after, examples.runs)) !== "allow") faults.push(`does not run: ${examples.runs}`);
  }
  if (examples?.asks !== undefined && (await verdictOf(after, examples.asks)) === "allow")
    faults.push(`does not ask: ${examples.asks}`);
  return faults;
};

it("tells a remedy that works and examples that hold, for every case that asks", async () => {
  const { host } = await project();
  const faults: unknown[] = [];
  let remedies = 0;
  let examples = 0;
  const asking = cases();
  for (const each of asking) {
    const judging: JudgeHost = { ...host, shell: { kind: each.shell } };
    const subject = {
      access: "command" as const,
      mode: "act" as const,
      invocation: { paths: [], command: each.command },
    };
    const explanation = await explain(judging, {
      settings: settingsFor(each.allow, each.deny),
      subject,
      ignoring: true,
    });
    explanationSchema.parse(explanation);
    const found = await faultsOf(judging, each, explanation);
    if (found.length > 0) faults.push({ ...each, allow: undefined, deny: undefined, found });
    if (explanation.remedy) remedies++;
    if (explanation.examples?.runs !== undefined && explanation.examples.asks !== undefined) examples++;
    expect(explanationFacts((text) => text, explanation).length).toBeGreaterThan(0);
  }
  expect(faults).toEqual([]);
  // What is told is mostly told whole.
  expect(asking.length).toBeGreaterThan(50);
  expect(remedies).toBeGreaterThan(asking.length / 20);
  expect(examples).toBeGreaterThan(remedies * 0.9);
}, 600_000);
