/** What is kept beside the composer after a reload. */
import { expect, test } from "vitest";
import type { EventBody } from "../../../src/shared/event.ts";
import { applyEvent, type ChatView, emptyView } from "../../../src/shared/view/reducer.ts";
import { besides, restored, unsent } from "../../../webview-ui/drafts/draft.ts";

/** The view after the user sent these messages, of which some still wait in the queue. */
function viewOf(sent: readonly string[], queued: readonly string[] = []): ChatView {
  const messages = sent.map((text, index): EventBody => {
    const message = { id: `m${index}`, role: "user" as const, createdAt: "2026-01-01T00:00:00Z" };
    return { type: "message", message: { ...message, blocks: [{ type: "text", text }], display: text } };
  });
  const queue = queued.map((text, index) => ({ id: `q${index}`, text }));
  return [...messages, { type: "queue" as const, items: queue }].reduce(applyEvent, emptyView);
}

test.each([
  ["nothing was sent since", "draft", "m0", ["first"], [], "draft"],
  ["it was sent since", "second", "m0", ["first", "second"], [], ""],
  ["it waits in the queue", "second", "m0", ["first"], ["second"], ""],
  ["it was sent, and more was typed after it", "second\nand more", "m0", ["first", "second"], [], "and more"],
  ["it only begins with what was sent", "seconds later", "m0", ["first", "second"], [], "seconds later"],
  ["it was sent before", "first", "m0", ["first"], [], "first"],
  ["the last message is no longer there", "second", "gone", ["first", "second"], [], "second"],
])("the draft where %s", (_, draft, after, sent, queued, left) => {
  expect(unsent(viewOf(sent, queued), draft, after)).toBe(left);
});

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
