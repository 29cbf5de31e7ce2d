import { type AssistantEvent, foldEvents } from "../../../../src/core/assistant/events.ts";
import {
  type ArgumentUpdate,
  createArgumentsParser,
} from "../../../../src/core/assistant/json/arguments-parser.ts";
import { createNativeCallParser } from "../../../../src/core/assistant/native.ts";
import {
  createAssistantParser,
  parseAssistantMessage,
} from "../../../../src/core/assistant/xml/xml-protocol.ts";
import type { Random } from "../../../support/random.ts";
import { randomJson, spelled } from "./json-texts.ts";
import { hostileMessage, TOOLS } from "./messages.ts";
import { referenceParse } from "./reference.ts";

const HIGH_AT_END = /[\ud800-\udbff]$/;
const LOW_AT_START = /^[\udc00-\udfff]/;
/** Halves of pairs that a message has, as they are or escaped in JSON. */
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\\u[dD][89a-fA-F]/;

function same(what: string, context: string, actual: unknown, expected: unknown): void {
  const a = JSON.stringify(actual);
  const b = JSON.stringify(expected);
  if (a !== b) throw new Error(`${what}\nof ${JSON.stringify(context)}\ngot      ${a}\nexpected ${b}`);
}

/** The ways in which each text is cut: single code units, small, larger and few pieces. */
function cuts(random: Random, text: string): string[][] {
  return [
    [...text].length === text.length ? [...text] : random.split(text, 1),
    random.split(text, 5),
    random.split(text, 40),
    random.split(text, Math.max(1, text.length)),
  ];
}

/** One hostile message: the parser agrees with the reference, and with itself however the message is cut. */
export function checkMessage(random: Random): void {
  const message = hostileMessage(random);
  const expected = referenceParse(message, TOOLS);
  same("blocks", message, parseAssistantMessage(message, TOOLS), expected);
  for (const chunks of cuts(random, message)) {
    const parser = createAssistantParser(TOOLS);
    const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
    same(`blocks of the chunks ${JSON.stringify(chunks)}`, message, foldEvents(events), expected);
    checkEvents(message, events);
  }
}

function checkEvents(message: string, events: AssistantEvent[]): void {
  let open = -1;
  let next = 0;
  for (const event of events) {
    if (event.type === "tool-start") {
      same("index of a call", message, event.index, next);
      open = next++;
    } else if (event.type === "param" || event.type === "tool-end") {
      same("index of an event", message, event.index, open);
      if (event.type === "tool-end") open = -1;
    } else {
      same("open call", message, open, -1);
    }
    if ("delta" in event && HIGH_AT_END.test(event.delta) && !LONE.test(message)) {
      throw new Error(`half a pair in a delta of ${JSON.stringify(message)}`);
    }
  }
  same("open call at the end", message, open, -1);
}

/** The leaves of a JSON value as the updates name them. */
function leaves(value: unknown, path: string, top: boolean, found: [string, unknown][]): [string, unknown][] {
  if (typeof value !== "object" || value === null) found.push([path, value]);
  else {
    for (const [key, inner] of Object.entries(value)) {
      const step = Array.isArray(value) ? key : key.replace(/[\\.]/g, "\\$&");
      leaves(inner, top ? step : `${path}.${step}`, false, found);
    }
  }
  return found;
}

function readAll(chunks: string[]): { updates: ArgumentUpdate[]; value: unknown; error: string | null } {
  const parser = createArgumentsParser();
  const updates = chunks.flatMap((chunk) => parser.push(chunk));
  const value = parser.end();
  return { updates, value, error: parser.error };
}

function foldUpdates(updates: ArgumentUpdate[]): [string, string, boolean][] {
  const found = new Map<string, [string, string, boolean]>();
  for (const { path, text, done } of updates) {
    const before = found.get(path);
    if (before?.[2]) throw new Error(`an update of ${path} after it was done`);
    found.set(path, [path, (before?.[1] ?? "") + text, done]);
  }
  return [...found.values()];
}

/** Control characters may stand in strings as they are: the reader takes them, JSON.parse wants them escaped. */
function withoutRawControls(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/gs, (literal) =>
    literal.replace(/\\.|\p{Cc}/gsu, (found) =>
      found.startsWith("\\") ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  );
}

/** One JSON text, whole or damaged: the reader agrees with JSON.parse, and with itself however the text is cut. */
export function checkArguments(random: Random): void {
  const value = randomJson(random, 0);
  let text = spelled(random, value);
  const damaged = random.chance(0.35);
  if (damaged) {
    const at = random.below(text.length + 1);
    const patch = random.pick(["", "", ",", "}", "]", '"', "\\", "{", "1", "x", "\\u12"]);
    text = text.slice(0, at) + patch + text.slice(at + random.below(3));
    if (random.chance(0.3)) text = text.slice(0, random.below(text.length + 1));
  }
  const whole = readAll([text]);
  const expected = parseJson(text) ?? parseJson(withoutRawControls(text));
  // Where the reader means to differ from JSON.parse.
  const tolerated =
    /stands twice/.test(whole.error ?? "") || text.trim() === "" || /^\s*\{\s*\}\s*\{/.test(text);
  if (!tolerated) {
    if (expected === undefined) same("error of invalid JSON", text, whole.error !== null, true);
    else same("value", text, [whole.error, whole.value], [null, expected.value]);
  }
  if (expected !== undefined && !tolerated && text.trimStart().startsWith("{")) {
    const found = foldUpdates(whole.updates);
    const wanted = leaves(expected.value, "", true, []);
    for (const [path, leaf] of wanted) {
      const [, raw, done] = found.find(([other]) => other === path) ?? ["", "null", false];
      same("leaf", text, [typeof leaf === "string" ? raw : JSON.parse(raw), done], [leaf, true]);
    }
    same("count of leaves", text, found.length, wanted.length);
  }
  for (const chunks of cuts(random, text)) {
    const cut = readAll(chunks);
    const context = `chunks ${JSON.stringify(chunks)}`;
    same("result", context, [cut.value, cut.error], [whole.value, whole.error]);
    same("updates", context, foldUpdates(cut.updates), foldUpdates(whole.updates));
    const split = cut.updates.some((update, i) => {
      const next = cut.updates[i + 1];
      return HIGH_AT_END.test(update.text) && next?.path === update.path && LOW_AT_START.test(next.text);
    });
    same("a pair split between deltas", context, split, false);
  }
  checkCalls(random, text);
}

/** The same texts as the arguments of two calls whose deltas interleave. */
function checkCalls(random: Random, text: string): void {
  const run = (deltas: [number, string][]) => {
    const parser = createNativeCallParser(TOOLS, () => "new");
    const events = parser.push([0, 1].map((index) => ({ index, id: `c${index}`, name: "read_file" })));
    for (const [index, delta] of deltas) events.push(...parser.push([{ index, arguments: delta }]));
    const { events: last, calls } = parser.end();
    return { blocks: foldEvents([...events, ...last]), calls };
  };
  const whole = run([
    [0, text],
    [1, text],
  ]);
  const first = random.split(text, 7);
  const second = random.split(text, 3);
  // Deltas that repeat everything before them mean something else than the text that they make.
  if ([first, second].some(repeats)) return;
  const mixed: [number, string][] = [];
  while (first.length + second.length > 0) {
    const from = second.length === 0 || (first.length > 0 && random.chance(0.5)) ? first : second;
    mixed.push([from === first ? 0 : 1, from.shift() ?? ""]);
  }
  same("calls", text, run(mixed), whole);
}

function repeats(pieces: readonly string[]): boolean {
  return pieces.some((piece, i) => i > 0 && piece.startsWith(pieces.slice(0, i).join("")));
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
