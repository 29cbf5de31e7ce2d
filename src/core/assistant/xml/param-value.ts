import { EntityText, isShortParam } from "./entities.ts";
import type { EventSink } from "./event-sink.ts";

/** The value of one parameter of a call, emitted as it arrives. */
export class ParamValue {
  readonly name: string;
  /** The value is a single word or path: what ends a call also ends the value. */
  readonly isAtomic: boolean;
  readonly #sink: EventSink;
  #entities: EntityText | undefined;
  #isEmpty = true;
  /** The value contains something that a single word or path cannot contain. */
  #hasTag = false;

  constructor(sink: EventSink, name: string, isAtomic: boolean) {
    this.#sink = sink;
    this.name = name;
    this.isAtomic = isAtomic;
    this.#entities = isShortParam(name) ? new EntityText() : undefined;
  }

  get isShort(): boolean {
    return this.isAtomic || isShortParam(this.name);
  }

  /** True if the value is certainly complete although its closing tag is missing. */
  get isCertain(): boolean {
    return this.isAtomic && !this.#hasTag;
  }

  /** Takes what follows as it is written, as in a CDATA section. */
  takeLiterally(): void {
    this.#entities = undefined;
  }

  push(delta: string): void {
    this.#emit(this.#entities === undefined ? delta : this.#entities.push(delta));
  }

  end(): void {
    this.#emit(this.#entities?.end() ?? "");
    // An empty value is still a value.
    if (this.#isEmpty) this.#sink.param(this.name, "");
  }

  #emit(delta: string): void {
    if (delta === "") return;
    this.#isEmpty = false;
    if (this.isAtomic && /[<\n]/.test(delta)) this.#hasTag = true;
    this.#sink.param(this.name, delta);
  }
}
