import { readFileSync } from "node:fs";
import { expect, it, onTestFinished, vi } from "vitest";
import type { TypingPatience } from "../../../src/node/shell/command-process.ts";
import { isAlive } from "../../support/processes.ts";
import { holdTimers } from "../../support/timers.ts";
import { run, type Watched, watchedShellAt } from "./shell-support.ts";
import { neverAborted, temporaryFolder } from "./support.ts";

// Seconds on an idle machine are many on a busy one.
/** Runs commands in a shell that somebody watches; `onOutput` is what they do about what they see. */
function watchedShell(onOutput?: (watched: Watched) => void, patience: TypingPatience = {}) {
  const shell = watchedShellAt("/bin/bash", onOutput, { patience });
  return async (command: string, timeoutMs = 60_000, signal = neverAborted) => ({
    ...(await run(shell, command, await temporaryFolder(), { timeoutMs, signal })),
    shell,
  });
}

/** Types once, when the terminal shows `prompt`. */
function answering(prompt: string, text: string) {
  let answered = false;
  return ({ control, shown }: Watched) => {
    if (answered || !shown.includes(prompt)) return;
    answered = true;
    expect(control.type(text)).toBe(true);
  };
}

it("gives what is typed to the program that asks, and shows it once", async () => {
  const run = watchedShell(answering("Name: ", "tama\r"));
  const { output, exitCode } = await run(`read -p "Name: " name; echo "hello $name"; exit 4`);
  expect(output).toBe("Name: tama\nhello tama\n");
  expect(exitCode).toBe(4);
});

it("does not show a password", async () => {
  const run = watchedShell(answering("Secret: ", "hush\r"), { echo: 1 });
  const { output } = await run(`read -s -p "Secret: " word </dev/tty; echo; echo "\${#word} letters"`);
  expect(output).not.toContain("hush");
  expect(output).toMatch(/4 letters\n$/);
});

it("prints through pipes: the same bytes as without a terminal", async () => {
  const run = watchedShell();
  const { output } = await run(
    `printf 'a\\r\\nb\\n\\033[1mc'; test -t 0 && test ! -t 1 && test ! -t 2 && echo piped; stty size; seq 1 5000`,
  );
  const numbers = Array.from({ length: 5000 }, (_, at) => `${at + 1}\n`).join("");
  expect(output).toBe(`a\r\nb\n\x1b[1mcpiped\n31 97\n${numbers}`);
});

it.each(["/bin/of-the-user", undefined])("leaves the user's environment as it is: SHELL %s", async (own) => {
  vi.stubEnv("SHELL", own);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const run = watchedShell();
  const look = `env | grep -c ^NEKODE_; env | grep ^SHELL=; ps -o args= -p $$`;
  // Whoever runs the tests may have some of that name.
  const before = Object.keys(process.env).filter((name) => name.startsWith("NEKODE_")).length;
  // Without a SHELL, bash names one for itself, but not for the programs it runs.
  const exported = own === undefined ? [] : [`SHELL=${own}`];
  const { output } = await run(look);
  expect(output.split("\n").slice(0, 1 + exported.length)).toEqual([`${before}`, ...exported]);
  expect(output).not.toContain("trap");
  if (own === undefined) expect(output).not.toContain("SHELL=");
});

it("interrupts by Ctrl-C as a terminal does", async () => {
  const run = watchedShell(answering("ready", "\x03"));
  const { output } = await run(`trap 'echo tidied; exit 5' INT; echo ready; while :; do sleep 0.1; done`);
  expect(output).toContain("tidied");
});

/** Lets the patience with a prompt end when the terminal shows `words`, and not before. */
function passing(words: string, then: (watched: Watched) => void = () => {}) {
  let passed = false;
  return (watched: Watched) => {
    if (passed || !watched.shown.includes(words)) return;
    passed = true;
    vi.advanceTimersByTime(1_000);
    then(watched);
  };
}

it("closes the input of a question that nobody answers, and of nothing else", async () => {
  const silent = await watchedShell(undefined, { prompt: 1 })("cat; echo read");
  expect(silent.output).toBe("read\n");
  holdTimers();
  const asked = await watchedShell(passing("Sure? "), { prompt: 1_000 })(
    `read -p "Sure? " answer; echo "none: $?"`,
  );
  expect(asked.output).toBe("Sure? none: 1\n");
  // One that has said all it has to say goes on to listen to its keys.
  const type = passing("listening\n", ({ control }) => control.type("key\r"));
  const end = answering("key\nkey\n", "\x04");
  const onOutput = (watched: Watched) => {
    type(watched);
    end(watched);
  };
  const server = await watchedShell(onOutput, { prompt: 1_000 })("echo listening; cat; echo gone");
  expect(server.output).toBe("listening\nkey\nkey\ngone\n");
});

it("says that a question waits, keeps its input open meanwhile, and says when it no longer does", async () => {
  holdTimers();
  const told: boolean[] = [];
  const answers = new Map([
    ["Name: ", "Tama"],
    ["Age? ", "7"],
  ]);
  const shell = watchedShellAt(
    "/bin/bash",
    ({ control, shown }) => {
      for (const [question, answer] of answers) {
        if (!shown.endsWith(question)) continue;
        answers.delete(question);
        // Far beyond the patience with a prompt that nobody shows.
        vi.advanceTimersByTime(20_000);
        control.type(`${answer}\r`);
      }
    },
    { patience: { prompt: 1_000, question: 100 }, showsWaiting: true },
  );
  const command = 'read -p "Name: " name; read -p "Age? " age; echo "$name is $age"';
  const onWaits = (waits: boolean) => void told.push(waits);
  const { output, exitCode } = await run(shell, command, await temporaryFolder(), { onWaits });
  expect(exitCode).toBe(0);
  expect(output).toContain("Tama is 7");
  expect(told).toEqual([true, false, true, false]);
});

it.each([
  ["the words of the question", "Password: ", "read -p 'Password: ' word"],
  ["its terminal, which hides what is typed", "Who? ", "read -s -p 'Who? ' word </dev/tty"],
])("says that a secret is asked for, by %s", async (_, question, command) => {
  const told: string[] = [];
  const shell = watchedShellAt("/bin/bash", () => {}, {
    patience: { question: 1, echo: 1 },
    showsWaiting: true,
    controlled: (control) => {
      answer = () => void control.type("hush\r");
    },
  });
  let answer = () => {};
  const onWaits = (waits: boolean, isHidden: boolean) => {
    told.push(`${waits} ${isHidden}`);
    if (isHidden) answer();
  };
  const { output } = await run(shell, `${command}; echo "\${#word} letters"`, await temporaryFolder(), {
    onWaits,
  });
  expect(output).toMatch(/4 letters\n$/);
  expect(output.startsWith(question)).toBe(true);
  expect(told.slice(-2)).toEqual(["true true", "false false"]);
});

it.each(["続けますか？", "名前：", "Overwrite? (y/n)", "? Pick one ›"])(
  "takes this for a question: %s",
  async (question) => {
    const told: boolean[] = [];
    const shell = watchedShellAt("/bin/bash", () => {}, {
      patience: { question: 1, echo: 1 },
      showsWaiting: true,
      controlled: (control) => {
        answer = () => void control.type("y\r");
      },
    });
    let answer = () => {};
    const onWaits = (waits: boolean) => {
      told.push(waits);
      if (waits) answer();
    };
    await run(shell, `printf '%s' '${question}'; read -r word`, await temporaryFolder(), { onWaits });
    expect(told).toEqual([true, false]);
  },
);

it.each([
  ["a progress", "Downloading 45%", 'printf "Downloading 45%%"; cat; echo'],
  ["a line that is complete", "Name: \n", 'echo "Name: "; cat'],
])("does not say so of %s", async (_, shown, command) => {
  holdTimers();
  const told: boolean[] = [];
  const patience = { prompt: 1_000, question: 100 };
  const pass = passing(shown, ({ control }) => control.type("\x04"));
  const shell = watchedShellAt("/bin/bash", pass, { patience, showsWaiting: true });
  await run(shell, command, await temporaryFolder(), { onWaits: (waits) => void told.push(waits) });
  expect(told).toEqual([]);
});

it("keeps what a command leaves in the background alive, and ends it on Stop", async () => {
  const run = watchedShell();
  const { output, exitCode, backgroundId, shell } = await run("sleep 300 & echo $!");
  expect(exitCode).toBe(0);
  expect(backgroundId).toBeDefined();
  const pid = Number(output);
  // It has the shell's name until it has begun.
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "latin1")).toContain("sleep");
  shell.dispose();
  await expect.poll(() => isAlive(pid)).toBe(false);
});

it("ends the tree of a command that waits for input when the user stops", async () => {
  const controller = new AbortController();
  let pid = 0;
  const run = watchedShell(({ shown }) => {
    pid = Number(/(\d+)\n/.exec(shown)?.[1] ?? 0);
    controller.abort();
  });
  const { exitCode, backgroundId } = await run("sleep 300 & echo $!; cat", 60_000, controller.signal);
  expect(exitCode).not.toBe(0);
  expect(backgroundId).toBeUndefined();
  expect(isAlive(pid)).toBe(false);
});

it("says so when a command cannot be handed to a process", async () => {
  const run = watchedShell();
  await expect(run("echo a\0b")).rejects.toMatchObject({ name: "ToolError" });
});

it("runs a command of 100 KB", async () => {
  const run = watchedShell();
  const { output } = await run(`: ${"x".repeat(100_000)}; echo long`);
  expect(output).toBe("long\n");
});
