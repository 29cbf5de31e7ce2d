/**
 * Caches values derived from a message or a result, which never changes. They are stored in private fields of the object
 * itself, so that they live as long as the object, and copies do not have them. Weak maps would do the same, but growing them
 * takes longer than everything else that fits a long conversation into the window.
 */
import type { Message, ToolResultBlock } from "../../shared/message.ts";
import type { ShownFile } from "../tools/tool.ts";

export interface MessageFacts {
  /** Estimated tokens in a request. */
  tokens?: number;
  /** Without rules blocks, and without the calls of another product. */
  sent?: Message;
  /** Without added details. */
  bare?: Message;
  /** The calls of another product that it answers, as text. */
  foreign?: { cap: number; form: Message };
  /** The forms of a tool message by which of its results are notes. */
  bound?: { cap: number; forms: Map<string, Message> };
}

export interface ResultFacts {
  /** Estimated tokens in a request. */
  tokens?: number;
  bound?: BoundResult;
  /** The file and the lines that it shows; null: none. */
  shown?: ShownFile | null;
}

/** The two forms of a result in a request. */
export interface BoundResult {
  cap: number;
  /** In full up to the cap. */
  whole: ToolResultBlock;
  /** The note that replaces it when the request is too long, and the estimated tokens that it saves. */
  replacement?: { note: ToolResultBlock; saving: number };
}

/** Classes that extend this one add their private fields to the object that they are given. */
class Itself {
  constructor(target: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the fields belong to that object
    return target;
  }
}

class DerivedMessage extends Itself {
  readonly #facts: MessageFacts = {};

  static of(message: Message): MessageFacts {
    if (#facts in message) return message.#facts;
    new DerivedMessage(message);
    return DerivedMessage.of(message);
  }
}

class DerivedResult extends Itself {
  readonly #facts: ResultFacts = {};

  static of(result: ToolResultBlock): ResultFacts {
    if (#facts in result) return result.#facts;
    new DerivedResult(result);
    return DerivedResult.of(result);
  }
}

/** What was derived from the message so far; the caller adds to it. */
export const factsOf = DerivedMessage.of;
/** What was derived from the result so far; the caller adds to it. */
export const resultFactsOf = DerivedResult.of;
