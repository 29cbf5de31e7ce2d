/** The tables of docs/figures.md, from what the bench measured. */
import { nameOfEncoding } from "../../src/shared/text/encoding-name.ts";
import type { Figures, Measurements, Result, SafetyRow, TriedTexts } from "./report.ts";

type Cell = string | number;

/** Markdown for each suite that was measured, by its name. */
export function sectionsOf(figures: Figures): Map<string, string> {
  return new Map(Object.entries(figures).map(([suite, measured]) => [suite, section(measured)]));
}

/**
 * The document with every section between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->` replaced. A section without a place
 * would be lost, and a place that nothing fills would go stale: both throw.
 */
export function withSections(document: string, sections: ReadonlyMap<string, string>): string {
  const placed = new Set<string>();
  const text = document.replace(
    /(<!-- bench:(\w+) -->\n)[\s\S]*?(<!-- \/bench:\2 -->)/g,
    (_all, open: string, name: string, close: string) => {
      const section = sections.get(name);
      if (section === undefined) throw new Error(`Nothing was measured for the section "${name}"`);
      placed.add(name);
      return `${open}\n${section}\n\n${close}`;
    },
  );
  const lost = [...sections.keys()].filter((name) => !placed.has(name));
  if (lost.length > 0) throw new Error(`The document has no section for: ${lost.join(", ")}`);
  return text;
}

function section(measured: Measurements): string {
  const { results, edits, encodings, safety, bytesWritten, freshStore, typing, longSession } = measured;
  const {
    tokens,
    sizes,
    prompts,
    calls,
    roundTrips,
    traffic,
    openSessions,
    childTasks,
    startup,
    symbols,
    growth,
  } = measured;
  const parts = [
    results.length > 0 ? [timesTable(results), noise(results)] : [],
    edits ? [editsTable(edits)] : [],
    encodings ? [encodingsTable(encodings)] : [],
    safety ? safetyTables(safety) : [],
    bytesWritten ? [bytesTable(bytesWritten)] : [],
    freshStore ? [freshStoreTable(freshStore)] : [],
    typing ? [typingTable(typing)] : [],
    longSession ? longSessionTables(longSession) : [],
    sizes ? [sizesTable(sizes)] : [],
    prompts ? [promptsTable(prompts)] : [],
    symbols ? [symbolsTable(symbols)] : [],
    tokens ? tokenTables(tokens) : [],
    traffic ? [trafficTable(traffic)] : [],
    calls ? [callsTable(calls, ["tools of a local server", "bare client ms"])] : [],
    roundTrips ? [callsTable(roundTrips, ["an editor", "terminal host ms"])] : [],
    openSessions ? [openSessionsTable(openSessions)] : [],
    childTasks ? [callsTable(childTasks, ["a task that another one starts", "one task alone ms"])] : [],
    startup ? startupTables(startup) : [],
    growth ? growthTables(growth) : [],
    [origin(measured)],
  ];
  return parts.flat().join("\n\n");
}

function origin({ date, machine }: Measurements): string {
  const { cpu, cores, node } = machine;
  return `Measured on ${date.slice(0, 10)}: ${cpu || "unknown processor"}, ${cores} cores, Node ${node.replace(/^v/, "")}.`;
}

function timesTable(results: readonly Result[]): string {
  const rows = results.map(({ name, ms, bestMs, ratio, memory, target }) => [
    name,
    milliseconds(ms),
    milliseconds(bestMs),
    multiple(ratio),
    memory ? multiple(memory.multiple) : "",
    target,
  ]);
  return table(
    ["measurement", "median ms", "best ms", "times a plain scan", "memory / input", "target"],
    rows,
  );
}

/** How far apart the rounds were: what else the machine did while they ran. */
function noise(results: readonly Pick<Result, "ms" | "bestMs">[]): string {
  const above = results.map(({ ms, bestMs }) => (bestMs > 0 ? ms / bestMs - 1 : 0)).sort((a, b) => a - b);
  const percent = (value = 0) => `${Math.round(value * 100)} %`;
  return `Noise: medians were ${percent(above[above.length >> 1])} above the best round in the middle, ${percent(above.at(-1))} at most.`;
}

type Tallies = NonNullable<Measurements["edits"]>;

function editsTable(tallies: Tallies): string {
  const sum = (key: "right" | "refused" | "wrong") => tallies.reduce((total, tally) => total + tally[key], 0);
  const [right, refused, wrong] = [sum("right"), sum("refused"), sum("wrong")];
  const total = `**${count(right)} right, ${count(refused)} rejected without need, ${count(wrong)} wrong** of ${count(right + refused + wrong)} edits of ${tallies.length} kinds.`;
  const rows = tallies.map(({ kind, rejected, ...tally }) => [
    rejected > 0 && rejected === tally.right ? `× ${kind}` : kind,
    tally.right,
    tally.refused,
    tally.wrong,
  ]);
  const kinds = table(["kind", "right", "rejected without need", "wrong"], rows);
  return [total, folded("Every kind; × marks edits that must be rejected", kinds)].join("\n\n");
}

function encodingsTable(rows: readonly TriedTexts[]): string {
  const sum = (key: "texts" | "added" | "refused" | "wrong") =>
    rows.reduce((total, row) => total + row[key], 0);
  const share = Math.round((sum("refused") / sum("texts")) * 100);
  const total = `**${count(sum("wrong"))} of ${count(sum("texts"))} texts in ${rows.length} encodings were written wrongly**; the added text was refused for ${count(sum("refused"))} (${share} %).`;
  const all = rows.map(({ encoding, texts, read, added, refused, wrong }) => [
    ...[nameOfEncoding(encoding), texts, read, added, refused, wrong],
  ]);
  const header = ["encoding", "texts", "read correctly", "text added", "refused", "wrong"];
  return [total, folded("Every encoding", table(header, all))].join("\n\n");
}

function safetyTables(rows: readonly SafetyRow[]): string[] {
  return (["commands", "paths"] as const).map((what) => {
    const own = rows.filter((row) => row.what === what);
    const sum = (key: "allow" | "ask" | "deny" | "wrong") => own.reduce((total, row) => total + row[key], 0);
    const total = `**${count(sum("ask") + sum("deny"))} ${what} that must not run or pass without approval, ${count(sum("allow"))} that need none: ${count(sum("wrong"))} judged wrong.**`;
    const kinds = table(
      ["kind", "allow", "ask", "deny", "wrong"],
      own.map(({ kind, allow, ask, deny, wrong }) => [kind, allow, ask, deny, wrong]),
    );
    return [total, folded(`Every kind of ${what}`, kinds)].join("\n\n");
  });
}

function bytesTable(bytes: Record<string, number>): string {
  const rows = Object.entries(bytes).map(([messages, size]) => [count(Number(messages)), count(size)]);
  return table(["messages in the session", "bytes written for one more"], rows);
}

function freshStoreTable(fresh: NonNullable<Measurements["freshStore"]>): string {
  return table(
    ["a store that nobody has searched yet", "value"],
    [
      ["opened", `${count(fresh.openMs)} ms`],
      ["first page of the list", `${count(fresh.listMs)} ms`],
      ["first search answered", `${count(fresh.searchMs)} ms`],
      ["all messages ready for search", `${count(fresh.indexMs)} ms`],
      ["longest pause in between", `${count(fresh.longestPauseMs)} ms`],
      ["growth of the process", `${count(fresh.growth / 1e6)} MB`],
    ],
  );
}

function typingTable(typing: NonNullable<Measurements["typing"]>): string {
  const rows = typing.map(({ name, p95Ms, worstMs, slow, presses }) => [
    name,
    p95Ms,
    worstMs,
    `${slow} of ${presses}`,
  ]);
  return table(["what streams", "95 % within ms", "slowest ms", "took 50 ms or longer"], rows);
}

function longSessionTables(measured: NonNullable<Measurements["longSession"]>): string[] {
  const { messages, shortMessages, times, scrolls } = measured;
  const timeRows = times.map(({ name, ms, bestMs, shortMs, target }) => [
    name,
    milliseconds(ms),
    milliseconds(bestMs),
    milliseconds(shortMs),
    (ms / shortMs).toFixed(2),
    target,
  ]);
  const scrollRows = scrolls.map(({ name, framesPerSecond, longestMs, elements }) => [
    name,
    framesPerSecond.toFixed(1),
    count(longestMs),
    count(elements),
  ]);
  const head = [`a session of ${count(messages)} messages`, "median ms", "best ms"];
  return [
    table([...head, `with ${count(shortMessages)} messages, ms`, "ratio", "target"], timeRows),
    table(
      ["scrolling 600 pixels a frame", "frames a second", "longest frame, ms", "elements at most"],
      scrollRows,
    ),
  ];
}

function sizesTable(sizes: Record<string, number>): string {
  const rows = Object.entries(sizes).map(([name, bytes]) => [name, count(bytes)]);
  return table(["script that loads at once", "bytes, minified"], rows);
}

function callsTable(
  calls: NonNullable<Measurements["calls"]>,
  [what, without]: readonly [what: string, without: string],
): string {
  const rows = Object.entries(calls).map(([name, { ms, bareMs }]) => [
    name,
    milliseconds(ms),
    milliseconds(bareMs),
    (ms / bareMs).toFixed(2),
  ]);
  return table([what, "median ms", without, "ratio"], rows);
}

function openSessionsTable(costs: NonNullable<Measurements["openSessions"]>): string {
  const rows = Object.entries(costs).map(([name, { bytes, cpuShare }]) => [
    name,
    count(Math.round(bytes / 1024)),
    `${(cpuShare * 100).toFixed(2)} %`,
  ]);
  return table(["one open session of 100 messages", "KB on the heap", "of a processor"], rows);
}

function startupTables(startup: NonNullable<Measurements["startup"]>): string[] {
  const rows = startup.map(({ name, unit, target, value, best, plain }) => [
    name,
    plain ? `${milliseconds(value)} ${unit}` : count(value),
    plain ? milliseconds(best) : "",
    plain ? `${plain.name}: ${milliseconds(plain.value)}` : "",
    plain ? (value / plain.value).toFixed(2) : "",
    target,
  ]);
  const timed = startup.flatMap(({ value, best, plain }) => (plain ? [{ ms: value, bestMs: best }] : []));
  return [
    table(["the terminal host", "median", "best", "beside it", "ratio", "target"], rows),
    ...(timed.length > 0 ? [noise(timed)] : []),
  ];
}

/** A table for each thing that grows. */
function growthTables(curves: NonNullable<Measurements["growth"]>): string[] {
  const sizes = [...new Set(curves.map(({ size }) => size))];
  return sizes.map((size) => {
    const own = curves.filter((curve) => curve.size === size);
    const heads = (own[0]?.points ?? []).map((point) => count(point.size));
    const rows = own.map(({ name, unit, points, exponent, target }) => [
      `${name} (${unit})`,
      ...points.map(({ value }) => milliseconds(value)),
      exponent.toFixed(2),
      target,
    ]);
    return table([size, ...heads, "exponent", "target"], rows);
  });
}

function promptsTable(prompts: NonNullable<Measurements["prompts"]>): string {
  const rows = Object.entries(prompts).map(([name, { bytes, tokens }]) => [
    name,
    count(bytes),
    count(tokens),
  ]);
  return table(["prompt without a conversation", "bytes", "tokens, estimated"], rows);
}

function symbolsTable(symbols: NonNullable<Measurements["symbols"]>): string {
  const rows = symbols.map((cost) => [
    cost.name,
    `${cost.hits} / ${cost.uses}`,
    count(cost.search),
    count(cost.search + cost.read),
    count(cost.symbols),
    `${(cost.search / cost.symbols).toFixed(1)} / ${((cost.search + cost.read) / cost.symbols).toFixed(1)}`,
  ]);
  return table(
    ["to learn what to change", "lines found / uses", "search", "with reading", "references", "ratios"],
    rows,
  );
}

/** What a cached token costs of the price of a new one. */
const CACHED_SHARE = 0.1;

/** What each agent sends, and the largest parts of what Nekode sends. */
function tokenTables(costs: NonNullable<Measurements["tokens"]>): string[] {
  const rows = costs.flatMap(({ script, requests, agents }) =>
    agents.map(({ agent, sent, fresh, first }, index) => [
      index === 0 ? `${script}, ${requests} requests` : "",
      agent,
      ...[sent, fresh, fresh + CACHED_SHARE * (sent - fresh), first, fresh - first].map(count),
    ]),
  );
  const parts = costs.map(({ script, parts }) => [
    script,
    ...parts.map(({ name, tokens }) => `${name}: ${count(tokens)}`),
  ]);
  const places = (costs[0]?.parts ?? []).map((_, place) => `part ${place + 1}`);
  const head = ["a script", "agent", "tokens sent", "new", "paid", "of the new: first request", "later ones"];
  return [table(head, rows), table(["Nekode's last request", ...places], parts)];
}

function trafficTable(traffic: NonNullable<Measurements["traffic"]>): string {
  const rows = Object.entries(traffic).map(([api, { requests, bytesPerTurn, brokenBytes, cachedShare }]) => [
    api,
    requests,
    count(bytesPerTurn),
    count(brokenBytes),
    `${Math.round(100 * cachedShare)} %`,
  ]);
  return table(["a session over", "requests", "bytes a turn", "bytes of the prefix changed", "cached"], rows);
}

const folded = (summary: string, body: string) =>
  `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;

/** The first column holds names, the others figures. */
function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const rule = head.map((_, column) => (column === 0 ? "---" : "---:"));
  return [head, rule, ...rows].map(line).join("\n");
}

const line = (cells: readonly Cell[]) =>
  `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|").replaceAll("<", "&lt;")).join(" | ")} |`;

const count = (value: number) => Math.round(value).toLocaleString("en");

const milliseconds = (value: number) => (value >= 100 ? count(value) : value.toFixed(2));

const multiple = (value: number) => (value >= 100 ? count(value) : value.toFixed(1));
