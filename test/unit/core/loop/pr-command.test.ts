/** `/pr` in a conversation: the model receives the instructions and the branch, and only for this command. */
import { afterEach, expect, it } from "vitest";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(() => agent.close());

async function start(): Promise<void> {
  const turns = [{ times: true as const, answer: [{ text: "Here it is." }] }];
  agent = await startAgent({
    script: { turns },
    files: { ".nekodeignore": "private.txt\n" },
    protocol: "native",
  });
  const asked = ["refs/heads/feed 2   *", "refs/heads/main 1   "].join("\n").replaceAll(" ", "\0");
  const file = (name: string) => `diff --git a/${name} b/${name}\n@@ -1 +1 @@\n-hungry\n+fed ${name}\n`;
  agent.host.git = {
    steeredBy: undefined,
    workingState: async () => "",
    commit: async () => "",
    commits: async () => [],
    diff: async () => `${file("cat.txt")}${file("private.txt")}`,
    async ask(_, [command]) {
      if (command === "rev-parse") return "/project\n";
      if (command === "for-each-ref") return asked;
      return command === "merge-base" ? "1\n" : "feat: feed the cat\n";
    },
  };
}

const sent = async (text: string) => {
  await agent.view.send(text);
  await agent.view.active.idle;
  return agent.server.requests.at(-1)?.text ?? "";
};

it("sends what the branch has, with its instructions, without private files", async () => {
  await start();
  const text = await sent("/pr for reviewers in a hurry");
  expect(text).toContain('<explicit_instructions type=\\"pr\\">');
  expect(text).toContain("Branch: feed\\nBase: main");
  expect(text).toContain("feat: feed the cat");
  expect(text).toContain("+fed cat.txt");
  expect(text).toContain("--- private.txt (changed)\\n(its content is private)");
  expect(text).not.toContain("+fed private.txt");
  expect(text).toContain("for reviewers in a hurry");
});

it("is the only command that sends it", async () => {
  await start();
  for (const text of ["/init", "look at `/pr`", "describe the branch"])
    expect(await sent(text)).not.toContain("feat: feed the cat");
});
