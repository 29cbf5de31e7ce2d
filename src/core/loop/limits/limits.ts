/** Limits that end a turn: too many requests, too high a cost, or repeated mistakes. */
import type { NoticeCode } from "../../../shared/event.ts";
import type { ToolCallBlock } from "../../../shared/message.ts";
import { groupedDigits } from "../../../shared/text/grouped-digits.ts";
import type { AdminPolicy } from "../../policy/admin-policy.ts";
import { ASK_AT, callKey, Repeats } from "./repeats.ts";

/** Consecutive identical failing calls after which the user is asked. */
const MISTAKE_LIMIT = 3;

export interface Caps {
  /** Requests since the user's last message; 0: no cap. */
  maxRequests: number;
  /** USD for the task; 0: no cap. */
  maxCost: number;
  /** USD for a day; 0: no cap. */
  maxCostPerDay: number;
  /** Requests for a day; 0: no cap. */
  maxRequestsPerDay: number;
  /** USD of the first request for a message from which on the user is asked; 0: never. */
  askAboveCost: number;
  /** The administrator's policy: USD for the task and the day. The user cannot continue past them. */
  managed?: Pick<AdminPolicy, "managedBy" | "limits"> | undefined;
}

export interface Limit {
  code: NoticeCode;
  values: string[];
}

/** What is known before a request. */
export interface Spending {
  /** USD of the task. */
  task: number;
  /** USD and requests of all tasks today; nothing if no limit `countsDays`. */
  today: { cost: number; requests: number };
  /** Estimates the next request; `cost` absent: not known. */
  next: () => { tokens: number; cost?: number | undefined };
}

/** Whether a limit of a day applies, so that what today has cost must be read. */
export function countsDays({ maxCostPerDay, maxRequestsPerDay, managed }: Caps): boolean {
  return maxCostPerDay > 0 || maxRequestsPerDay > 0 || managed?.limits?.costPerDay !== undefined;
}

/** The limits of the parent task, where the requests and costs of both tasks count. */
export interface ParentLimits {
  limits: Pick<Limits, "nextOfSubtask">;
  /** USD of the parent task and all its subtasks. */
  cost(): number;
}

export class Limits {
  readonly #parent: ParentLimits | undefined;
  /** The user need not be asked (again) about the cost of the turn's first request. */
  #isFirstCostAccepted = false;
  #acceptsForecast = false;
  /** Cost and requests of today up to which the user has agreed to continue. */
  #todayAccepted = { cost: 0, requests: 0 };
  #today = { cost: 0, requests: 0 };
  #requests = 0;
  /** Cost up to which the user has agreed to continue. */
  #costAccepted = 0;
  #reached = false;
  #lastMistake = "";
  #mistakes = 0;
  readonly #repeats = new Repeats();
  #repeated = 0;
  #malformed = 0;

  /** `parent`: absent for a task that the user started. */
  constructor(parent?: ParentLimits) {
    this.#parent = parent;
  }

  /** Restarts counting after a user message or the user's agreement to continue, past a cap that was reached. */
  reset(cost: number): void {
    if (this.#reached) this.#costAccepted = cost;
    if (this.#reached && this.#acceptsForecast) this.#todayAccepted = this.#today;
    this.#isFirstCostAccepted = this.#acceptsForecast;
    this.#acceptsForecast = false;
    this.#reached = false;
    this.#requests = 0;
    this.#repeats.reset();
    this.#repeated = 0;
    this.#malformed = 0;
    this.succeeded();
  }

  /** The user continues past a limit, knowing what it costs. Call before `reset`. */
  accept(): void {
    this.#acceptsForecast = true;
  }

  /** Call before each request. Returns a limit that is reached; otherwise counts the request. */
  next(caps: Caps, spending: Spending): Limit | undefined {
    this.#today = spending.today;
    const parent = this.#parent;
    const managed = managedLimit(caps, { ...spending, task: parent ? parent.cost() : spending.task });
    // It stays reached whatever the user accepts, so that accepting must not count for the user's own limits.
    if (managed) return managed;
    const limit = parent
      ? (this.#checkMistakes() ?? parent.limits.nextOfSubtask(caps, { ...spending, task: parent.cost() }))
      : (this.#checkMistakes() ?? this.#check(caps, spending.task) ?? this.#checkSpending(caps, spending));
    if (limit) this.#reached = true;
    else {
      this.#requests++;
      this.#isFirstCostAccepted = true;
    }
    return limit;
  }

  /** Call before each request of a subtask. Works like `next`, but disregards this task's own mistakes. */
  nextOfSubtask(caps: Caps, spending: Spending): Limit | undefined {
    this.#today = spending.today;
    const limit =
      this.#check(caps, spending.task) ?? this.#checkSpending({ ...caps, askAboveCost: 0 }, spending);
    if (limit) this.#reached = true;
    else this.#requests++;
    return limit;
  }

  #occurred(times: number): number {
    this.#repeated = Math.max(this.#repeated, times);
    return times;
  }

  #checkMistakes(): Limit | undefined {
    if (this.#mistakes >= MISTAKE_LIMIT) return { code: "mistake-limit", values: [String(this.#mistakes)] };
    if (this.#repeated >= ASK_AT) return { code: "repeat-limit", values: [String(this.#repeated)] };
    if (this.#malformed >= MISTAKE_LIMIT) return { code: "mistake-limit", values: [String(this.#malformed)] };
    return undefined;
  }

  #check(caps: Caps, cost: number): Limit | undefined {
    if (caps.maxRequests > 0 && this.#requests >= caps.maxRequests) {
      return { code: "request-limit", values: [String(this.#requests)] };
    }
    if (caps.maxCost > 0 && cost - this.#costAccepted >= caps.maxCost) {
      return { code: "cost-limit", values: [cost.toFixed(2)] };
    }
    return undefined;
  }

  #checkSpending(caps: Caps, { today, next }: Spending): Limit | undefined {
    const { maxCostPerDay, maxRequestsPerDay, askAboveCost } = caps;
    const accepted = this.#todayAccepted;
    if (maxCostPerDay > 0 && today.cost - accepted.cost >= maxCostPerDay)
      return { code: "day-cost-limit", values: [today.cost.toFixed(2)] };
    if (maxRequestsPerDay > 0 && today.requests - accepted.requests >= maxRequestsPerDay)
      return { code: "day-request-limit", values: [String(today.requests)] };
    if (askAboveCost === 0 || this.#isFirstCostAccepted) return undefined;
    const { tokens, cost } = next();
    if (cost === undefined || cost < askAboveCost) return undefined;
    const count = groupedDigits(Number(tokens.toPrecision(2)));
    return { code: "cost-ahead", values: [count, cost.toFixed(2)] };
  }

  failed(call: Pick<ToolCallBlock, "name" | "params">, error: string): void {
    this.mistake(callKey(call));
    this.#occurred(this.#repeats.failed(call, error));
  }

  /** Counts consecutive identical mistakes; a different one restarts the count. */
  mistake(what: string): void {
    this.#mistakes = what === this.#lastMistake ? this.#mistakes + 1 : 1;
    this.#lastMistake = what;
  }

  /** Counts a successful call; returns how often it has had the same result while nothing changed, or how often an edit was made. */
  repeated(...call: Parameters<Repeats["count"]>): number {
    return this.#occurred(this.#repeats.count(...call));
  }

  /** Counts consecutive answers that contain a malformed call, whatever else ran. */
  answer(hasMalformedCall: boolean): void {
    this.#malformed = hasMalformedCall ? this.#malformed + 1 : 0;
  }

  succeeded(): void {
    this.#lastMistake = "";
    this.#mistakes = 0;
  }
}

function managedLimit({ managed }: Caps, { task, today }: Spending): Limit | undefined {
  if (!managed?.limits) return undefined;
  const { managedBy, limits } = managed;
  const { costPerTask = Number.POSITIVE_INFINITY, costPerDay = Number.POSITIVE_INFINITY } = limits;
  const reached = (code: NoticeCode, cost: number) => ({ code, values: [cost.toFixed(2), managedBy] });
  if (task >= costPerTask) return reached("managed-cost-limit", task);
  if (today.cost >= costPerDay) return reached("managed-day-cost-limit", today.cost);
  return undefined;
}
