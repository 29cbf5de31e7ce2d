/** What a value that a schema refuses must be, in words. */
import type * as z from "../zod.ts";
import type { Translate } from "./task-words.ts";

/** Returns a sentence that describes the expected value. */
export function expectedText(t: Translate, issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return typeText(t, issue.expected);
    case "too_small":
      return t("Must be at least {0}.", Number(issue.minimum));
    case "too_big":
      return t("Must be at most {0}.", Number(issue.maximum));
    case "unrecognized_keys":
      return t("Unknown: {0}.", issue.keys.join(", "));
    case "invalid_value":
      return t("Must be one of: {0}.", issue.values.join(", "));
    case "invalid_format":
      return t("Must not be empty or contain spaces, slashes or @.");
    case "custom":
    case "invalid_union":
    case "invalid_key":
    case "not_multiple_of":
    case "invalid_element":
      return "";
  }
}

function typeText(t: Translate, expected: string): string {
  switch (expected) {
    case "int":
      return t("Must be an integer.");
    case "number":
      return t("Must be a number.");
    case "boolean":
      return t("Must be true or false.");
    case "array":
      return t("Must be an array.");
    case "object":
    case "record":
      return t("Must be an object.");
    default:
      return t("Must be a string.");
  }
}
