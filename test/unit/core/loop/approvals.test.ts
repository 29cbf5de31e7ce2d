/** A call that waits for the user: decided once, or ended by Stop. */
import { beforeEach, expect, it } from "vitest";
import { Interrupt } from "../../../../src/core/errors.ts";
import { Emitter } from "../../../../src/core/lifecycle.ts";
import { Approvals, type Decision } from "../../../../src/core/loop/calls/approvals.ts";
import { type AnswerDraft, UNPREPARED } from "../../../../src/shared/permission/prepared-answer.ts";
import { defaultSettings } from "../../../../src/shared/settings.ts";

const YES: Decision = { approved: true, comment: undefined };
const NO: Decision = { approved: false, comment: undefined };
const offer = { entry: "npm test", allowTool: undefined };

let stored: string[];
let now = 0;
let approvals: Approvals;

beforeEach(() => {
  stored = [];
  approvals = new Approvals({
    host: { log: { info: () => {}, error: () => {} }, clock: { now: () => new Date(now) } },
    settings: () => defaultSettings,
    allowCommand: async (entry) => void stored.push(entry),
  });
});

it("only an approval also allows what was offered", async () => {
  const { signal } = new AbortController();
  const rejected = approvals.wait("a", signal, { offer });
  expect(approvals.decide("a", NO, { allow: "always" })).toBe(true);
  expect(await rejected).toEqual(NO);
  expect(stored).toEqual([]);
  const approved = approvals.wait("b", signal, { offer });
  expect(approvals.decide("b", YES, { allow: "always" })).toBe(true);
  expect(await approved).toEqual(YES);
  expect(stored).toEqual(["npm test"]);
});

it("is decided on once, and for itself alone", async () => {
  const { signal } = new AbortController();
  const first = approvals.wait("a", signal, { offer });
  const other = approvals.wait("b", signal);
  expect(approvals.decide("a", NO)).toBe(true);
  expect(approvals.decide("a", YES, { allow: "always" })).toBe(false);
  expect(await first).toEqual(NO);
  expect([approvals.decided, approvals.first, stored]).toEqual([1, "b", []]);
  approvals.decide("b", YES);
  expect(await other).toEqual(YES);
});

it("takes what the user prepared, wherever it is decided, and left-out hunks for an approval alone", async () => {
  const { signal } = new AbortController();
  const first = approvals.wait("a", signal);
  approvals.prepare("a", { comment: " use pnpm ", left: [1] });
  expect(approvals.prepared("a")).toEqual({ comment: " use pnpm ", left: [1], edited: [] });
  approvals.decide("a", YES);
  expect(await first).toEqual({ approved: true, comment: "use pnpm", excludedHunks: [1] });
  const second = approvals.wait("b", signal);
  approvals.prepare("b", { comment: "not so", left: [0, 1] });
  approvals.decide("b", NO);
  expect(await second).toEqual({ approved: false, comment: "not so" });
  const third = approvals.wait("c", signal);
  approvals.prepare("c", { comment: "once", left: [1] });
  approvals.prepare("c", { comment: "", left: [] });
  approvals.decide("c", YES);
  expect(await third).toEqual(YES);
  // What was prepared for a call is not that of the next one of its id, nor of any other.
  const again = approvals.wait("a", signal);
  expect(approvals.prepared("a")).toEqual(UNPREPARED);
  approvals.decide("a", YES);
  expect(await again).toEqual(YES);
});

it("of a task that another one started takes what was prepared there", async () => {
  const { signal } = new AbortController();
  const parent = new Approvals({
    host: { log: { info: () => {}, error: () => {} }, clock: { now: () => new Date(now) } },
    settings: () => defaultSettings,
    allowCommand: async () => {},
  });
  const waiting = approvals.wait("a", signal);
  parent.forward("child/a", {
    decide: (decision) => approvals.decide("a", decision),
    why: () => approvals.why("a"),
    prepare: (answer) => approvals.prepare("a", answer),
    prepared: () => approvals.prepared("a"),
  });
  parent.prepare("child/a", { comment: "so", left: [2] });
  expect(parent.prepared("child/a")).toEqual({ comment: "so", left: [2], edited: [] });
  expect(parent.decide("child/a", YES)).toBe(true);
  expect(await waiting).toEqual({ approved: true, comment: "so", excludedHunks: [2] });
});

it("waits no longer once the signal aborts, and cannot be approved then", async () => {
  const stop = new AbortController();
  const waiting = expect(approvals.wait("a", stop.signal)).rejects.toThrow(Interrupt);
  stop.abort();
  expect([approvals.isWaiting("a"), approvals.decide("a", YES)]).toEqual([false, false]);
  await waiting;
  await expect(approvals.wait("b", stop.signal)).rejects.toThrow(Interrupt);
  expect(approvals.first).toBeUndefined();
});

it("the preview shows what the user takes, and what they edit there is kept for every card", async () => {
  const edits = new Emitter<void>();
  const shown: string[] = [];
  const edited: string[] = [];
  const kept: AnswerDraft[] = [];
  const preview = {
    choose: (left: readonly number[]) => void shown.push(left.join()),
    edited,
    onEdited: edits.on,
  };
  const asked = approvals.wait("a", new AbortController().signal, {
    preview,
    onPrepared: (prepared) => void kept.push(structuredClone(prepared)),
  });
  approvals.prepare("a", { comment: "so", left: [] });
  approvals.prepare("a", { comment: "so", left: [1] });
  expect(shown).toEqual(["1"]);
  edited.push("a.ts");
  edits.emit();
  // A box that was ticked while the edit was on its way takes nothing from it.
  approvals.prepare("a", { comment: "so", left: [0, 1] });
  edited.pop();
  edits.emit();
  expect(shown.at(-1)).toBe("0,1");
  expect(kept.map((each) => [each.left.join(), each.edited.join()])).toEqual([
    ["", ""],
    ["1", ""],
    ["1", "a.ts"],
    ["0,1", "a.ts"],
    ["0,1", ""],
  ]);
  // Another card was answered before it could show that.
  approvals.decide("a", { ...YES, excludedHunks: [1] });
  expect(shown.at(-1)).toBe("1");
  expect(await asked).toEqual({ approved: true, comment: "so", excludedHunks: [1] });
  edits.emit();
  expect(kept).toHaveLength(5);
});

it("tells once how long a call waited for the user in all", async () => {
  const { signal } = new AbortController();
  const first = approvals.wait("a", signal);
  now += 7_000;
  approvals.decide("a", YES);
  await first;
  now += 1_000;
  const second = approvals.wait("a", signal);
  now += 500;
  approvals.decide("a", NO);
  await second;
  expect([approvals.takeWaited("a"), approvals.takeWaited("a"), approvals.takeWaited("b")]).toEqual([
    7_500, 0, 0,
  ]);
});
