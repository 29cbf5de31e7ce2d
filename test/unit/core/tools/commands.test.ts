/** execute_command and read_terminal: what they refuse, what a yes stands for, what a model is told. */
import { describe, expect, it } from "vitest";
import { markLostOutput } from "../../../../src/core/text.ts";
import { terminalText } from "../../../../src/shared/terminal-output.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import { type RunOptions, runTool } from "./run-tool.ts";

const run = (command: string, options: RunOptions = {}) =>
  runTool("execute_command", { command, requires_approval: false }, options);

describe("execute_command", () => {
  it("tells the output and how it ended", async () => {
    const { text, memory } = await run("make", {
      run: async (_command, _signal, onOutput) => {
        onOutput("\x1b[31mred\x1b[0m\r\n10%\r100%\n");
        return 2;
      },
    });
    expect(text).toBe("Exit code 2 after 0.0 s.\nOutput:\nred\n100%\n");
    expect(memory.commands).toEqual(["make"]);
  });

  it("bounds a million characters, head and tail, and says how to see the rest", async () => {
    const settings = { context: { maxResultCharacters: 2_000 } };
    const { text, output } = await run("yes", {
      settings,
      run: async (_command, _signal, onOutput) => {
        onOutput("first\n");
        for (let n = 0; n < 100; n++) onOutput("y".repeat(10_000));
        onOutput("\nlast\n");
        return 0;
      },
    });
    expect(text.length).toBeLessThan(2_400);
    expect(text).toMatch(/first[\s\S]*characters omitted[\s\S]*last/);
    expect((output?.shown?.output ?? "").length).toBeLessThanOrEqual(20_000);
  });

  it("refuses what is no command, before anybody is asked", async () => {
    expect((await run(" ")).error).toMatch(/empty/);
    expect((await run("echo a\0b")).error).toMatch(/NUL/);
    expect((await run(`echo ${"あ".repeat(45_000)}`)).error).toMatch(/135005 bytes.*write_to_file/);
    expect((await run("ls", { noWorkspace: true })).error).toMatch(/No folder is open/);
  });

  it.each([true, false])(
    "refuses in a workspace that is not trusted, whether the model asks for approval: %s",
    async (requiresApproval) => {
      const memory = memoryHost();
      memory.host.workspace = { ...memory.host.workspace, trusted: false };
      const params = { command: "ls", requires_approval: requiresApproval };
      const { error, invocation } = await runTool("execute_command", params, { memory });
      expect(error).toMatch(/not trusted, so commands cannot run/);
      expect(invocation).toBeUndefined();
      expect(memory.commands).toEqual([]);
    },
  );

  const files = {
    "build.sh": "echo ok\n",
    "sub/run.py": "print(1)\n",
    "package.json": '{"scripts":{"test":"node tools/test.js","prebuild":"sh tools/before.sh","build":"x"}}',
    "tools/test.js": "1\n",
    "tools/before.sh": "1\n",
    "sub/Makefile": "all:\n",
    "my file.sh": "echo\n",
  };
  const named: [command: string, changed: string][] = [
    ["bash build.sh", "build.sh"],
    ["./build.sh --fast", "build.sh"],
    ["cat x | bash 'build.sh'", "build.sh"],
    ["bash my\\ file.sh", "my file.sh"],
    ['bash "my file.sh"', "my file.sh"],
    ["env --script=build.sh", "build.sh"],
    ["cd sub && python3 run.py", "sub/run.py"],
    ["bash /project/build.sh", "build.sh"],
    ["npm test", "package.json"],
    ["npm test", "tools/test.js"],
    ["npm run build --silent", "tools/before.sh"],
    ["sh < build.sh", "build.sh"],
    ["sh 0<build.sh", "build.sh"],
    ["bash -c '. ./build.sh'", "build.sh"],
    ['sh -c "cd sub; python3 run.py --x"', "sub/run.py"],
    ["bash $'build.sh'", "build.sh"],
    ["bash $PWD/build.sh", "build.sh"],
    [`bash "\${PWD}/build.sh"`, "build.sh"],
    ["node tools/test", "tools/test.js"],
    ["python3 -m sub.run", "sub/run.py"],
    ["make -C sub all", "sub/Makefile"],
    ["bash not-there.sh", "not-there.sh"],
    ["./not-there", "not-there"],
    ["curl -K @build.sh x", "build.sh"],
  ];
  for (const [command, changed] of named) {
    it(`does not run \`${command}\` once ${changed} is another than was approved`, async () => {
      const { error, memory } = await run(command, {
        files,
        meanwhile: ({ files: now }) => void now.set(`/project/${changed}`, "rm -rf .\n"),
      });
      expect(error).toContain(`${changed}, which the command names, changed since the command was proposed`);
      expect(memory.commands).toEqual([]);
    });
  }

  it("runs when only other files changed, and where a named file is new", async () => {
    const meanwhile: RunOptions["meanwhile"] = ({ files: now }) => {
      now.set("/project/other.sh", "x");
      now.set("/project/out.log", "x");
    };
    expect((await run("bash build.sh > out.log", { files, meanwhile })).memory.commands).toHaveLength(1);
  });

  it("does not run what was removed", async () => {
    const { error } = await run("bash build.sh", {
      files,
      meanwhile: ({ files: now }) => void now.delete("/project/build.sh"),
    });
    expect(error).toContain("build.sh");
  });

  it("offers to allow the very words, never an interpreter, a script or several commands", async () => {
    const offered = async (command: string) => (await run(command)).invocation?.view.always;
    expect(await offered("npm test")).toBe("npm test");
    expect(await offered("git commit -m 'a b'")).toBe("git commit -m 'a b'");
    for (const command of [
      "python3 -c 1",
      "node -e 1",
      "bash -c ls",
      "sh x.sh",
      "./build.sh",
      "a/b",
      "ls && rm x",
      "echo $HOME",
      "sudo ls",
    ])
      expect([command, await offered(command)]).toEqual([command, undefined]);
  });
});

describe("read_terminal", () => {
  function host(newOutput: string, running: boolean) {
    const memory = memoryHost();
    const asked: unknown[] = [];
    memory.host.shell.readTerminal = async (id, waitMs) => {
      asked.push([id, waitMs]);
      return id === "1"
        ? {
            id,
            command: "npm run dev",
            running,
            durationMs: 1_000,
            newOutput,
            ...(running ? {} : { exitCode: 1 }),
          }
        : undefined;
    };
    return { memory, asked };
  }

  it("tells what is new and whether it runs", async () => {
    const { memory, asked } = host("\x1b[32mready\x1b[0m\n", true);
    const { text } = await runTool("read_terminal", { id: 1, wait_seconds: "2" }, { memory });
    expect(text).toBe("npm run dev\n(still running)\nNew output:\nready\n");
    expect(asked).toEqual([["1", 2000]]);
    const ended = await runTool("read_terminal", { id: "1" }, { memory: host("", false).memory });
    expect(ended.text).toBe("npm run dev\n(ended with exit code 1)\n(nothing new)");
  });

  it("is bounded, and keeps the end", async () => {
    const { memory } = host(`start${"x".repeat(50_000)}end`, true);
    const settings = { context: { maxResultCharacters: 1_000 } };
    const { text } = await runTool("read_terminal", { id: "1" }, { memory, settings });
    expect(text.length).toBeLessThan(1_300);
    expect(text).toMatch(/end$/);
  });

  it("says so when there is none of that id", async () => {
    const { error } = await runTool("read_terminal", { id: "7" }, { memory: host("", true).memory });
    expect(error).toMatch(/no background command with the id "7"/);
  });
});

describe("terminalText, for the model", () => {
  it("keeps the text after an escape that begins no sequence", () => {
    expect(terminalText("kept\u001b[é A\rk")).toBe("k");
    expect(terminalText("kept\u001b[é and this K\b\n")).toBe("kept[é and this K\n");
  });

  it("folds redrawn lines and drops control sequences", () => {
    expect(terminalText("a\r\nb\rc\n\x1b]0;title\x07d\x08\n")).toBe("a\nc\nd\n");
  });
});

describe("markLostOutput", () => {
  async function told(...chunks: string[]): Promise<string> {
    const passed = (async function* () {
      yield* chunks;
    })();
    let all = "";
    for await (const chunk of markLostOutput(passed)) all += chunk;
    return all;
  }

  it("adds nothing where the mark of the output's beginning came", async () => {
    expect(await told("\x1b]633;C\x07")).toBe("\x1b]633;C\x07");
    expect(await told("\x1b]133;C\x07one\n", "two\n")).toBe("\x1b]133;C\x07one\ntwo\n");
  });

  it("tells that nothing, or not the beginning, was passed on", async () => {
    expect(await told()).toBe("(the editor did not pass on the output of this command)\n");
    expect(await told("two\n", "three\n")).toBe(
      "(the editor did not pass on how this output begins)\ntwo\nthree\n",
    );
  });
});
