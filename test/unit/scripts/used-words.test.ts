/** The translations of a bundle: what only other hosts say is left out, and nothing that cannot be judged. */
import { expect, it } from "vitest";
import { wordsIn } from "../../../scripts/lib/used-words.mjs";

it("leaves out the sentences that only the others have, and keeps those that nobody has as a literal", () => {
  const words = { Ours: "a", Theirs: "b", "Of both": "c", 'With "quotes"': "d", "Made of parts": "e" };
  const own = 't("Ours"); t("Of both")';
  const others = `t("Theirs"); t("Of both"); t(${JSON.stringify('With "quotes"')}); "Ours and more"`;
  expect(Object.keys(wordsIn(words, own, others))).toEqual(["Ours", "Of both", "Made of parts"]);
});
