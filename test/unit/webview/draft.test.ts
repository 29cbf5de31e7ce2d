/** What the composer holds after a reload. */
import { expect, test } from "vitest";
import { withTyped } from "../../../webview-ui/composer/draft.ts";

test.each([
  ["nothing was typed meanwhile", "sent\ntyped", "typed", "typed", "sent\ntyped"],
  ["what was left was said", "", "said", "said", ""],
  ["more was typed", "sent\ntyped", "typed", "typed, and on", "sent\ntyped, and on"],
  ["something was typed into the empty composer", "sent", "", "new", "sent\nnew"],
  ["what was shown was deleted", "sent\ntyped", "typed", "", "sent"],
  ["what was shown was deleted, and nothing else was left", "typed", "typed", "", ""],
  ["the host knows what was typed meanwhile", "sent\nnew", "", "new", "sent\nnew"],
  ["the host knows something else", "other", "typed", "typed on", "other\ntyped on"],
  ["nothing is left but what was typed on", "", "said", "said, and on", "said, and on"],
])("where %s", (_, rest, shown, typed, holds) => {
  expect(withTyped(rest, shown, typed)).toBe(holds);
});
