import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { resolve } from "node:path";
import { benches as assistant } from "./assistant.ts";
import { batchRounds, batchText } from "./batch.ts";
import type { Bench } from "./bench.ts";
import { benches as checkpoints } from "./checkpoints.ts";
import { childTasks, childTasksText } from "./child-tasks.ts";
import { benches as context } from "./context.ts";
import { writeDocs } from "./docs.ts";
import { benches as edits } from "./edits.ts";
import { editsTable } from "./edits-table.ts";
import { triedEncodings, triedEncodingsText } from "./encodings.ts";
import { growthCurves, growthText } from "./growth/growth.ts";
import { longSession } from "./long/sessions.ts";
import { measure, ROUNDS, resultsText } from "./measure.ts";
import { openSessions, openSessionsText } from "./open-sessions.ts";
import { panelTyping } from "./panel.ts";
import { panelSessions, panelStarts, panelStartsText } from "./panel-start.ts";
import type { Figures, Measurements } from "./report.ts";
import { benches as requests, traffic, trafficText } from "./requests.ts";
import { roundTrips, roundTripsText } from "./round-trip.ts";
import { safetyRows, safetyText } from "./safety.ts";
import { recordedCommands, sandboxCosts, sandboxText } from "./sandbox.ts";
import { callCosts, callCostsText } from "./server-calls.ts";
import { promptSizes, promptSizesText } from "./server-prompts.ts";
import { freshStore, sessionBytes, benches as sessions } from "./sessions.ts";
import { scriptSizes, sizesText } from "./sizes.ts";
import { keepBaselines, readBaselines } from "./startup/baselines.ts";
import { beyondBaselines, comparedText } from "./startup/compared.ts";
import { startupRows } from "./startup/startup.ts";
import { symbolCosts, symbolCostsText } from "./symbols.ts";
import { benches as together } from "./together.ts";
import { tokenCosts, tokenCostsText } from "./tokens/tokens.ts";
import { benches as turns } from "./turns.ts";

// Run by `npm run bench`. Names given as arguments choose the suites: `npm run bench -- assistant`. With `--docs`, what was
// measured is also written into docs/figures.md. The suite `startup`, also as `--startup`, is compared with
// test/bench/startup/baselines.json: `--check` fails where a figure is beyond its tolerance, and `--keep` keeps the new ones.

const timed: Record<string, Bench[]> = {
  assistant,
  checkpoints,
  context,
  edits,
  requests,
  sessions,
  together,
  turns,
};

const OPTIONS = ["--docs", "--check", "--keep"];
const args = process.argv.slice(2).map((arg) => (arg === "--startup" ? "startup" : arg));
const named = args.filter((arg) => !arg.startsWith("--"));
const options = new Set(args.filter((arg) => arg.startsWith("--")));
/** What is beyond its baseline. */
const beyond: string[] = [];

type Extra = Partial<Omit<Measurements, "date" | "machine" | "results">>;

/** What a suite measures beside times, and its lines for the terminal. */
const others: Record<string, () => Promise<{ text: string; extra: Extra }>> = {
  edits: async () => {
    const { text, tallies } = editsTable();
    return { text, extra: { edits: tallies } };
  },
  encodings: async () => {
    const encodings = await triedEncodings();
    return { text: triedEncodingsText(encodings), extra: { encodings } };
  },
  safety: async () => {
    const safety = await safetyRows();
    const costs = await sandboxCosts();
    const recorded = await recordedCommands();
    return {
      text: `${safetyText(safety)}\n\n${sandboxText(costs, recorded)}`,
      extra: { safety, sandbox: { ...(costs ? { costs } : {}), recorded } },
    };
  },
  sessions: async () => {
    const opened = freshStore();
    const written = await sessionBytes();
    return {
      text: [opened?.text, written.text].filter((text) => text !== undefined).join("\n\n"),
      extra: { ...(opened ? { freshStore: opened.fresh } : {}), bytesWritten: written.bytes },
    };
  },
  panel: async () => {
    const typed = await panelTyping();
    const long = await longSession();
    return {
      text: `${typed.text}\n\n${long.text}`,
      extra: { typing: typed.typing, longSession: long.longSession },
    };
  },
  "panel-start": async () => {
    const starts = await panelStarts();
    return { text: panelStartsText(starts), extra: { panelStarts: starts } };
  },
  "panel-sessions": async () => {
    const starts = await panelSessions();
    return { text: panelStartsText(starts), extra: { panelStarts: starts } };
  },
  calls: async () => {
    const calls = await callCosts();
    return { text: callCostsText(calls), extra: { calls } };
  },
  together: async () => {
    const costs = await openSessions();
    const children = await childTasks();
    return {
      text: `${openSessionsText(costs)}\n\n${childTasksText(children)}`,
      extra: { openSessions: costs, childTasks: children },
    };
  },
  acp: async () => {
    const trips = await roundTrips();
    return { text: roundTripsText(trips), extra: { roundTrips: trips } };
  },
  batch: async () => {
    const batch = await batchRounds();
    return { text: batchText(batch), extra: { batch } };
  },
  prompts: async () => {
    const prompts = await promptSizes();
    return { text: promptSizesText(prompts), extra: { prompts } };
  },
  symbols: async () => {
    const symbols = await symbolCosts();
    return { text: symbolCostsText(symbols), extra: { symbols } };
  },
  tokens: async () => {
    const tokens = await tokenCosts();
    return { text: tokenCostsText(tokens), extra: { tokens } };
  },
  growth: async () => {
    const growth = await growthCurves();
    return { text: growthText(growth), extra: { growth } };
  },
  requests: async () => {
    const found = await traffic();
    return { text: trafficText(found), extra: { traffic: found } };
  },
  sizes: async () => {
    const sizes = await scriptSizes();
    return { text: sizesText(sizes), extra: { sizes } };
  },
  startup: async () => {
    const startup = await startupRows();
    const baselines = readBaselines();
    beyond.push(...beyondBaselines(startup, baselines));
    if (options.has("--keep")) keepBaselines(startup);
    const found =
      beyond.length > 0 ? `beyond the baselines:\n  ${beyond.join("\n  ")}` : "within the baselines";
    return { text: `${comparedText(startup, baselines)}\n${found}`, extra: { startup } };
  },
};

const all = [...new Set([...Object.keys(timed), ...Object.keys(others)])];
const unknown = [...named, ...options].filter((name) => !all.includes(name) && !OPTIONS.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(", ")}. Suites: ${all.join(", ")}. Options: ${OPTIONS.join(", ")}.`);
  process.exit(2);
}
// These take minutes, so they are measured only when they are named.
const LONG = ["batch", "growth", "panel-sessions", "panel-start", "startup"];
const chosen = named.length > 0 ? named : all.filter((name) => !LONG.includes(name));

const date = new Date().toISOString();
const machine = { node: process.version, cpu: cpus()[0]?.model ?? "", cores: cpus().length };
const figures: Figures = {};
for (const [suite, benches] of Object.entries(timed)) {
  if (!chosen.includes(suite)) continue;
  figures[suite] = { date, machine, results: await measure(suite, benches) };
}
const results = Object.values(figures).flatMap((suite) => suite.results);
if (results.length > 0) console.log(resultsText(results));

let extras: Extra = {};
for (const [suite, run] of Object.entries(others)) {
  if (!chosen.includes(suite)) continue;
  const { text, extra } = await run();
  console.log(`\n${text}`);
  figures[suite] = { date, machine, results: [], ...figures[suite], ...extra };
  extras = { ...extras, ...extra };
}

const file = resolve("bench-results.json");
writeFileSync(file, `${JSON.stringify({ date, machine, results, ...extras }, null, 2)}\n`);
console.log(`\nmedians of ${ROUNDS} rounds; written to ${file}`);
if (options.has("--docs")) console.log(`tables written to ${writeDocs(figures)}`);
if (options.has("--check") && beyond.length > 0) process.exitCode = 1;
