import vm from "node:vm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { translator } from "../../../src/shared/words/task-words.ts";
import { demoScenes } from "../../../webview-ui/welcome/scenes.ts";
import { japanese as boot } from "../../browser/support/boot.ts";
import { demo } from "../../model-server/demo.ts";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";
import { TODO_FILES } from "../../model-server/todo-app.ts";
import { Agent, type AgentOptions } from "./agent.ts";
import { ask, clientOf, stream } from "./client.ts";

let server: ModelServer;

beforeEach(async () => {
  // The same answers at full speed.
  server = await startModelServer({
    script: (conversation) => ({ ...demo(conversation), pace: 0, chunkSize: 500 }),
  });
});

afterEach(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
});

const japanese = boot.translations;
const NEKO = "吾輩は猫である。名前はまだ無い。\n";
const toolsOf = (agent: Agent): string[] => agent.calls.map((call) => call.tool);

describe.each(["native", "xml"] as const)("by the %s protocol", (protocol) => {
  function agent(options: Partial<AgentOptions> = {}): Agent {
    return new Agent(server, { protocol, files: { "neko.txt": NEKO }, ...options });
  }

  it("turns the cat into a dog, in Japanese", async () => {
    const run = agent();
    const last = await run.say("@/neko.txt 猫を犬にしてください");
    expect(toolsOf(run)).toEqual(["read_file", "replace_in_file", "attempt_completion"]);
    expect(run.files.get("neko.txt")).toBe("吾輩は犬である。名前はまだ無い。\n");
    expect(last?.params.result).toMatch(/「猫」を「犬」に置き換えました[\s\S]*吾輩は犬である/);
    expect(run.text).toMatch(protocol === "native" ? /^まず/ : /^<thinking>/);
    expect(run.calls.every((call) => "task_progress" in call.params)).toBe(true);
  });

  it("uses the content that a mention carries", async () => {
    const run = agent();
    await run.say(
      `<task>\n'neko.txt' (see below for file content) 猫を犬にしてください\n</task>\n\n<file_content path="neko.txt">\n${NEKO}\n</file_content>`,
    );
    expect(toolsOf(run)).toEqual(["replace_in_file", "attempt_completion"]);
  });

  it("turns the cat into a dog, in English, whatever the file's language", async () => {
    const run = agent();
    const last = await run.say("Change the cat to a dog in neko.txt");
    expect(run.files.get("neko.txt")).toBe("吾輩は犬である。名前はまだ無い。\n");
    expect(last?.params.result).toMatch(/now says 犬 where it said 猫/);
    const other = agent({ files: { "notes.md": "My cat sleeps.\nThe dog does not.\nA cat!\n" } });
    await other.say("please replace cat with dog in notes.md");
    expect(other.files.get("notes.md")).toBe("My dog sleeps.\nThe dog does not.\nA dog!\n");
  });

  it("takes a refusal for an answer", async () => {
    const run = agent({
      veto: (call) => (call.tool === "replace_in_file" ? "The user rejected this." : undefined),
    });
    const last = await run.say("neko.txt の猫を犬にして");
    expect(last?.tool).toBe("attempt_completion");
    expect(last?.params.result).toContain("元のまま");
    expect(run.files.get("neko.txt")).toBe(NEKO);
  });

  it("reads again after an edit that failed, and gives up in the end", async () => {
    const run = agent({ veto: (call) => (call.tool === "replace_in_file" ? "No such lines." : undefined) });
    const last = await run.say("neko.txt の猫を犬にして");
    expect(toolsOf(run).filter((tool) => tool === "replace_in_file")).toHaveLength(2);
    expect(last?.params.result).toContain("変えられません");
  });

  it("writes the Todo app", async () => {
    const run = agent();
    const last = await run.say("シンプルなTodoアプリを作成して");
    expect(toolsOf(run)).toEqual(["write_to_file", "write_to_file", "write_to_file", "attempt_completion"]);
    for (const [name, content] of Object.entries(TODO_FILES)) {
      // The small agent takes off one line break at each end of an XML value, as the protocol has it.
      expect(run.files.get(name)).toBe(content);
    }
    expect(last?.params.result).toContain("index.html");
  });

  it("does not write the Todo app over someone's page", async () => {
    const run = agent({ files: { "index.html": "<h1>Mine</h1>" } });
    await run.say("Make a todo app");
    expect(toolsOf(run)[0]).toBe("read_file");
    expect(run.files.get("index.html")).toBe("<h1>Mine</h1>");
    expect([...run.files.keys()]).toContain("todo-app/script.js");
  });

  it("stops at a refused file", async () => {
    let writes = 0;
    const veto: AgentOptions["veto"] = (call) => {
      if (call.tool === "write_to_file") writes += 1;
      return call.tool === "write_to_file" && writes === 2 ? "The user denied this." : undefined;
    };
    const run = agent({ veto });
    expect((await run.say("Make a todo app"))?.params.result).toContain("1 of 3");
    expect([...run.files.keys()]).toEqual(["neko.txt", "index.html"]);
  });

  it.each(["en", "ja"] as const)("plays each scene of the first page, in %s", async (language) => {
    const t = translator(language === "en" ? {} : japanese);
    for (const { id, text, mode } of demoScenes(t)) {
      const run = agent({ mode, files: { "neko.txt": NEKO, "README.md": "# Cats\n" } });
      const last = await run.say(text);
      expect(run.text, id).not.toMatch(/demonstration|デモです/);
      expect(JSON.stringify(last?.params ?? {}), id).not.toMatch(/demonstration|デモです/);
      const played: Record<string, () => void> = {
        edit: () => expect(run.files.get("neko.txt")).toContain("犬"),
        command: () => expect(run.calls[0]?.params.command).toBe("node --version"),
        plan: () => expect(toolsOf(run)).toEqual(["plan_mode_respond"]),
        question: () => expect(toolsOf(run)[0]).toBe("ask_followup_question"),
        long: () => {
          expect(toolsOf(run).length).toBeGreaterThan(5);
          expect(run.files.get("tour.md")).toContain("README.md");
        },
        rich: () => expect(String(last?.params.result)).toMatch(/\$\$[\s\S]*```mermaid/),
      };
      expect(Object.keys(played)).toContain(id);
      played[id]?.();
    }
  });

  it.each([
    "Add a method to cats.js that makes the cats purr",
    "Change the cats to something nicer",
    "Write tests for cats.js",
    "Why does the build fail?",
    "please replace cat with dog in README.md",
    "cats.js に鳴く機能を追加して",
    "このコードのバグを見つけて",
  ])("says to any other request that it is a demonstration, and touches nothing: %s", async (words) => {
    const run = agent({
      files: { "neko.txt": NEKO, "README.md": "# Nothing\n", "cats.js": "const cats = [];\n" },
    });
    const last = await run.say(words);
    expect(String(last?.params.result)).toMatch(/Answers are a demonstration|回答はデモです/);
    expect(String(last?.params.result)).toMatch(/Connect a model|モデルを接続/);
    expect(toolsOf(run).filter((tool) => !/^(read_file|attempt_completion)$/.test(tool))).toEqual([]);
    expect(run.files.get("neko.txt")).toBe(NEKO);
  });

  it("answers a question about the workspace", async () => {
    const run = agent({ files: { "src/a.ts": "x", "README.md": "# Cats\n\n```\nx\n```\n" } });
    const last = await run.say("What is in this project?");
    expect(toolsOf(run)).toEqual(["list_files", "read_file", "attempt_completion"]);
    expect(run.calls[1]?.params.path).toBe("README.md");
    expect(last?.params.result).toMatch(/## What is here[\s\S]*````md\n# Cats/);
  });

  it("runs a command", async () => {
    const run = agent();
    const last = await run.say("run `node -p 1`");
    expect(run.calls[0]).toMatchObject({ tool: "execute_command", params: { command: "node -p 1" } });
    expect(last?.params.result).toContain("output of node -p 1");
  });

  it("plans in plan mode and acts when the mode changes", async () => {
    const run = agent({ mode: "plan" });
    const plan = await run.say("neko.txt の猫を犬にして");
    expect(toolsOf(run)).toEqual(["plan_mode_respond"]);
    expect(plan?.params.response).toMatch(/\*\*猫\*\* を \*\*犬\*\*/);
    run.mode = "act";
    await run.say("Act モードに切り替えました。続けてください。");
    expect(run.files.get("neko.txt")).toContain("犬");
  });

  it("asks back and follows the answer", async () => {
    const run = agent({
      veto: (call) =>
        call.tool === "ask_followup_question" ? "Change the cat to a dog in neko.txt" : undefined,
    });
    expect((await run.say("Ask me something"))?.tool).toBe("attempt_completion");
    const asked: unknown = run.calls[0]?.params.options;
    expect(typeof asked === "string" ? JSON.parse(asked) : asked).toHaveLength(3);
    expect(run.files.get("neko.txt")).toContain("犬");
  });

  it.each([
    ["Hello!", "scripted model"],
    ["こんにちは", "台本モデル"],
    ["🐈", "scripted model"],
    ["Show me Markdown", "mermaid"],
    ["長い回答をして", "以上"],
  ])("answers %s", async (words, expected) => {
    const last = await agent().say(words);
    expect(last?.tool).toBe("attempt_completion");
    expect(last?.params.result).toContain(expected);
    const planning = agent({ mode: "plan" });
    expect((await planning.say(words))?.tool).toBe("plan_mode_respond");
  });
});

describe("whatever the conversation", () => {
  const client = () => clientOf(server);

  it("answers without tags, modes or known tools", async () => {
    expect((await stream(client(), ask("hi"))).content).toContain("scripted model");
    const only = [{ type: "function" as const, function: { name: "other" } }];
    expect((await stream(client(), { ...ask("make a todo app"), tools: only })).calls).toEqual([]);
  });

  it("comes to an end though every call is refused in words that it does not know", async () => {
    const agent = new Agent(server, { protocol: "native", veto: () => "?" });
    for (const words of ["猫を犬にして", "Make a todo app", "what files are here?", "run it"]) {
      await agent.say(words);
    }
    expect(agent.calls.length).toBeLessThan(30);
  });

  it("sums up when asked to", async () => {
    const messages = [
      { role: "user", content: "<task>make tea</task>" },
      { role: "assistant", content: "ok" },
      { role: "user", content: "Summarize the conversation so far." },
    ] as const;
    expect((await stream(client(), { messages: [...messages] })).content).toMatch(
      /## Summary[\s\S]*make tea/,
    );
  });
});

describe("the Todo app", () => {
  it("is a script that parses, and a page that names what the script looks up", () => {
    const script = TODO_FILES["script.js"] ?? "";
    expect(() => new vm.Script(script)).not.toThrow();
    const ids = [...script.matchAll(/getElementById\("([^"]+)"\)/g)].map((match) => match[1]);
    expect(ids.length).toBeGreaterThan(5);
    for (const id of ids) expect(TODO_FILES["index.html"]).toContain(`id="${id}"`);
    expect(TODO_FILES["index.html"]).toMatch(/href="style\.css"[\s\S]*src="script\.js"/);
  });
});
