import { applySearchReplace } from "../../src/core/edits/apply-blocks.ts";
import { createDiffStream } from "../../src/core/edits/stream.ts";
import { type Bench, cut, scan } from "./bench.ts";

/** A source file of so many lines, indented as code is, every few lines one that stands nowhere else. */
function sourceOf(lines: number): string[] {
  const rows: string[] = [];
  for (let at = 0; rows.length < lines; at++) {
    rows.push(
      `  export function handler${at}(request: Request, reply: Reply): void {`,
      `    const value${at} = request.body.field${at % 97};`,
      "    if (value === undefined) {",
      "      reply.code(400);",
      `      throw new Error("field ${at} is missing");`,
      "    }",
      `    store.set("key-${at}", value${at});`,
      "    reply.send(value);",
      "  }",
      "",
    );
  }
  return rows.slice(0, lines);
}

/** A block that searches `count` rows and changes one of them; `shift` takes so many columns off every line. */
function block(rows: readonly string[], start: number, count: number, shift: number): string {
  const search = rows.slice(start, start + count).map((row) => row.slice(Math.min(shift, row.length)));
  const replace = search.with(1, `${search[1]} // checked`);
  return `------- SEARCH\n${search.join("\n")}\n=======\n${replace.join("\n")}\n+++++++ REPLACE\n`;
}

const blocks = (rows: readonly string[], count: number, length: number, shift: number) => {
  const apart = Math.floor(rows.length / count / 10) * 10;
  return Array.from({ length: count }, (_, at) => block(rows, at * apart, length, shift)).join("\n");
};

const rows5k = sourceOf(5_000);
const file5k = `${rows5k.join("\n")}\n`;
const streamed = blocks(rows5k, 40, 6, 2);
const deltas = cut(streamed, 12);

const rows10k = sourceOf(10_000);
const file10k = `${rows10k.join("\n")}\n`;
const fifty = blocks(rows10k, 50, 6, 0);

const rows20k = sourceOf(20_000);
const file20k = `${rows20k.join("\n")}\n`;
const nowhere = `------- SEARCH\n${[
  "  export function handlerNobodyWrote(request: Request, answer: Answer): void {",
  "    const nothing = request.body.nothingAtAll;",
  '    throw new Error("there is no such function in this file");',
].join("\n")}\n=======\nx\n+++++++ REPLACE\n`;

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`not what was to be measured: ${what}`);
}

export const benches: Bench[] = [
  {
    name: `diff of ${Math.round(streamed.length / 1000)} KB, 40 blocks, streamed onto 5,000 lines, indentation shifted`,
    target: "< 50 ms",
    run() {
      const stream = createDiffStream(file5k);
      let shown = 0;
      for (const delta of deltas) if (stream.push(delta).length > 0) shown += stream.preview().length;
      const result = stream.end();
      must(result.ok && result.blocks.length === 40 && shown > 0, "40 blocks");
    },
    baseline: () => void scan([file5k, ...deltas]),
  },
  {
    name: "50 blocks onto 10,000 lines at once",
    target: "< 10 ms",
    run: () => must(applySearchReplace(file10k, fifty).ok, "50 blocks"),
    baseline: () => void scan([file10k, fifty]),
  },
  {
    name: "a search that fits nowhere in 20,000 lines, with the nearest place",
    target: "< 100 ms",
    run() {
      const result = applySearchReplace(file20k, nowhere);
      must(!result.ok && result.blocks[0]?.nearestLine !== undefined, "a refusal with the nearest line");
    },
    baseline: () => void scan([file20k, nowhere]),
  },
];
