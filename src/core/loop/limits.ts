/** What ends a turn before the model does: too many requests, too high a cost, the same mistake again and again. */
import type { NoticeCode } from "../../shared/event.ts";
import type { ToolCallBlock } from "../../shared/message.ts";
import { askAt, Repeats } from "./repeats.ts";

/** The same failing call so many times in a row asks the person. */
export const mistakeLimit = 3;

export interface Caps {
  /** Requests since the person last spoke; 0: no cap. */
  maxRequests: number;
  /** USD for the task; 0: no cap. */
  maxCost: number;
}

export interface Limit {
  code: NoticeCode;
  values: string[];
}

export class Limits {
  #requests = 0;
  /** Cost up to which the person has said to go on. */
  #costAccepted = 0;
  #reached = false;
  #lastMistake = "";
  #mistakes = 0;
  readonly #repeats = new Repeats();
  #repeated = 0;
  #misread = 0;

  /** The person spoke, or said to go on: counting starts again, past a cap that was reached. */
  reset(cost: number): void {
    if (this.#reached) this.#costAccepted = cost;
    this.#reached = false;
    this.#requests = 0;
    this.#repeats.reset();
    this.#repeated = 0;
    this.#misread = 0;
    this.succeeded();
  }

  /** Asked before each request; a limit that is reached is returned, else the request is counted. */
  next(caps: Caps, cost: number): Limit | undefined {
    const limit = this.#check(caps, cost);
    if (limit) this.#reached = true;
    else this.#requests++;
    return limit;
  }

  #check(caps: Caps, cost: number): Limit | undefined {
    if (this.#mistakes >= mistakeLimit) return { code: "mistake-limit", values: [String(this.#mistakes)] };
    if (this.#repeated >= askAt) return { code: "repeat-limit", values: [String(this.#repeated)] };
    if (this.#misread >= mistakeLimit) return { code: "mistake-limit", values: [String(this.#misread)] };
    if (caps.maxRequests > 0 && this.#requests >= caps.maxRequests) {
      return { code: "request-limit", values: [String(this.#requests)] };
    }
    if (caps.maxCost > 0 && cost - this.#costAccepted >= caps.maxCost) {
      return { code: "cost-limit", values: [cost.toFixed(2)] };
    }
    return undefined;
  }

  failed(call: Pick<ToolCallBlock, "name" | "params">): void {
    this.mistake(JSON.stringify([call.name, call.params]));
  }

  /** Counts a mistake by what it was; another one starts the count anew. */
  mistake(what: string): void {
    this.#mistakes = what === this.#lastMistake ? this.#mistakes + 1 : 1;
    this.#lastMistake = what;
  }

  /** Counts a call that succeeded; returns how often it has come with the same result while nothing changed. */
  repeated(...call: Parameters<Repeats["count"]>): number {
    const count = this.#repeats.count(...call);
    this.#repeated = Math.max(this.#repeated, count);
    return count;
  }

  /** Counts answers in a row that hold what looks like a call and is none, whatever it is and whatever ran beside it. */
  answer(holdsUnread: boolean): void {
    this.#misread = holdsUnread ? this.#misread + 1 : 0;
  }

  succeeded(): void {
    this.#lastMistake = "";
    this.#mistakes = 0;
  }
}
