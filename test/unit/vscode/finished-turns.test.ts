/** Which turns are shown in the editors of their files: those that end in this window. */
import { expect, it } from "vitest";
import { Emitter } from "../../../src/core/lifecycle.ts";
import type { CheckpointView, TaskEvent } from "../../../src/shared/event.ts";
import { followFinishedTurns } from "../../../src/vscode/review/finished-turns.ts";

function scene() {
  const events = new Emitter<TaskEvent>();
  const shown: string[] = [];
  let loads = 0;
  followFinishedTurns(events.on, async () => {
    loads += 1;
    return { update: async (session, { id }) => void shown.push(`${session} ${id}`) };
  });
  const checkpoint = (session: string, id: string, kind: CheckpointView["kind"] = "message") =>
    events.emit({ type: "checkpoint", session, checkpoint: { id, kind, at: id, files: 1 } });
  const status = (session: string, now: "running" | "idle") =>
    events.emit({ type: "status", session, status: now });
  /** Everything was passed on when this resolves. */
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { shown, loads: () => loads, checkpoint, status, settled };
}

it("a turn is shown when it has ended, not while it runs", async () => {
  const { shown, checkpoint, status, settled, loads } = scene();
  status("s", "running");
  checkpoint("s", "call", "call");
  checkpoint("s", "first");
  checkpoint("s", "first");
  await settled();
  expect([shown, loads()]).toEqual([[], 0]);
  status("s", "idle");
  await settled();
  expect(shown).toEqual(["s first"]);
  // What a command did may be known later, and the user may undo or keep it.
  checkpoint("s", "first");
  await settled();
  expect(shown).toEqual(["s first", "s first"]);
});

it("turns of earlier times, which are reported when a session is opened, are not shown", async () => {
  const { shown, checkpoint, status, settled, loads } = scene();
  status("s", "idle");
  checkpoint("s", "old");
  await settled();
  expect([shown, loads()]).toEqual([[], 0]);
});

it("what happens to an earlier turn while one runs is not lost", async () => {
  const { shown, checkpoint, status, settled } = scene();
  status("s", "running");
  checkpoint("s", "new");
  checkpoint("s", "old");
  status("s", "idle");
  await settled();
  expect(shown).toEqual(["s new", "s old"]);
});
