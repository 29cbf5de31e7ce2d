/** Slash commands, rules, the edited todo list and mentions as they reach the model. */
import { afterEach, describe, expect, it } from "vitest";
import type { Script } from "../../../model-server/server.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const SCRIPT: Script = { turns: [{ times: true, answer: [{ text: "Fine." }] }] };

async function start(options: Partial<AgentOptions> = {}): Promise<void> {
  agent = await startAgent({ script: SCRIPT, ...options });
}

async function say(text: string): Promise<void> {
  await agent.view.send(text);
  await agent.view.active.idle;
}

function lastUser(): string[] {
  const message = agent.server.chat(agent.server.requests.length).messages.at(-1) as {
    content: { text: string }[];
  };
  return message.content.map((part) => part.text);
}

const system = () => JSON.stringify(agent.server.chat(agent.server.requests.length).messages[0]);

describe("a slash command", () => {
  it("becomes instructions before the task, as in the reference", async () => {
    await start();
    await say("/deep-planning \n以下の文章の出典を推察してください\n--\n吾輩は猫である。");
    const [task = ""] = lastUser();
    expect(task).toMatch(/^<explicit_instructions type="deep-planning">\n/);
    expect(task).toMatch(
      /<\/explicit_instructions>\n\n<task>\n以下の文章の出典を推察してください\n--\n吾輩は猫である。\n<\/task>$/,
    );
    expect(agent.rows()[0]).toMatchObject({ kind: "user", text: expect.stringMatching(/^\/deep-planning/) });
  });

  it("may be a workflow of the project; mentions and commands in it stay words", async () => {
    await start({
      files: {
        ".nekode/workflows/ship.md": "Read @/a.txt, then /newtask and /ship.",
        "a.txt": "content of a",
      },
    });
    await say("/ship to the moon");
    const [task = ""] = lastUser();
    expect(task).toBe(
      '<explicit_instructions type="ship">\nRead @/a.txt, then /newtask and /ship.\n</explicit_instructions>\n\n<task>\nto the moon\n</task>',
    );
    expect((await agent.project.slashCommands()).at(-1)).toMatchObject({ name: "ship", kind: "workflow" });
  });

  it("that nobody knows, and one in a mentioned file, are plain text", async () => {
    await start({ files: { "a.txt": "/newtask" } });
    await say("see /etc/hosts, /nothing and @/a.txt");
    expect(lastUser()[0]).not.toContain("explicit_instructions");
  });
});

describe("rules", () => {
  const files = { "AGENTS.md": "Always use tabs." };

  it("are part of the system prompt, the same for the whole task", async () => {
    await start({ files });
    await say("hello");
    expect(system()).toContain("USER'S CUSTOM INSTRUCTIONS");
    expect(system()).toContain("# Rules from AGENTS.md\\n\\nAlways use tabs.");
    const before = system();
    agent.files.set("/project/AGENTS.md", "Always use spaces.");
    agent.files.set("/project/.nekode/rules/new.md", "Speak of cats.");
    await say("again");
    expect(system()).toBe(before);
    const news = lastUser().find((text) => text.startsWith("# RULES CHANGED\n"));
    expect(news).toContain("# Rules from AGENTS.md\n\nAlways use spaces.");
    expect(news).toContain("# Rules from .nekode/rules/new.md\n\nSpeak of cats.");
    await say("once more");
    expect(lastUser().join()).not.toContain("RULES CHANGED");
    agent.settings.context.rules.agents = false;
    await say("and now?");
    expect(lastUser().join()).toContain("No longer in force: AGENTS.md.");
    expect(system()).toBe(before);
    await agent.view.newTask();
    agent.settings.context.rules.agents = true;
    await say("a new task");
    expect(system()).toContain("Always use spaces.");
  });

  it("keep the system prompt over restarts; what changed meanwhile is told, to the model and the user, and once", async () => {
    await start({ files });
    const write = (text: string) => agent.files.set("/project/AGENTS.md", text);
    const told = () => agent.rows().flatMap((row) => (row.kind === "notice" ? [[row.code, row.values]] : []));
    await say("hello");
    const before = system();
    write("Always use spaces.");
    await say("again");
    expect(told()).toEqual([["rules-changed", ["AGENTS.md"]]]);
    // Back to what the system prompt says: what was told in between must not stay the last word.
    write("Always use tabs.");
    agent.files.set("/project/CLAUDE.md", "Speak of cats.");
    await agent.restart();
    await say("after a night");
    expect(system()).toBe(before);
    expect(lastUser().join()).toContain("# Rules from AGENTS.md\n\nAlways use tabs.");
    expect(lastUser().join()).toContain("# Rules from CLAUDE.md\n\nSpeak of cats.");
    expect(told().at(-1)).toEqual(["rules-changed", ["AGENTS.md, CLAUDE.md"]]);
    const rows = agent.rows();
    await agent.restart();
    expect(agent.rows()).toEqual(rows);
    await say("and on");
    expect(system()).toBe(before);
    expect(lastUser().join()).not.toContain("RULES CHANGED");
    expect(told()).toHaveLength(2);
    const [last] = agent.rows().filter((row) => row.kind === "user" && row.text === "and on");
    await agent.view.editAndResend(last?.id ?? "", "otherwise");
    await agent.view.active.idle;
    expect(system()).toBe(before);
  });

  it("that come to a task which began without any are told, not put into its system prompt", async () => {
    await start();
    await say("hello");
    const before = system();
    await agent.restart();
    agent.files.set("/project/AGENTS.md", "Always use tabs.");
    await say("again");
    expect(system()).toBe(before);
    expect(lastUser().join()).toContain("Always use tabs.");
  });

  it("are looked at again without listing the workspace anew", async () => {
    await start({ files: { ...files, ".nekode/rules/a.md": "---\npaths: '*.md'\n---\nBe brief." } });
    let listings = 0;
    const { files: list } = agent.host.search;
    agent.host.search.files = (folder, options) => {
      if (options.limit > 10_000) listings++;
      return list(folder, options);
    };
    for (const text of ["hello", "again", "once more"]) await say(text);
    expect(listings).toBe(1);
  });

  it("that change are told with the answer to a question, too", async () => {
    const ask = { tool: "ask_followup_question", params: { question: "Which?" } };
    const turns = [
      { match: { request: 1 }, answer: [ask] },
      { match: { request: 2 }, answer: [{ tool: "read_file", params: { path: "AGENTS.md" } }] },
      { answer: [{ text: "Fine." }] },
    ];
    await start({ files, script: { turns } });
    await say("hello");
    agent.files.set("/project/AGENTS.md", "Always use spaces.");
    await say("the first");
    const second = agent.server.chat(2).messages.at(-1) as { content: { text: string }[] };
    expect(second.content.map(({ text }) => text).join()).toContain("Always use spaces.");
  });

  it("are not read where the workspace is not trusted", async () => {
    await start({ files });
    agent.host.workspace = { ...agent.host.workspace, trusted: false };
    await say("hello");
    expect(system()).not.toContain("tabs");
  });

  it("that cannot be used are named to the user", async () => {
    await start({ files: { "CLAUDE.md": "x".repeat(5_000_000) } });
    await say("hello");
    expect(agent.rows()).toContainEqual(
      expect.objectContaining({ code: "rules-left-out", values: ["CLAUDE.md", "too-large", ""] }),
    );
    expect(agent.rows()[0]).toMatchObject({ kind: "user" });
    await say("again");
    expect(agent.rows().filter((row) => row.kind === "notice")).toHaveLength(1);
  });
});

describe("the todo list", () => {
  it("is brought to mind at the start, when the mode becomes act, and with every tenth request", async () => {
    const turns = Array.from({ length: 40 }, (_, n) => {
      const task_progress = n === 0 ? "- [x] 猫を見る\n- [ ] 犬にする" : undefined;
      const params = {
        path: ".",
        regex: `cat ${n}`,
        ...(task_progress === undefined ? {} : { task_progress }),
      };
      const answer = n === 24 ? [{ text: "Fine." }] : [{ tool: "search_files", params }];
      return { match: { request: n + 1 }, answer: n > 27 ? [{ text: "Fine." }] : answer };
    });
    await start({ files: { "a.txt": "" }, script: { turns } });
    await say("go");
    await agent.view.active.setMode("plan");
    await agent.view.active.setMode("act");
    await say("go on");
    const told = agent.server.requests.flatMap((_, index) => {
      const message = agent.server.chat(index + 1).messages.at(-1) as { content: { text: string }[] };
      const todo = message.content.find(({ text }) => text.startsWith("# TODO LIST"))?.text ?? "";
      return todo === "" ? [] : [`${index + 1}: ${todo.split("\n", 1)[0]}`];
    });
    expect(told).toEqual([
      "1: # TODO LIST RECOMMENDED",
      "11: # TODO LIST (1 of 2 done)",
      "21: # TODO LIST (1 of 2 done)",
      "26: # TODO LIST (1 of 2 done)",
    ]);
  });

  it("as the user edited it is told once", async () => {
    await start();
    await say("hello");
    await agent.view.active.setTodo("My list:\n- [ ] Cats first");
    expect(agent.view.active.chatView.todo).toBe("- [ ] Cats first");
    await say("go on");
    expect(lastUser().join("\n")).toContain(
      "# TODO LIST CHANGED BY THE USER (0 of 1 done)\n- [ ] Cats first",
    );
    await say("and on");
    expect(lastUser().join("\n")).not.toContain("TODO LIST");
    await agent.view.active.setTodo("no list any more");
    await say("and on");
    expect(lastUser().join("\n")).toContain("REMOVED BY THE USER");
    await agent.restart();
    expect(agent.view.active.chatView.todo).toBe("");
  });
});

describe("a mention", () => {
  it("of what the user keeps from the agent, or of a secret, is not read", async () => {
    await start({
      files: { ".nekodeignore": "private/\n", "private/a.txt": "hidden words", ".env": "KEY=hidden" },
    });
    await say("@/private/a.txt @/.env");
    expect(lastUser()[0]).toContain("(not included: the path is listed in .nekodeignore)");
    const values = ["@/private/a.txt", "ignored", "", "@/.env", "secret", ""];
    expect(agent.rows()[1]).toMatchObject({ code: "mention-failed", values });
    expect(JSON.stringify(agent.server.requests)).not.toContain("hidden");
  });
});

describe("what is mentioned and does not go along as it is", () => {
  it("is said to the user below their message, and the rest is sent", async () => {
    const files = { "big.txt": "word ".repeat(100_000), "ok.txt": "fine" };
    await start({ files });
    agent.host.surroundings.terminalOutput = async () =>
      "$ make\n(the editor did not pass on the output of this command)\n";
    await say("@/ok.txt @/big.txt @/gone.txt @terminal, @decorated and me@example.com");
    const shown = agent.rows().map((row) => (row.kind === "notice" ? [row.code, row.values] : row.kind));
    expect(shown).toEqual([
      "user",
      ["mention-failed", ["@/gone.txt", "missing", ""]],
      ["mention-cut", ["@/big.txt"]],
      ["mention-lossy", ["@terminal"]],
      "text",
    ]);
    expect(lastUser().join()).toContain('<file_content path="ok.txt">\nfine\n</file_content>');
    await say("@/ok.txt alone");
    expect(agent.rows().filter((row) => row.kind === "notice")).toHaveLength(3);
  });

  it("nor what there is no editor for", async () => {
    await start();
    const { problems: _, terminalOutput: __, ...surroundings } = agent.host.surroundings;
    agent.host.surroundings = surroundings;
    await say("@problems and @terminal");
    const values = ["@problems", "editor-only", "", "@terminal", "editor-only", ""];
    expect(agent.rows()[1]).toMatchObject({ code: "mention-failed", values });
    expect(lastUser().join()).not.toContain("no problems are reported");
    expect(lastUser().join()).toContain("(not included: terminals are only available in the editor)");
  });
});

it.each([
  ["native", 9_500, 0],
  ["native", 12_000, 4_000],
  ["native", 32_000, 40_000],
  ["xml", 8_900, 0],
] as const)(
  "a mention that is far larger leaves room for the rest: %s, a window of %i tokens, rules of %i characters",
  async (protocol, window, size) => {
    const rules = size === 0 ? {} : { "AGENTS.md": "Be brief. ".repeat(size / 10) };
    await start({ protocol, files: { "a.txt": "Some words. ".repeat(15_000), ...rules } });
    agent.settings.provider.contextWindow = window;
    await say("read @/a.txt");
    const kinds = agent.rows().map((row) => (row.kind === "notice" ? row.code : row.kind));
    expect(kinds).toEqual(["user", "mention-cut", "text"]);
  },
);
