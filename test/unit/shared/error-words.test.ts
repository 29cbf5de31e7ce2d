/** What users read of a failed request. */
import { expect, it } from "vitest";
import * as z from "zod";
import { errorViewSchema } from "../../../src/shared/models/request-error.ts";
import { errorDetail, errorText } from "../../../src/shared/words/error-words.ts";
import { translator } from "../../../src/shared/words/task-words.ts";

const t = translator({});
const codes = z.array(errorViewSchema.shape.code).parse(errorViewSchema.shape.code.options);

it.each(codes)("%s says its detail once, in the sentence or below it", (code) => {
  const error = { code, subject: "SUBJECT", detail: "DETAIL" };
  const lines = [errorText(t, error).text, errorDetail(error)];
  expect(lines.filter((line) => line.includes("DETAIL"))).toHaveLength(1);
});

it("the administrator is named once where an endpoint is refused", () => {
  const error = { code: "managed-endpoint" as const, subject: "https://a.example", detail: "Example IT" };
  expect([errorText(t, error).text, errorDetail(error)]).toEqual([
    "Example IT does not allow requests to https://a.example.",
    "",
  ]);
});
