/** The arguments of a prompt, as users type them after its command. */
import { describe, expect, it } from "vitest";
import { readPromptArguments } from "../../../../src/core/context/prompt-arguments.ts";
import { cpuSeconds } from "../../../support/cpu-time.ts";
import { fc } from "../../../support/property.ts";
import { rounds } from "../../../support/random.ts";

const declared = (...names: string[]) =>
  names.map((name) => ({ name: name.replace("?", ""), required: !name.endsWith("?") }));
const read = (text: string, ...names: string[]) => readPromptArguments(text, declared(...names));

describe("readPromptArguments", () => {
  it.each([
    [" city=Tokyo state=JP", { city: "Tokyo", state: "JP" }],
    [" state=JP city=Tokyo", { city: "Tokyo", state: "JP" }],
    [" Tokyo JP", { city: "Tokyo", state: "JP" }],
    [' "New York" NY', { city: "New York", state: "NY" }],
    [" 'New York' NY", { city: "New York", state: "NY" }],
    [" Tokyo in the east", { city: "Tokyo", state: "in the east" }],
    [" Tokyo in\n  the east ", { city: "Tokyo", state: "in\n  the east" }],
    [" state=JP Old Tokyo", { city: "Old Tokyo", state: "JP" }],
    [" Old Tokyo state=JP", { city: "Old Tokyo", state: "JP" }],
    [" city=Tokyo state=the far east", { city: "Tokyo", state: "the far east" }],
    [" city=東京　都 state=JP", { city: "東京 都", state: "JP" }],
    [' city="a \\"b\\" \\\\c" state=x', { city: 'a "b" \\c', state: "x" }],
    [' city=Tokyo state=""', { city: "Tokyo", state: "" }],
    [" don't 'tis", { city: "don't", state: "'tis" }],
    [' Tokyo "is" big', { city: "Tokyo", state: '"is" big' }],
    [" other=1 x", { city: "other=1", state: "x" }],
    [" city=a city=b", { city: "a", state: "city=b" }],
  ])("%j", (text, values) => {
    expect(read(text, "city", "state")).toEqual({ values, missing: [], rest: "" });
  });

  it("names the required arguments that are missing, and only those", () => {
    expect(read("", "city", "state?")).toMatchObject({ values: {}, missing: ["city"] });
    expect(read(" city=", "city")).toMatchObject({ missing: ["city"] });
    expect(read(" x", "city", "state", "zip?")).toMatchObject({ values: { city: "x" }, missing: ["state"] });
  });

  it("leaves what belongs to no argument", () => {
    expect(read(" and then explain\nit")).toEqual({ values: {}, missing: [], rest: "and then explain\nit" });
    expect(read(' city="Tokyo" please', "city")).toEqual({
      values: { city: "Tokyo" },
      missing: [],
      rest: "please",
    });
  });

  it("takes time in proportion to the text", () => {
    const seconds = cpuSeconds(() => {
      for (const piece of ['"', "' ", '"a ', `'x "y `, "a=", "a= ", "\\", " "]) {
        expect(read(piece.repeat(200_000), "a", "b").values).toBeTypeOf("object");
      }
    });
    expect(seconds).toBeLessThan(10);
  });

  const quoted = (value: string, mark: string) =>
    mark + value.replaceAll(/\\/g, "\\\\").replaceAll(mark, `\\${mark}`) + mark;
  const mark = fc.constantFrom('"', "'");

  it("reads back every value, named in any order or by position", () => {
    const value = fc.string({ unit: "grapheme", maxLength: 20 });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[a-z][\w.-]{0,8}$/), { minLength: 1, maxLength: 5 }),
        fc.array(fc.tuple(value, mark, fc.boolean(), fc.nat()), { minLength: 5, maxLength: 5 }),
        (names, given) => {
          const args = names.map((name, index) => {
            const [text = "", sign = '"', isNamed = false, place = 0] = given[index] ?? [];
            return { name, text, sign, isNamed, place };
          });
          const named = args.filter(({ isNamed }) => isNamed).sort((a, b) => a.place - b.place);
          const words = args.filter(({ isNamed }) => !isNamed).map(({ text, sign }) => quoted(text, sign));
          // Named ones between the words, which keep their order.
          const all = [...words];
          for (const { name, text, sign, place } of named)
            all.splice(place % (all.length + 1), 0, `${name}=${quoted(text, sign)}`);
          const wanted = Object.fromEntries(args.map(({ name, text }) => [name, text]));
          expect(readPromptArguments(` ${all.join(" ")}`, declared(...names))).toEqual({
            values: wanted,
            missing: [],
            rest: "",
          });
        },
      ),
      { numRuns: rounds(150, 2_000) },
    );
  });

  it("loses no word of any text", () => {
    const piece = fc.constantFrom("a=", "b=", "x", "y=1", '"', "'", "\\", " ", "\n", "猫", "=");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join("");
        const { values, rest } = read(text, "a", "b?");
        const kept = [...Object.values(values), rest].join(" ");
        for (const word of ["x", "猫", "1"]) {
          const count = (where: string) => where.split(word).length;
          expect(count(kept)).toBe(count(text));
        }
      }),
      { numRuns: rounds(250, 5_000) },
    );
  });
});
