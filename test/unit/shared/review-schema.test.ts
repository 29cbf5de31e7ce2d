/** `docs/review.schema.json` is what `nekode review --json` writes. `npx vitest run -u` updates it after an intended change. */
import { expect, it } from "vitest";
import * as z from "zod";
import { reviewReportSchema } from "../../../src/shared/review.ts";

it("the schema in the documentation is made from the schema of the report", async () => {
  // Fields may be added without a new version, so a reader must not refuse them.
  const schema = z.toJSONSchema(reviewReportSchema, { io: "input" });
  const text = JSON.stringify({ title: "The report of nekode review", ...schema }, undefined, 1);
  await expect(`${text}\n`).toMatchFileSnapshot("../../../docs/review.schema.json");
});
