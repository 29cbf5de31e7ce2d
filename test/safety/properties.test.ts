/** Random commands: none with a hostile part is allowed, and what is allowed means to bash what it meant to the judge. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anyText, fc } from "../support/property.ts";
import { rounds, seedOf } from "../support/random.ts";
import { posixShells } from "../support/shells.ts";
import { CORPORA, loadCorpus } from "./corpus.ts";
import { HARMLESS, HOSTILE_COMMANDS, HOSTILE_WORDS, JOINERS, TOKENS } from "./fragments.ts";
import { judgeCommand, told } from "./judge.ts";
import { createScratch, type Scratch } from "./scratch.ts";

const { allow, deny } = loadCorpus("safety-cases.json");
const seed = seedOf("safety");
const factor = rounds(0.2, 10);
const LIMIT = 120_000 * Math.max(1, factor);

const judge = (command: string, shell: "bash" | "zsh" | "sh" | "fish" = "bash") =>
  judgeCommand(command, { shell, allow, deny });
const pick = (items: string[]) => fc.constantFrom(...items);
const line = fc
  .array(fc.tuple(pick(HARMLESS), pick(JOINERS)), { maxLength: 4 })
  .map((parts) => parts.flat().join(""));
const tail = fc
  .array(fc.tuple(pick(JOINERS), pick(HARMLESS)), { maxLength: 4 })
  .map((parts) => parts.flat().join(""));

/** Harmless surroundings; # is the place of the attack. */
const AROUND = [
  "ls && #",
  "#; pwd",
  "(#)",
  "{ #; }",
  "! #",
  "# | cat",
  "# 2>&1",
  "# >/dev/null",
  "ls\n#\npwd",
  "ls | #",
  "pwd || #",
  " # ",
];
const AROUND_POWERSHELL = [
  "Get-Location; #",
  "#; Get-Location",
  "# | Select-Object -First 1",
  "Get-Location\n#",
];

describe(`random commands (NEKODE_SEED=${seed})`, () => {
  it("harmless ones in a row are allowed", { timeout: LIMIT }, async () => {
    await fc.assert(
      fc.asyncProperty(line, pick(HARMLESS), async (before, last) => {
        const judged = await judge(before + last);
        expect(judged.verdict, `${before + last}: ${told(judged.reason)}`).toBe("allow");
      }),
      { seed, numRuns: 150 * factor },
    );
  });

  it("a hostile command among them is never allowed, in any shell", {
    timeout: LIMIT,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        line,
        pick(HOSTILE_COMMANDS),
        tail,
        fc.constantFrom("bash", "zsh", "sh", "fish"),
        async (before, hostile, after, shell) => {
          expect((await judge(before + hostile + after, shell)).verdict, before + hostile + after).not.toBe(
            "allow",
          );
        },
      ),
      { seed, numRuns: 300 * factor },
    );
  });

  it("a hostile word behind a harmless command is never allowed", { timeout: LIMIT }, async () => {
    await fc.assert(
      fc.asyncProperty(line, pick(HARMLESS), pick(HOSTILE_WORDS), async (before, last, hostile) => {
        expect((await judge(`${before}${last} ${hostile}`)).verdict, `${before}${last} ${hostile}`).not.toBe(
          "allow",
        );
      }),
      { seed, numRuns: 150 * factor },
    );
  });
});

describe.each(posixShells)(`random text in $name (NEKODE_SEED=${seed})`, ({ name, path }) => {
  const kind = name === "zsh" || name === "fish" || name === "sh" ? name : "bash";
  let scratch: Scratch;
  beforeAll(async () => {
    const programs = ["ls", "echo", "cat", "sort", "find", "git", "touch", "pwd", "log"];
    scratch = await createScratch(programs, kind, path);
  });
  afterAll(() => scratch.dispose());

  it("starts what the judge saw, wherever it is allowed", { timeout: 600_000 }, async () => {
    // fish makes folders for itself when it is first started.
    await scratch.run(["true"]);
    const before = await scratch.snapshot();
    const text = fc
      .tuple(
        pick(["ls", "echo", "cat", "git log", "pwd", "find ."]),
        fc.array(pick(TOKENS), { minLength: 1, maxLength: 7 }),
      )
      .map(([head, rest]) => `${head} ${rest.join("")}`);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(text, async (command) => {
        const judged = await judge(command, kind);
        if (judged.verdict !== "allow" || run++ > 25 * factor) return;
        const [started = []] = await scratch.record([command]);
        for (const words of started) {
          const same = (judged.words ?? []).some((each) =>
            /[*?[$~]/.test(each.join("")) ? each[0] === words[0] : each.join("\0") === words.join("\0"),
          );
          expect(same, `${JSON.stringify(command)} started ${JSON.stringify(words)}`).toBe(true);
        }
        // Where a pattern matches nothing, zsh and fish start nothing.
        const all = kind === "bash" || kind === "sh" || !/[*?[]/.test(command);
        if (all && !/\|\||&&|!/.test(command)) expect(started.length, command).toBe(judged.words?.length);
      }),
      { seed, numRuns: 400 * factor },
    );
    expect(await scratch.snapshot()).toBe(before);
  });
});

describe(`any text (NEKODE_SEED=${seed})`, () => {
  it("an attack stays one among harmless commands", { timeout: LIMIT }, async () => {
    const attacks = CORPORA.map(loadCorpus).flatMap(({ commands, ...lists }) =>
      commands
        // What ends in the middle of something is completed by the next line.
        .filter(
          ([shell, text, expected]) =>
            expected !== "allow" && shell !== "cmd" && !/^\s*(?:#|$)|[|&]\s*$/.test(text),
        )
        .map(([shell, text]) => ({ shell, text, lists })),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...attacks), fc.nat(), async ({ shell, text, lists }, n) => {
        const forms = shell === "powershell" ? AROUND_POWERSHELL : AROUND;
        const command = (forms[n % forms.length] ?? "#").replace("#", () => text);
        const judged = await judgeCommand(command, { shell, allow: lists.allow, deny: lists.deny });
        expect(judged.verdict, `${shell}: ${command}`).not.toBe("allow");
      }),
      { seed, numRuns: 500 * factor },
    );
  });

  it("never throws, for any text in any shell", { timeout: LIMIT }, async () => {
    await fc.assert(
      fc.asyncProperty(
        anyText({ maxLength: 60 }),
        fc.constantFrom("bash", "zsh", "sh", "fish", "powershell", "cmd"),
        async (command, shell) => {
          const judged = await judgeCommand(command, { shell, allow, deny });
          expect(["allow", "ask", "deny"]).toContain(judged.verdict);
        },
      ),
      { seed, numRuns: 150 * factor },
    );
  });
});
