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
  | { type: "tool-start"; index: number; name: string }
  | { type: "param"; index: number; name: string; delta: string }
  | { type: "tool-end"; index: number; partial: boolean; fault?: string };

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

type OpenBlock =
  | { type: "text" | "reasoning"; text: TextBuilder }
  | { type: "tool"; name: string; params: Map<string, TextBuilder>; partial: boolean; fault?: string };

/**
 * Folds events into blocks as they come. `blocks()` may be asked at any time; a call whose `tool-end` has not
 * come yet stands there as partial. Events that refer to a call that never started are ignored.
 */
export class BlockFolder {
  private readonly list: OpenBlock[] = [];
  private readonly calls = new Map<number, Extract<OpenBlock, { type: "tool" }>>();

  add(event: AssistantEvent): void {
    switch (event.type) {
      case "text":
      case "reasoning": {
        const last = this.list.at(-1);
        if (last !== undefined && last.type === event.type) {
          last.text.append(event.delta);
          return;
        }
        const text = new TextBuilder();
        text.append(event.delta);
        this.list.push({ type: event.type, text });
        return;
      }
      case "tool-start": {
        const call = { type: "tool" as const, name: event.name, params: new Map(), partial: true };
        this.calls.set(event.index, call);
        this.list.push(call);
        return;
      }
      case "param": {
        const params = this.calls.get(event.index)?.params;
        if (params === undefined) return;
        let value = params.get(event.name);
        if (value === undefined) {
          value = new TextBuilder();
          params.set(event.name, value);
        }
        value.append(event.delta);
        return;
      }
      case "tool-end": {
        const call = this.calls.get(event.index);
        if (call === undefined) return;
        call.partial = event.partial;
        if (event.fault !== undefined) call.fault = event.fault;
      }
    }
  }

  blocks(): AssistantBlock[] {
    return this.list.map((block) => {
      if (block.type !== "tool") return { type: block.type, text: block.text.toString() };
      const params: Record<string, string> = Object.fromEntries(
        Array.from(block.params, ([name, value]) => [name, value.toString()]),
      );
      const { name, partial, fault } = block;
      return { type: "tool", name, params, partial, ...(fault === undefined ? {} : { fault }) };
    });
  }
}

/** The blocks of a whole message, from all of its events. */
export function foldEvents(events: Iterable<AssistantEvent>): AssistantBlock[] {
  const folder = new BlockFolder();
  for (const event of events) folder.add(event);
  return folder.blocks();
}
