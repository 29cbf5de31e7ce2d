/** Queued words of a task that is left. */
import { expect, it } from "vitest";
import { leaving } from "../../../src/vscode/leaving.ts";

const item = (text: string) => ({ id: text, text });

it("gives back what waited when the task was left, and nothing when it was not", async () => {
  const agent = { view: { queue: [item("first"), item("第二")] } };
  const given: string[] = [];
  const give = (text: string) => void given.push(text);
  // It is open elsewhere, so this one stays on show.
  expect(await leaving(agent, async () => "elsewhere", give)).toBe("elsewhere");
  expect(given).toEqual([]);
  const leave = async () => {
    agent.view = { queue: [] };
  };
  await leaving(agent, leave, give);
  expect(given).toEqual(["first\n\n第二"]);
  await leaving(agent, leave, give);
  expect(given).toHaveLength(1);
});
