/** Which turns are shown in the editors of their files: those that end in this window, and those that were shown when it was closed. */
import { expect, it } from "vitest";
import { Emitter } from "../../../src/core/lifecycle.ts";
import type { CheckpointView, TaskEvent } from "../../../src/shared/event.ts";
import { followFinishedTurns } from "../../../src/vscode/review/finished-turns.ts";

const messageView = (id: string): CheckpointView => ({ id, kind: "message", at: id, files: 1 });

/** `open`: the sessions that are open, with the turns that their checkpoints have; `saved`: what was shown when the window was closed. */
function scene({
  open = {},
  saved = {},
}: {
  open?: Record<string, string[]>;
  saved?: Record<string, string>;
} = {}) {
  const events = new Emitter<TaskEvent>();
  const shown: string[] = [];
  let loads = 0;
  followFinishedTurns({
    onEvent: events.on,
    sessions: () =>
      Object.entries(open).map(([id, turns]) => ({
        id,
        checkpoints: { settled: async () => {}, views: () => turns.map(messageView) },
      })),
    saved: Object.entries(saved).map(([session, mark]) => ({ session, mark })),
    async shown() {
      loads += 1;
      return { update: async (session, { id }) => void shown.push(`${session} ${id}`) };
    },
  });
  const checkpoint = (session: string, id: string, kind: CheckpointView["kind"] = "message") =>
    events.emit({ type: "checkpoint", session, checkpoint: { id, kind, at: id, files: 1 } });
  const status = (session: string, now: "running" | "idle") =>
    events.emit({ type: "status", session, status: now });
  const opened = (session: string) => events.emit({ type: "session", session, id: session, title: "" });
  /** Everything was passed on when this resolves. */
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { shown, loads: () => loads, checkpoint, status, opened, settled };
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

it("a turn that was shown when the window was closed is shown again, once its session is open", async () => {
  const open: Record<string, string[]> = { s: ["old", "last"] };
  const scenery = scene({ open, saved: { s: "last", later: "its" } });
  const { shown, checkpoint, opened, settled } = scenery;
  await settled();
  expect(shown).toEqual(["s last"]);
  // The panel loads the rows of the session, and the user answers.
  opened("s");
  checkpoint("s", "last");
  opened("unknown");
  await settled();
  expect(shown).toEqual(["s last", "s last"]);
  open.later = ["its"];
  opened("later");
  await settled();
  expect(shown).toEqual(["s last", "s last", "later its"]);
});

it("a turn that the checkpoints no longer have is not shown again, and nothing is loaded for it", async () => {
  const { shown, loads, checkpoint, settled } = scene({ open: { s: ["other"] }, saved: { s: "gone" } });
  checkpoint("s", "other");
  await settled();
  expect([shown, loads()]).toEqual([[], 0]);
});
