// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is shell text
/** Random commands: none with a hostile part is allowed, whatever stands around it, and no text makes the judge throw. */
import { describe, expect, it } from "vitest";
import { anyText, fc } from "../support/property.ts";
import { rounds, seedOf } from "../support/random.ts";
import { CORPORA, loadCorpus, shellKind } from "./corpus.ts";
import { judgeCommand, told } from "./judge.ts";

const { allow, deny, commands } = loadCorpus("safety-cases.json");
const seed = seedOf("safety");
const factor = rounds(0.1, 10);
const LIMIT = 120_000 * Math.max(1, factor);

const judge = (command: string) => judgeCommand(command, { shell: "bash", allow, deny });

/** Commands that run, without those that end in a comment or begin with a folder of their own. */
const harmless = fc.constantFrom(
  ...commands
    .filter(([shell, text, expected]) => shell === "bash" && expected === "allow" && !/#|^cd |\n/.test(text))
    .map(([, text]) => text),
);
const joiner = fc.constantFrom(" && ", " || ", "; ", "\n", "&&", ";", " >/dev/null; ");
const line = fc.array(fc.tuple(harmless, joiner), { maxLength: 4 }).map((parts) => parts.flat().join(""));

/** Words that must never be an argument of an allowed command, whatever precedes them. */
const HOSTILE_WORDS = [
  ..."$(id)|`id`|<(id)|>(id)|${x:=1}|${!x}|$((1))|> x|>> x|&> x|2> x|< x|<<< x|& id|; id|\nid\n|&& id|(id)".split(
    "|",
  ),
  ...["| sh", "|| id", "\u202e", "\u200b", "\r", '"$(id)"', "'", '"', "\\"],
];

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
];
const AROUND_POWERSHELL = ["Get-Location; #", "#; Get-Location", "# | Select-Object -First 1"];

const attacks = CORPORA.map(loadCorpus).flatMap(({ commands: cases, ...lists }) =>
  cases
    // What ends in the middle of something is completed by the next line.
    .filter(
      ([shell, text, expected]) =>
        expected !== "allow" && shell !== "cmd" && !/^\s*(?:#|$)|[|&]\s*$/.test(text),
    )
    .map(([shell, text]) => ({ shell, text, lists })),
);

describe(`random commands (NEKODE_SEED=${seed})`, () => {
  it("harmless ones in a row are allowed", { timeout: LIMIT }, async () => {
    await fc.assert(
      fc.asyncProperty(line, harmless, async (before, last) => {
        const judged = await judge(before + last);
        expect(judged.verdict, `${before + last}: ${told(judged.reason)}`).toBe("allow");
      }),
      { seed, numRuns: 150 * factor },
    );
  });

  it("an attack stays one among harmless commands", { timeout: LIMIT }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...attacks), fc.nat(), async ({ shell, text, lists }, n) => {
        const forms = shell === "powershell" ? AROUND_POWERSHELL : AROUND;
        const command = (forms[n % forms.length] ?? "#").replace("#", () => text);
        const judged = await judgeCommand(command, { shell, allow: lists.allow, deny: lists.deny });
        expect(judged.verdict, `${shell}: ${command}`).not.toBe("allow");
      }),
      { seed, numRuns: 1_000 * factor },
    );
  });

  it("a hostile word behind a harmless command is never allowed", { timeout: LIMIT }, async () => {
    await fc.assert(
      fc.asyncProperty(line, harmless, fc.constantFrom(...HOSTILE_WORDS), async (before, last, hostile) => {
        const command = `${before}${last} ${hostile}`;
        expect((await judge(command)).verdict, command).not.toBe("allow");
      }),
      { seed, numRuns: 300 * factor },
    );
  });

  it("never throws, for any text in any shell", { timeout: LIMIT }, async () => {
    await fc.assert(
      fc.asyncProperty(
        anyText({ maxLength: 60 }),
        fc.constantFrom(...shellKind.options),
        async (command, shell) => {
          const judged = await judgeCommand(command, { shell, allow, deny });
          expect(["allow", "ask", "deny"]).toContain(judged.verdict);
        },
      ),
      { seed, numRuns: 300 * factor },
    );
  });
});
