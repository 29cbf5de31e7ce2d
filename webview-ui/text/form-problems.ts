/** Texts for what is wrong with a value in a server's form. */
import type { FieldProblem } from "../../src/shared/form-answer.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";

export function fieldProblemText(t: Translate, problem: FieldProblem): string {
  switch (problem.code) {
    case "required":
      return t("A value is required.");
    case "not-a-string":
    case "not-a-boolean":
    case "not-a-choice":
      return t("Choose one of the values.");
    case "not-a-number":
      return t("Must be a number.");
    case "not-an-integer":
      return t("Must be a whole number.");
    case "too-short":
      return t("Must have at least {0} characters.", problem.limit);
    case "too-long":
      return t("Must have at most {0} characters.", problem.limit);
    case "too-small":
      return t("Must be at least {0}.", problem.limit);
    case "too-large":
      return t("Must be at most {0}.", problem.limit);
    case "too-few":
      return t("Choose at least {0}.", problem.limit);
    case "too-many":
      return t("Choose at most {0}.", problem.limit);
    case "format":
      return formatText(t, problem.format);
  }
}

function formatText(t: Translate, format: string): string {
  switch (format) {
    case "email":
      return t("Must be an email address.");
    case "uri":
      return t("Must be a URL.");
    case "date":
      return t("Must be a date such as {0}.", "2026-01-31");
    case "date-time":
      return t("Must be a date with time such as {0}.", "2026-01-31T09:30:00Z");
    default:
      return t("Must have the format {0}.", format);
  }
}
