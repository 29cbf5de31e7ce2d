/** Two processes on one store, whose steps on the disk follow each other in any order. */
import { expect, it } from "vitest";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import { fc } from "../../../support/property.ts";
import { rounds } from "../../../support/random.ts";
import { assets, clockAt, MemoryStorage, newSession, quietLog, userMessage } from "./support.ts";

const RUNS = rounds(10, 60);
const MESSAGES = 4;
const STEPS = ["read", "stat", "append", "replace", "remove", "rename", "list", "duplicate"];

/** The same disk, whose every step waits for its turn. */
function inTurns(storage: MemoryStorage, scheduler: fc.Scheduler): MemoryStorage {
  const disk: MemoryStorage = new Proxy(storage, {
    get(target, name) {
      if (name === "appender") return (file: string) => target.appender(file, disk);
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      const work = value.bind(target);
      if (!STEPS.includes(String(name))) return work;
      // Not scheduleFunction, which writes all arguments into its report, and these are whole databases.
      return async (...args: unknown[]) => {
        await scheduler.schedule(Promise.resolve(), String(name));
        return work(...args);
      };
    },
  });
  return disk;
}

it("a checkpoint finds nothing to restore, whatever another process writes meanwhile, and loses nothing of it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const storage = new MemoryStorage();
      const open = (disk: MemoryStorage) => openSessionStore(disk, assets, clockAt(), quietLog);
      const disk = inTurns(storage, scheduler);
      const [writer, other] = await scheduler.waitFor(Promise.all([open(disk), open(disk)]));
      await scheduler.waitFor(writer.create(newSession("s"), userMessage("0", "0")));
      const writing = (async () => {
        for (let index = 1; index < MESSAGES; index++)
          await writer.append("s", userMessage(`${index}`, `${index}`));
      })();
      const packing = (async () => {
        for (let times = 0; times < 3; times++) await other.checkpoint();
      })();
      await scheduler.waitFor(Promise.all([writing, packing]));
      const ids = async (store: typeof other) => (await store.load("s"))?.messages.map(({ id }) => id);
      const all = Array.from({ length: MESSAGES }, (_, index) => `${index}`);
      expect(await scheduler.waitFor(ids(other))).toEqual(all);
      expect([...other.problems, ...writer.problems]).toEqual([]);
      await scheduler.waitFor(Promise.all([writer.close(), other.close()]));
      const again = await open(storage);
      expect(await ids(again)).toEqual(all);
      expect(again.problems).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});
