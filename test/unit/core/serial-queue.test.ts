/** Work that is done one after the other. */
import { expect, it } from "vitest";
import { SerialQueue } from "../../../src/core/async.ts";

it("runs one work at a time, in the order of the calls, and gives each caller its own result", async () => {
  const queue = new SerialQueue();
  const seen: string[] = [];
  let release = () => {};
  const first = queue.run(async () => {
    seen.push("first begins");
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    seen.push("first ends");
    return 1;
  });
  const second = queue.run(async () => {
    seen.push("second");
    return 2;
  });
  await expect.poll(() => seen).toEqual(["first begins"]);
  release();
  expect(await Promise.all([first, second])).toEqual([1, 2]);
  expect(seen).toEqual(["first begins", "first ends", "second"]);
});

it("a failure is its caller's alone", async () => {
  const queue = new SerialQueue();
  const failed = queue.run(() => Promise.reject(new Error("no")));
  const next = queue.run(async () => "next");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("next");
  await expect(
    queue.run(() => {
      throw new Error("at once");
    }),
  ).rejects.toThrow("at once");
});

it("says when it is done, and what was added meanwhile counts", async () => {
  const queue = new SerialQueue();
  expect(queue.over).toBeUndefined();
  let added: Promise<void> | undefined;
  let done = false;
  void queue.run(async () => {
    added = queue.run(async () => {
      done = true;
    });
  });
  while (queue.over) await queue.over;
  expect(done).toBe(true);
  await added;
  expect(queue.over).toBeUndefined();
});
