/** Queued words of a task that is left. */
import { expect, it } from "vitest";
import { leaving, type Unsaid } from "../../../src/vscode/panel/leaving.ts";

const IMAGE = { mimeType: "image/png", data: "aGVsbG8=" };

it("gives back what waited when the task was left, and nothing when it was not", async () => {
  const agent = {
    queued: [
      { text: "first", images: [IMAGE] },
      { text: " ", images: [] },
      { text: "第二", images: [IMAGE] },
    ],
  };
  const given: Unsaid[] = [];
  const give = (unsaid: Unsaid) => void given.push(unsaid);
  // It is open elsewhere, so this one stays on show.
  expect(await leaving(agent, async () => "elsewhere", give)).toBe("elsewhere");
  expect(given).toEqual([]);
  const leave = async () => {
    agent.queued = [];
  };
  await leaving(agent, leave, give);
  expect(given).toEqual([{ text: "first\n\n第二", images: [IMAGE, IMAGE] }]);
  await leaving(agent, leave, give);
  expect(given).toHaveLength(1);
});
