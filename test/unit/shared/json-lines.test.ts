/** `docs/json-events.schema.json` is what the program writes. `npx vitest run -u` updates it after an intended change. */
import { expect, it } from "vitest";
import * as z from "zod";
import { jsonLineSchema } from "../../../src/shared/run/run-report.ts";

it("the schema in the documentation is made from the schemas of the lines", async () => {
  // Fields may be added without a new version, so a reader must not refuse them.
  const schema = z.toJSONSchema(jsonLineSchema, { io: "input", reused: "ref" });
  const text = JSON.stringify({ title: "A line of nekode --json", ...schema }, undefined, 1);
  await expect(`${text}\n`).toMatchFileSnapshot("../../../docs/json-events.schema.json");
});
