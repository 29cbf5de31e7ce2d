/** The events of a panel that hides before they were sent. */
import { expect, it } from "vitest";
import { emptyView } from "../../../src/shared/view/reducer.ts";
import { EventStream } from "../../../src/vscode/panel/sending/event-stream.ts";

it("a panel that hides while events are collected gets a snapshot when it returns", () => {
  const sent: string[] = [];
  const stream = new EventStream({
    clock: { after: () => ({ dispose: () => undefined }) },
    view: () => emptyView,
    sendEvents: () => void sent.push("events"),
    sendSnapshot: () => void sent.push("snapshot"),
  });
  stream.push({ session: "s", type: "todo", markdown: "- [ ] one" });
  stream.setVisible(false);
  expect(sent).toEqual([]);
  stream.setVisible(true);
  expect(sent).toEqual(["snapshot"]);
  stream.setVisible(false);
  stream.setVisible(true);
  expect(sent).toEqual(["snapshot"]);
});
