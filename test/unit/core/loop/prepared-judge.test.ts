/** The first command is judged sooner, because what it is read with is loaded when the model makes its first calls. */
import { afterEach, expect, it } from "vitest";
// Loaded already, so that reading its grammars begins as soon as somebody asks for one.
import "@vscode/tree-sitter-wasm";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(() => agent.close());

it("the grammar of commands is loaded with the first calls in act mode, and not before", async () => {
  agent = await startAgent({
    files: { "a.txt": "meow" },
    approval: { read: true },
    script: {
      scope: "server",
      turns: [
        { answer: [{ text: "Cats meow." }] },
        ...[1, 2].flatMap(() => [
          { answer: [{ tool: "read_file", params: { path: "a.txt" } }] },
          { answer: [{ text: "It says so." }] },
        ]),
      ],
    },
  });
  const read: string[] = [];
  const { assets } = agent.host;
  const original = assets.read.bind(assets);
  const loaded = new Promise<void>((resolve) => {
    assets.read = (name) => {
      read.push(name);
      if (name === "tree-sitter-bash.wasm") resolve();
      return original(name);
    };
  });
  const say = async (text: string) => {
    await agent.manager.send(text);
    await agent.manager.idle;
  };
  await say("What do cats do?");
  await agent.manager.setMode("plan");
  await say("Does the file say so?");
  expect(read).toEqual([]);
  await agent.manager.setMode("act");
  await say("Does it still?");
  expect(agent.server.requests).toHaveLength(5);
  await loaded;
});
