/** What is kept beside the composer after a reload. */
import { expect, test } from "vitest";
import { besides, restored } from "../../../webview-ui/drafts/draft.ts";

test.each([
  ["more was typed", "sent\ntyped", "typed", "typed, and on", "sent"],
  ["something was typed into the empty composer", "sent", "", "new", "sent"],
  ["what was shown was deleted", "sent\ntyped", "typed", "", "sent"],
  ["what was shown was deleted, and nothing else was left", "typed", "typed", "", ""],
  ["the host knows what was typed meanwhile", "sent\nnew", "", "new", "sent"],
  ["the host knows something else", "other", "typed", "typed on", "other"],
  ["the host knows a later text", "abc", "ab", "abx", "abc"],
  ["the host knows a text that only ends with the same letters", "the cat", "cat", "cats", "the cat"],
  ["nothing is left but what was typed on", "", "said", "said, and on", ""],
])("where %s", (_, rest, shown, typed, kept) => {
  expect(besides(rest, shown, typed)).toBe(kept);
});

const none = { text: "", images: [] };
const image = (data: string) => ({ mimeType: "image/png", data });

test.each([
  ["nothing was typed", "typed", false, "sent\ntyped", undefined],
  ["more was typed", "typed on", false, "typed on", "sent"],
  ["what was shown was sent", "", true, "sent", undefined],
  ["it was sent, and more was typed", "next", true, "next", "sent"],
])("where %s", (_, typed, hasSent, text, aside) => {
  const found = { text: "sent\ntyped", images: [] };
  const next = restored(found, { text: "typed", images: [] }, { text: typed, images: [], hasSent });
  expect([next.text, next.aside?.text]).toEqual([text, aside]);
});

test("pictures stay with their text", () => {
  const [old, added] = [image("old"), image("added")];
  const found = { text: "old words", images: [old] };
  const unchanged = restored(found, none, { ...none, hasSent: false });
  expect(unchanged).toEqual({ text: "old words", images: [old] });
  const typed = restored(found, none, { text: "new", images: [added], hasSent: false });
  expect(typed).toEqual({ text: "new", images: [added], aside: { text: "old words", images: [old] } });
});
