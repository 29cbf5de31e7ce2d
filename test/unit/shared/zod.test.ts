/** One schema where many would be the same. */
import { expect, it } from "vitest";
import * as plain from "zod/mini";
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

it("a schema is made with its first use, and is what zod would have made at once", () => {
  let asked = 0;
  const shape = {
    get name() {
      asked++;
      return z.string().check(z.minLength(2), z.describe("A name"));
    },
    kind: z.catch(z.enum(["cat", "dog"]), "cat"),
  };
  const animal = z.object(shape);
  const animals = z.array(animal);
  expect(asked).toBe(0);
  expect(animals.parse([{ name: "Tama", kind: "bird", more: 1 }])).toEqual([{ name: "Tama", kind: "cat" }]);
  expect(asked).toBeGreaterThan(0);
  expect(animals.safeParse([{ name: "T" }]).error?.issues[0]).toMatchObject({
    code: "too_small",
    path: [0, "name"],
  });
  const eager = plain.array(
    plain.object({
      name: plain.string().check(plain.minLength(2), plain.describe("A name")),
      kind: plain.catch(plain.enum(["cat", "dog"]), "cat"),
    }),
  );
  expect(z.toJSONSchema(animals)).toEqual(plain.toJSONSchema(eager));
  for (const schema of [animal, z.object({}), z.extend(animal, { age: z.number() })])
    expect([schema instanceof z.ZodMiniObject, schema instanceof z.ZodMiniString]).toEqual([true, false]);
  expect(Object.keys(animal)).toEqual(Object.keys(plain.object({})));
  expect(animal.constructor).toBe(plain.object({}).constructor);
  expect(Object.keys(z.pick(animal, { kind: true }).shape)).toEqual(["kind"]);
});

it("a schema that is described before it is made has its description", () => {
  const always = z.literal("always").check(z.describe("Always this"));
  expect(z.toJSONSchema(z.object({ always }))).toMatchObject({
    properties: { always: { const: "always", description: "Always this" } },
  });
  expect(z.globalRegistry.get(always)?.description).toBe("Always this");
});

it("a schema that cannot be made says so with each use", () => {
  const both = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("a") }),
    z.object({ kind: z.literal("a") }),
  ]);
  for (let times = 0; times < 2; times++)
    expect(() => both.parse({ kind: "a" })).toThrow(/duplicate discriminator/i);
  const none = z.pick(z.object({ a: z.string() }), { b: true } as never);
  for (let times = 0; times < 2; times++) expect(() => none.parse({})).toThrow(/unrecognized key/i);
});
