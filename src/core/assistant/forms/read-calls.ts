/** Reads the calls of a form, whatever its syntax is. */
import { unreachable } from "../../../shared/unreachable.ts";
import { callsOfJson, readElements } from "../xml/foreign-calls.ts";
import { type TagTable, toolNamed } from "../xml/tags.ts";
import { paramsOfArguments, parseJson, type WholeCall } from "../xml/whole-call.ts";
import type { CallForm, CallSyntax } from "./call-forms.ts";
import { jsonEnd, jsonValues } from "./json-values.ts";
import { pythonCalls } from "./python-calls.ts";

export interface ReadCalls {
  calls: WholeCall[];
  end: number;
}

/** Returns the calls of the form that begins at `at`, and where it ends; undefined: there are none that can be read. */
export function readForm(text: string, at: number, form: CallForm, tags: TagTable): ReadCalls | undefined {
  const from = after(form.open, text, at);
  const read = from === undefined ? undefined : readSyntax(text, from, form.syntax, tags);
  if (read === undefined || read.calls.length === 0) return undefined;
  const end = form.close ? after(form.close, text, read.end) : read.end;
  return end === undefined ? undefined : { calls: read.calls, end };
}

function readSyntax(text: string, at: number, syntax: CallSyntax, tags: TagTable): ReadCalls | undefined {
  switch (syntax.kind) {
    case "json":
      return readValues(text, at, (value) => callsOfJson(value, tags));
    case "json-keys":
      return readValues(text, at, (value) => callsByKey(value, tags));
    case "python": {
      const read = pythonCalls(text, at);
      const calls = read?.calls.map(({ name, arguments: args }) => callOf(name, args, tags));
      return read && calls?.every((call) => call !== undefined) ? { calls, end: read.end } : undefined;
    }
    case "named":
      return readNamed(text, at, syntax, tags);
    case "pairs":
      return readPairs(text, at, syntax, tags);
    case "elements": {
      const end = text.lastIndexOf(syntax.until);
      const calls = end < at ? undefined : readElements(text.slice(at, end).replace(syntax.strip, ""), tags);
      return calls && { calls, end: syntax.until.endsWith(">") ? end + syntax.until.length : end };
    }
    default:
      return unreachable(syntax);
  }
}

function readValues(
  text: string,
  at: number,
  callsOf: (value: unknown) => WholeCall[] | undefined,
): ReadCalls | undefined {
  const { values, end } = jsonValues(text, at);
  const calls = values.map(callsOf);
  return calls.every((call) => call !== undefined) ? { calls: calls.flat(), end } : undefined;
}

function callsByKey(value: unknown, tags: TagTable): WholeCall[] | undefined {
  if (Array.isArray(value)) {
    const calls = value.map((item) => callsByKey(item, tags));
    return calls.every((call) => call !== undefined) ? calls.flat() : undefined;
  }
  const [entry, ...others] = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const call = entry && others.length === 0 ? callOf(entry[0], entry[1], tags) : undefined;
  return call && [call];
}

function readNamed(
  text: string,
  from: number,
  { before, after: behind }: Extract<CallSyntax, { kind: "named" }>,
  tags: TagTable,
): ReadCalls | undefined {
  const calls: WholeCall[] = [];
  for (let at = from; ; ) {
    const begun = begin(before, text, at);
    if (begun === undefined) return { calls, end: at };
    const valueEnd = jsonEnd(text, begun.end);
    const end = valueEnd === undefined ? undefined : after(behind, text, valueEnd);
    if (end === undefined) return undefined;
    const call = callOf(begun.name, parseJson(text.slice(begun.end, valueEnd)), tags);
    if (call === undefined) return undefined;
    calls.push(call);
    at = end;
  }
}

function readPairs(
  text: string,
  from: number,
  { before, pair, after: behind }: Extract<CallSyntax, { kind: "pairs" }>,
  tags: TagTable,
): ReadCalls | undefined {
  const calls: WholeCall[] = [];
  for (let at = from; ; ) {
    const begun = begin(before, text, at);
    if (begun === undefined) return { calls, end: at };
    const valueEnd = jsonEnd(text, begun.end);
    const given = new Map<string, unknown>();
    let to = valueEnd ?? begun.end;
    for (pair.lastIndex = to; valueEnd === undefined; ) {
      const [found, key = "", ...values] = pair.exec(text) ?? [];
      // The parameter occurs twice: it is ambiguous which value applies.
      if (found === undefined || given.has(key)) break;
      given.set(key, trimmed(values.find((value) => value !== undefined) ?? ""));
      to = pair.lastIndex;
    }
    const end = after(behind, text, to);
    const args =
      valueEnd === undefined ? Object.fromEntries(given) : parseJson(text.slice(begun.end, valueEnd));
    const call = end === undefined ? undefined : callOf(begun.name, args, tags);
    if (end === undefined || call === undefined) return undefined;
    calls.push(call);
    at = end;
  }
}

/** One line break at either end belongs to the form. */
function trimmed(value: string): string {
  return value.replace(/^\r?\n/, "").replace(/\r?\n[ \t]*$/, "");
}

function begin(before: RegExp, text: string, at: number): { name: string; end: number } | undefined {
  before.lastIndex = at;
  const [found, ...names] = before.exec(text) ?? [];
  const name = names.find((group) => group !== undefined);
  return found === undefined || name === undefined ? undefined : { name, end: at + found.length };
}

function callOf(name: string, args: unknown, tags: TagTable): WholeCall | undefined {
  const tool = toolNamed(name, tags);
  const params = paramsOfArguments(args, tool);
  return params && { name: tool?.name ?? name, params };
}

/** Returns the position after what the pattern matches at `at`. */
export function after(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  const [found] = pattern.exec(text) ?? [];
  return found === undefined ? undefined : at + found.length;
}
