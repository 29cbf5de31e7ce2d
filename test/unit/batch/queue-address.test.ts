/** The address of a queue: what it may be, and that its password is not shown. */
import { expect, it } from "vitest";
import { queueAddress } from "../../../src/batch/queue/queue-address.ts";

it("is shown without user and password, which are masked in errors too", () => {
  const address = queueAddress("rediss://user:p%40ss@redis.example:6380/2");
  expect(address?.shown).toBe("rediss://redis.example:6380/2");
  expect(address?.masked("p%40ss or p@ss failed")).toBe("*** or *** failed");
  expect(queueAddress("redis://localhost")?.shown).toBe("redis://localhost:6379");
  expect(queueAddress("redis://localhost")?.masked("all")).toBe("all");
});

it.each(["", "localhost:6379", "http://localhost", "redis://", "redis:///1", "redis://x/db"])(
  "is not %j",
  (url) => {
    expect(queueAddress(url)).toBeUndefined();
  },
);
