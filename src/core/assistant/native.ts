import type { ToolCallDelta } from "../answer-deltas.ts";
import { type AssistantEvent, TextBuilder, type ToolSyntax } from "./events.ts";
import { type ArgumentsParser, createArgumentsParser } from "./json/arguments-parser.ts";
import { isRecord } from "./record.ts";

/** One call in its final state. `index` is that of its events. */
interface NativeCall {
  index: number;
  id: string;
  name: string;
  /** The arguments as received, without a leading empty object. */
  argumentsText: string;
  /** The parsed arguments; undefined if `error` is set. */
  arguments: Record<string, unknown> | undefined;
  error: string | null;
  /** True if the arguments are incomplete; such a call never runs. */
  partial: boolean;
  extra?: Record<string, unknown>;
}

/** Converts streamed native tool calls to `AssistantEvent`s. */
export interface NativeCallParser {
  /** Number of calls so far, including those without a name. */
  readonly count: number;
  /** Reads items that arrived together. `mostCalls`: what follows more calls is not read. */
  push(items: readonly ToolCallDelta[], mostCalls?: number): AssistantEvent[];
  /**
   * Closes what is open. `cutOff`: the provider stopped the message at a limit, so a call without any arguments counts
   * as partial.
   */
  end(options?: { cutOff?: boolean }): { events: AssistantEvent[]; calls: NativeCall[] };
}

/**
 * The names in `param` events are the properties of the arguments object. Strings grow by decoded deltas, other values
 * by their JSON text. Events of several calls may interleave; their `index` numbers the calls in order of appearance,
 * whatever the provider's own `index` is.
 *
 * Accepted variants: complete arguments at once (as text or as an object); the name in every delta, or in pieces; ids
 * only in the first delta, empty, missing or duplicate (`newId` then creates one); no `index`, or the same one for all
 * calls, where a new id, or a name with other arguments after complete ones, begins a call; arguments under an index of
 * their own; no arguments, for tools without parameters; `{}` before the actual arguments; arguments that were encoded
 * twice, or of which each delta repeats what came before it; names followed by markup of the model's template.
 */
export function createNativeCallParser(tools: readonly ToolSyntax[], newId: () => string): NativeCallParser {
  return new CallParser(new Set(tools.map((tool) => tool.name)), newId);
}

class CallParser implements NativeCallParser {
  readonly #calls: Call[] = [];
  readonly #byIndex = new Map<number, Call>();
  #events: AssistantEvent[] = [];
  readonly #names: ReadonlySet<string>;
  readonly #newId: () => string;

  constructor(names: ReadonlySet<string>, newId: () => string) {
    this.#names = names;
    this.#newId = newId;
  }

  get count(): number {
    return this.#calls.length;
  }

  push(items: readonly ToolCallDelta[], mostCalls = Number.POSITIVE_INFINITY): AssistantEvent[] {
    this.#events = [];
    let text = "";
    let continued: Call | undefined;
    for (const item of items) {
      if (this.count > mostCalls) break;
      const call = this.#continuedBy(item);
      if (call !== continued) {
        continued?.append(text);
        text = "";
        continued = call;
      }
      if (call) text += item.arguments ?? "";
      else this.#readItem(item);
    }
    continued?.append(text);
    return this.#events;
  }

  end(options: { cutOff?: boolean } = {}): { events: AssistantEvent[]; calls: NativeCall[] } {
    this.#events = [];
    const ids = new Set<string>();
    const calls = this.#calls.map((call) => {
      while (call.id === "" || ids.has(call.id)) call.id = this.#newId();
      ids.add(call.id);
      return call.end(options.cutOff === true);
    });
    return { events: this.#events, calls };
  }

  /**
   * The call of which the item is certainly the next piece of the arguments and nothing else. Such pieces may be a few characters
   * long, so those that arrived together are read as one.
   */
  #continuedBy({ index, id, name, arguments: args = "", extra }: ToolCallDelta): Call | undefined {
    if (index === undefined || id || name || extra) return undefined;
    const call = this.#byIndex.get(index);
    return call?.continuesWith(args) ? call : undefined;
  }

  #readItem({ index, id = "", name = "", arguments: args = "", extra }: ToolCallDelta): void {
    const call = this.#find(index, { id, name, args });
    if (call.id === "") call.id = id;
    if (extra) call.extra = { ...call.extra, ...extra };
    if (name !== "") call.addName(name, this.#names);
    call.addArguments(args);
  }

  /** Returns the call that an item belongs to; creates one if the item begins a call. */
  #find(index: number | undefined, item: Item): Call {
    const current = index === undefined ? this.#unnumbered(item) : this.#numbered(index, item);
    if (current !== undefined) {
      const next = item.id === "" || current.id === "" ? this.#nextName(current, item) : undefined;
      return next === undefined ? current : this.#begin(index, next);
    }
    return this.#begin(index);
  }

  #numbered(index: number, item: Item): Call | undefined {
    const { id, name } = item;
    const current = this.#byIndex.get(index);
    if (current === undefined) return this.#openFor(index, item);
    // Some endpoints give every call the index 0, others send a new id with every delta of one call.
    const isNewId = id !== "" && !this.#calls.some((call) => call.id === id);
    const another = isNewId && current.id !== "" && name !== "";
    if (another && (current.complete || (current.name !== name && this.#names.has(name)))) return undefined;
    return current;
  }

  #unnumbered({ id, name }: Item): Call | undefined {
    const last = this.#calls.at(-1);
    if (id === "") return last;
    const current = this.#calls.find((call) => call.id === id);
    if (current === undefined && last?.id === "" && !last.complete && name === "") return last;
    return current;
  }

  /** Some gateways number a call and its arguments apart. Only one open call makes certain which one is meant. */
  #openFor(index: number, { id, name, args }: Item): Call | undefined {
    if (id !== "" || name !== "" || args === "") return undefined;
    const [only, another] = this.#calls.filter((call) => !call.complete);
    if (only === undefined || another !== undefined) return undefined;
    this.#byIndex.set(index, only);
    return only;
  }

  /** Returns the name of the call that an item without an id of its own begins after a complete one. */
  #nextName(current: Call, { name, args }: Item): string | undefined {
    if (!current.complete) return undefined;
    if (name !== "" && name !== current.name && this.#names.has(name)) return name;
    // Some endpoints repeat the name in every delta, some the complete arguments at the end.
    const isOther = args.trim() !== "" && current.hasArguments && !current.isArguments(args);
    if (isOther && (name !== "" || current.nameRepeated)) return name || current.name;
    if (name !== "") current.nameRepeated = true;
    return undefined;
  }

  #begin(index: number | undefined, name = ""): Call {
    const call = new Call(this.#calls.length, (event) => this.#events.push(event));
    this.#calls.push(call);
    if (index !== undefined) this.#byIndex.set(index, call);
    if (name !== "") call.addName(name, this.#names);
    return call;
  }
}

/** What a delta contains; "" for each part that it lacks. */
interface Item {
  id: string;
  name: string;
  args: string;
}

/** Characters after which further pieces of a name are ignored: no tool has such a long name. */
const LONGEST_NAME = 256;

/** Markup of templates after a name: `read_file<|channel|>commentary`. No name of a tool contains it. */
const MARKUP_BEHIND = /^([^<]*[^<\s])\s*<[\s\S]*$/;

const EMPTY_OBJECT = /^\s*(?:\{\s*\}\s*)?$/;
const EMPTY_AHEAD = /^\s*\{\s*\}\s*(?=\{)/;

class Call {
  id = "";
  #name = "";
  extra: Record<string, unknown> | undefined;
  /** The name came again after the complete arguments. */
  nameRepeated = false;
  #started = false;
  #ended = false;
  readonly #text = new TextBuilder();
  #length = 0;
  #isEmpty = true;
  /** A delta that may repeat everything before it or follow it: the next one decides. */
  #held = "";
  readonly #parser: ArgumentsParser;
  readonly #index: number;
  readonly #emit: (event: AssistantEvent) => void;

  constructor(index: number, emit: (event: AssistantEvent) => void) {
    this.#index = index;
    this.#emit = emit;
    this.#parser = this.#newParser();
  }

  get name(): string {
    return this.#name.replace(MARKUP_BEHIND, "$1");
  }

  get complete(): boolean {
    return this.#parser.complete;
  }

  /** More than an empty object, which some endpoints send before the actual arguments. */
  get hasArguments(): boolean {
    return !EMPTY_OBJECT.test(this.#text.toString());
  }

  isArguments(text: string): boolean {
    return text === this.#text.toString();
  }

  #newParser(): ArgumentsParser {
    return createArgumentsParser((name, delta) =>
      this.#emit({ type: "param", index: this.#index, name, delta }),
    );
  }

  /** Reads a name, or the next piece of one. The name of a known tool is complete, and so is a repeated name. */
  addName(name: string, known: ReadonlySet<string>): void {
    if (this.#started || name === this.#name || this.#name.length > LONGEST_NAME) return;
    this.#name = known.has(name) ? name : this.#name + name;
    if (
      known.has(this.name) &&
      ![...known].some((other) => other !== this.name && other.startsWith(this.name))
    ) {
      this.#start();
    }
  }

  addArguments(delta: string): void {
    if (delta === "") return;
    this.#start();
    // Some endpoints send the complete arguments again at the end.
    if (this.complete && delta === this.#text.toString()) return;
    const held = this.#takeHeld();
    if (held !== "")
      this.append(delta.startsWith(held) && !this.#fits(held, delta) ? held.slice(this.#length) : held);
    if (this.#isEmpty || !this.#beginsAll(delta)) this.append(delta);
    else if (this.#fits(delta)) this.#held = delta;
    else this.append(delta.slice(this.#length));
  }

  /** True if the delta follows what came before it: it is too short to repeat that, and no other call can begin with it. */
  continuesWith(delta: string): boolean {
    return delta.length < this.#length && this.#held === "" && !this.nameRepeated;
  }

  append(delta: string): void {
    this.#text.append(delta);
    this.#length += delta.length;
    if (this.#isEmpty && delta.trim() !== "") this.#isEmpty = false;
    this.#parser.push(delta);
  }

  #takeHeld(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }

  /** True if the delta begins with everything that came before it. */
  #beginsAll(delta: string): boolean {
    return delta.length >= this.#length && delta.startsWith(this.#text.toString());
  }

  /** True if the deltas can follow what came before them. */
  #fits(...deltas: string[]): boolean {
    return this.#followedBy(deltas).error === null;
  }

  #followedBy(deltas: readonly string[]): ArgumentsParser {
    const parser = createArgumentsParser();
    for (const text of [this.#text.toString(), ...deltas]) parser.push(text);
    return parser;
  }

  end(cutOff: boolean): NativeCall {
    this.#start();
    const held = this.#takeHeld();
    if (held !== "") this.append(this.#followedBy([held]).complete ? held : held.slice(this.#length));
    const result = this.#parse(cutOff);
    const partial = result.error !== null;
    const index = this.#index;
    const { id, name } = this;
    const argumentsText = this.#text.toString().replace(EMPTY_AHEAD, "");
    const extra = this.extra ? { extra: this.extra } : {};
    if (!this.#ended) {
      const native = { arguments: result.arguments, ...extra };
      this.#emit({ type: "tool-end", index, partial, native });
    }
    this.#ended = true;
    return { index, id, name, argumentsText, ...result, partial, ...extra };
  }

  #parse(cutOff: boolean): Pick<NativeCall, "arguments" | "error"> {
    if (this.#isEmpty && cutOff)
      return { arguments: undefined, error: "the message was cut off before the arguments" };
    const value = this.#parser.end() ?? undefined;
    if (this.#parser.error !== null)
      return { arguments: undefined, error: `The arguments are not valid JSON: ${this.#parser.error}` };
    // Some models send the word null for a tool without parameters.
    if (value === undefined) return { arguments: {}, error: null };
    if (typeof value === "string") return this.#parseTwice(value);
    return fromObject(value);
  }

  #parseTwice(text: string): Pick<NativeCall, "arguments" | "error"> {
    const inner = this.#newParser();
    inner.push(text);
    const value = inner.end();
    if (inner.error !== null)
      return { arguments: undefined, error: "The arguments must be a JSON object, got a string" };
    return fromObject(value);
  }

  #start(): void {
    if (this.#started) return;
    this.#started = true;
    const index = this.#index;
    const { id, name } = this;
    this.#emit({ type: "tool-start", index, name, ...(id === "" ? {} : { id }) });
  }
}

function fromObject(value: unknown): Pick<NativeCall, "arguments" | "error"> {
  if (isRecord(value)) return { arguments: value, error: null };
  const kind = Array.isArray(value) ? "an array" : `a ${typeof value}`;
  return { arguments: undefined, error: `The arguments must be a JSON object, got ${kind}` };
}
