/** One schema where many would be the same. */
import { expect, it } from "vitest";
import * as z from "../../../src/shared/zod.ts";

it("plain schemas are made once, and so are those around the same schema", () => {
  expect(z.string()).toBe(z.string());
  expect(z.unknown()).toBe(z.unknown());
  expect(z.optional(z.number())).toBe(z.optional(z.number()));
  expect(z.array(z.nullable(z.boolean()))).toBe(z.array(z.nullable(z.boolean())));
  expect(z.optional(z.string())).not.toBe(z.optional(z.number()));
});

it("what is made of a shared schema is of its own, and leaves the shared one as it is", () => {
  const short = z.string().check(z.maxLength(3), z.describe("A short text"));
  expect(short.safeParse("long text").success).toBe(false);
  expect(z.string().safeParse("long text").success).toBe(true);
  expect(z.globalRegistry.get(short)?.description).toBe("A short text");
  expect(z.globalRegistry.get(z.string())).toBe(undefined);
});

it("a schema with a message of its own is another", () => {
  const said = z.string("a name, please");
  expect(said).not.toBe(z.string());
  expect(said.safeParse(1).error?.issues[0]?.message).toBe("a name, please");
  expect(z.array(z.string(), "a list, please").safeParse(1).error?.issues[0]?.message).toBe("a list, please");
});
