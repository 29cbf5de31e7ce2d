import type { TextDelta } from "../answer-deltas.ts";

/**
 * The parts of an assistant message while it streams, whichever protocol carried it.
 *
 * A delta is final when emitted: nothing later revokes it, and folding the events of any chunking gives the blocks of
 * the complete message. `index` numbers the tool calls of one message from 0. `partial` is true for a call that the
 * message did not finish; such a call is shown and never run. `fault` tells the model what is wrong with a call that
 * was not merely cut off by the end of the message.
 */
export type AssistantEvent =
  | TextDelta
  /** Ends a block of reasoning, which may have no text, with its opaque form. `late`: other blocks began since. */
  | { type: "reasoning-end"; signed: Record<string, unknown>; late?: true }
  /** `id`: the endpoint's own, if it sent one. */
  | { type: "tool-start"; index: number; name: string; id?: string }
  | { type: "param"; index: number; name: string; delta: string }
  | { type: "tool-end"; index: number; partial: boolean; fault?: string; native?: NativeOutcome };

/** Data of a native call that its parameters' texts do not contain. */
interface NativeOutcome {
  /** The parsed arguments with their JSON types; undefined if they are incomplete. */
  arguments: Record<string, unknown> | undefined;
  /** Sent back to the endpoint with the call, unchanged. */
  extra?: Record<string, unknown>;
}

/** A finished part of an assistant message. Parts are in the order in which they began. */
export type AssistantBlock =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  | { type: "tool"; name: string; params: Record<string, string>; partial: boolean; fault?: string };

/** What the parsers need to know about a tool: its name and the names of its parameters. */
export interface ToolSyntax {
  readonly name: string;
  readonly params: readonly string[];
  /** The parameter for bare text between the tool's tags; "" if it is ambiguous. Defaults to the first parameter. */
  readonly text?: string;
  /** Whether a call with these arguments can run. Default: each is a parameter of the tool. */
  readonly fits?: (params: Readonly<Record<string, string>>) => boolean;
}

const PIECES = 512;

/** Collects deltas in linear time and keeps few small strings alive: 512 of them become one. */
export class TextBuilder {
  #head = "";
  #pieces: string[] = [];

  append(delta: string): void {
    this.#pieces.push(delta);
    if (this.#pieces.length >= PIECES) this.#compact();
  }

  toString(): string {
    if (this.#pieces.length > 0) this.#compact();
    return this.#head;
  }

  #compact(): void {
    this.#head += this.#pieces.join("");
    this.#pieces = [];
  }
}

/** A call that is being folded: `partial` until its `tool-end` arrives. */
export interface FoldedCall {
  type: "tool";
  name: string;
  params: Map<string, TextBuilder>;
  partial: boolean;
  fault?: string;
  native?: NativeOutcome;
}

export type FoldedBlock =
  | { type: "text"; text: TextBuilder }
  | { type: "reasoning"; text: TextBuilder; signed?: Record<string, unknown> }
  | FoldedCall;

/** Returns the texts of a call's parameters so far. */
export function paramsOf(call: FoldedCall): Record<string, string> {
  return Object.fromEntries(Array.from(call.params, ([name, value]) => [name, value.toString()]));
}

/**
 * Folds events into blocks as they arrive. `blocks()` may be called at any time; a call without its `tool-end` is
 * partial in it. Events that refer to a call that never started are ignored.
 */
export class BlockFolder {
  readonly #open: FoldedBlock[] = [];
  readonly #calls = new Map<number, FoldedCall>();

  /** The blocks so far, in the order in which they began. */
  get open(): readonly FoldedBlock[] {
    return this.#open;
  }

  /** Folds one event. Returns the block that it belongs to; undefined if there is none. */
  add(event: AssistantEvent): FoldedBlock | undefined {
    if (event.type === "text" || event.type === "reasoning") return this.#append(event.type, event.delta);
    if (event.type === "reasoning-end") return this.#endReasoning(event);
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
    const last = this.#open.at(-1);
    if (last?.type === type && !("signed" in last)) {
      last.text.append(delta);
      return last;
    }
    const text = new TextBuilder();
    text.append(delta);
    return this.#begin({ type, text });
  }

  #endReasoning({ signed, late }: Extract<AssistantEvent, { type: "reasoning-end" }>): FoldedBlock {
    const block = late ? this.#open.find(isUnsigned) : this.#open.at(-1);
    if (!block || !isUnsigned(block))
      return this.#begin({ type: "reasoning", text: new TextBuilder(), signed });
    block.signed = signed;
    return block;
  }

  #begin(block: FoldedBlock): FoldedBlock {
    this.#open.push(block);
    return block;
  }
}

function isUnsigned(block: FoldedBlock): block is Extract<FoldedBlock, { type: "reasoning" }> {
  return block.type === "reasoning" && !block.signed;
}

/** Returns the blocks of a complete message from all its events. */
export function foldEvents(events: Iterable<AssistantEvent>): AssistantBlock[] {
  const folder = new BlockFolder();
  for (const event of events) folder.add(event);
  return folder.blocks();
}
