/** `docs/json-events.schema.json` is what the program writes. `npx vitest run -u` updates it after an intended change. */
import { expect, it } from "vitest";
import * as z from "zod";
import { jsonLineSchema } from "../../../src/shared/run/run-report.ts";

it("the schema in the documentation is made from the schemas of the lines", async () => {
  // Fields may be added without a new version, so a reader must not refuse them.
  const schema = withoutShortNames(z.toJSONSchema(jsonLineSchema, { io: "input", reused: "ref" }));
  const text = JSON.stringify({ title: "A line of nekode --json", ...schema }, undefined, 1);
  await expect(`${text}\n`).toMatchFileSnapshot("../../../docs/json-events.schema.json");
});

/** The schema with what only names a type or two in its place, and the rest numbered anew: the program shares all plain schemas. */
function withoutShortNames({ $defs = {}, ...schema }: z.core.JSONSchema.BaseSchema): object {
  const names = new Map<string, string>();
  const inPlace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inPlace);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...rest }: { $ref?: string } = value;
    const beside = Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, inPlace(inner)]));
    if ($ref === undefined) return beside;
    const name = $ref.replace("#/$defs/", "");
    const named = inPlace($defs[name]);
    return { ...beside, ...(isShort(named) ? Object(named) : { $ref: `#/$defs/${names.get(name)}` }) };
  };
  for (const [name, each] of Object.entries($defs))
    if (!isShort(inPlace(each))) names.set(name, `__schema${names.size}`);
  const long = [...names].map(([name, number]) => [number, inPlace($defs[name])]);
  return { ...Object(inPlace(schema)), $defs: Object.fromEntries(long) };
}

const isShort = (schema: unknown): boolean => JSON.stringify(schema).length < 60;
