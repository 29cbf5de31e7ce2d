import { BlockFolder } from "../../src/core/assistant/events.ts";
import { createArgumentsParser } from "../../src/core/assistant/json/arguments-parser.ts";
import { createNativeCallParser } from "../../src/core/assistant/native.ts";
import { createAssistantParser } from "../../src/core/assistant/xml/xml-protocol.ts";
import { type Bench, cut, scan } from "./bench.ts";

const TOOLS = [
  { name: "read_file", params: ["path", "start_line", "end_line"] },
  { name: "write_to_file", params: ["path", "content"] },
  { name: "replace_in_file", params: ["path", "diff"] },
  { name: "execute_command", params: ["command", "requires_approval"] },
  { name: "attempt_completion", params: ["result", "command"] },
];

const CODE = `export function area(shape: Shape): number {
  if (shape.width < 0 || shape.height < 0) throw new RangeError(\`negative: \${shape.name}\`);
  return shape.width * shape.height; // 面積
}

`;
const PROSE = `The function \`area\` multiplies the two sides. It refuses negative ones, since a width < 0 means nothing;
see **shape.ts** for the rest.

- First I read the file, then I change \`<Shape>\`.
- それから、テストを追加します。

`;

const repeated = (text: string, length: number): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);
const KB = 1000;

function fold(chunks: readonly string[]): BlockFolder {
  const parser = createAssistantParser(TOOLS);
  const folder = new BlockFolder();
  for (const chunk of chunks) for (const event of parser.push(chunk)) folder.add(event);
  for (const event of parser.end()) folder.add(event);
  return folder;
}

function xml(name: string, target: string, chunks: string[]): Bench {
  return {
    name,
    target,
    run: () => void fold(chunks).blocks(),
    baseline: () => void scan(chunks),
    memory: { inputBytes: chunks.join("").length, keep: () => fold(cut(chunks.join(""), 4)) },
  };
}

const writeFile = (length: number): string =>
  `I write it.\n<write_to_file>\n<path>src/a.ts</path>\n<content>\n${repeated(CODE, length)}\n</content>\n</write_to_file>`;

const json = JSON.stringify({ path: "src/a.ts", content: repeated(CODE, 77 * KB) });
const argumentDeltas = cut(json.slice(0, 77 * KB - 2).concat('"}'), 12);
const twice = cut(JSON.stringify({ path: "src/a.ts", content: repeated(CODE, 154 * KB) }), 12);

function readArguments(deltas: readonly string[]): unknown {
  const parser = createArgumentsParser();
  for (const delta of deltas) parser.push(delta);
  return parser.end();
}

function readCalls(deltas: readonly string[]): BlockFolder {
  const parser = createNativeCallParser(TOOLS, () => "id");
  const folder = new BlockFolder();
  const take = (events: ReturnType<typeof parser.push>) => {
    for (const event of events) folder.add(event);
  };
  take(parser.push([{ index: 0, id: "call", name: "write_to_file", arguments: "" }]));
  for (const delta of deltas) take(parser.push([{ index: 0, arguments: delta }]));
  take(parser.end().events);
  return folder;
}

export const benches: Bench[] = [
  xml("XML: 100 KB of content, 4-character chunks", "< 30 ms", cut(writeFile(100 * KB), 4)),
  xml("XML: 200 KB of content, 4-character chunks", "<= 2.3 x 100 KB", cut(writeFile(200 * KB), 4)),
  xml("XML: 100 KB of content, single characters", "linear", cut(writeFile(100 * KB), 1)),
  xml("XML: 100 KB of prose, 4-character chunks", "< 30 ms", cut(repeated(PROSE, 100 * KB), 4)),
  xml("XML: 200 KB of prose, 4-character chunks", "<= 2.3 x 100 KB", cut(repeated(PROSE, 200 * KB), 4)),
  xml("XML: 1 MB of content at once", "linear", [writeFile(1000 * KB)]),
  {
    name: "native: 77 KB of arguments, 12-character deltas",
    target: "< 15 ms",
    run: () => void readArguments(argumentDeltas),
    baseline: () => void scan(argumentDeltas),
    memory: { inputBytes: 77 * KB, keep: () => readArguments(cut(argumentDeltas.join(""), 12)) },
  },
  {
    name: "native: 154 KB of arguments, 12-character deltas",
    target: "<= 2.3 x 77 KB",
    run: () => void readArguments(twice),
    baseline: () => void scan(twice),
  },
  {
    name: "native: 77 KB as events of a call, folded",
    target: "< 15 ms",
    run: () => void readCalls(argumentDeltas).blocks(),
    baseline: () => void scan(argumentDeltas),
    memory: { inputBytes: 77 * KB, keep: () => readCalls(cut(argumentDeltas.join(""), 12)) },
  },
];
