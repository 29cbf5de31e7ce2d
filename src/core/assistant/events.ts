/**
 * What an assistant message consists of while it streams, whichever protocol carried it.
 *
 * A delta is final when emitted: nothing that comes later takes it back, and folding the events of any
 * chunking gives the blocks of the whole message. `index` numbers the tool calls of one message from 0.
 * `partial` is true for a call that the message did not finish; such a call is shown and never run. `fault` says what
 * was wrong with a call that was not simply cut off by the message's end, in words for the model.
 */
export type AssistantEvent =
  | { type: "text"; delta: string }
  | { type: "reasoning"; delta: string }
  /** `id`: the endpoint's own, where it has given one. */
  | { type: "tool-start"; index: number; name: string; id?: string }
  | { type: "param"; index: number; name: string; delta: string }
  | { type: "tool-end"; index: number; partial: boolean; fault?: string; native?: NativeOutcome };

/** What a native call has that its parameters' texts do not tell. */
export interface NativeOutcome {
  /** As parsed, with the types that they have in JSON; undefined where they are not whole. */
  arguments: Record<string, unknown> | undefined;
  /** Goes back to the endpoint with the call, as it came. */
  extra?: Record<string, unknown>;
}

/** A finished piece of an assistant message, in the order in which the pieces began. */
export type AssistantBlock =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  | { type: "tool"; name: string; params: Record<string, string>; partial: boolean; fault?: string };

/** A tool as the parsers need to know it: its name and the names of its parameters. */
export interface ToolSyntax {
  readonly name: string;
  readonly params: readonly string[];
  /**
   * The parameter that bare text between the tool's tags stands for, "" where none is certain. Left out, it is the
   * first parameter.
   */
  readonly text?: string;
}

const PIECES = 512;

/** Collects deltas in linear time and keeps few small strings alive: 512 of them become one. */
export class TextBuilder {
  private head = "";
  private pieces: string[] = [];

  append(delta: string): void {
    this.pieces.push(delta);
    if (this.pieces.length >= PIECES) this.compact();
  }

  toString(): string {
    if (this.pieces.length > 0) this.compact();
    return this.head;
  }

  private compact(): void {
    this.head += this.pieces.join("");
    this.pieces = [];
  }
}

/** A call while it is folded: `partial` until its `tool-end` has come. */
export interface FoldedCall {
  type: "tool";
  name: string;
  params: Map<string, TextBuilder>;
  partial: boolean;
  fault?: string;
  native?: NativeOutcome;
}

export type FoldedBlock = { type: "text" | "reasoning"; text: TextBuilder } | FoldedCall;

/** The texts of a call's parameters so far. */
export function paramsOf(call: FoldedCall): Record<string, string> {
  return Object.fromEntries(Array.from(call.params, ([name, value]) => [name, value.toString()]));
}

/**
 * Folds events into blocks as they come. `blocks()` may be asked at any time; a call whose `tool-end` has not
 * come yet stands there as partial. Events that refer to a call that never started are ignored.
 */
export class BlockFolder {
  readonly #open: FoldedBlock[] = [];
  readonly #calls = new Map<number, FoldedCall>();

  /** The blocks as they are folded, in the order in which they began. */
  get open(): readonly FoldedBlock[] {
    return this.#open;
  }

  /** Folds one event; the block that it belongs to, or undefined where there is none. */
  add(event: AssistantEvent): FoldedBlock | undefined {
    if (event.type === "text" || event.type === "reasoning") return this.#append(event.type, event.delta);
    if (event.type === "tool-start") {
      const call: FoldedCall = { type: "tool", name: event.name, params: new Map(), partial: true };
      this.#calls.set(event.index, call);
      this.#open.push(call);
      return call;
    }
    const call = this.#calls.get(event.index);
    if (call === undefined) return undefined;
    if (event.type === "param") {
      let value = call.params.get(event.name);
      if (value === undefined) {
        value = new TextBuilder();
        call.params.set(event.name, value);
      }
      value.append(event.delta);
    } else {
      call.partial = event.partial;
      if (event.fault !== undefined) call.fault = event.fault;
      if (event.native !== undefined) call.native = event.native;
    }
    return call;
  }

  blocks(): AssistantBlock[] {
    return this.#open.map((block) => {
      if (block.type !== "tool") return { type: block.type, text: block.text.toString() };
      const { name, partial, fault } = block;
      const params = paramsOf(block);
      return { type: "tool", name, params, partial, ...(fault === undefined ? {} : { fault }) };
    });
  }

  #append(type: "text" | "reasoning", delta: string): FoldedBlock {
    let last = this.#open.at(-1);
    if (last?.type !== type) {
      last = { type, text: new TextBuilder() };
      this.#open.push(last);
    }
    last.text.append(delta);
    return last;
  }
}

/** The blocks of a whole message, from all of its events. */
export function foldEvents(events: Iterable<AssistantEvent>): AssistantBlock[] {
  const folder = new BlockFolder();
  for (const event of events) folder.add(event);
  return folder.blocks();
}
