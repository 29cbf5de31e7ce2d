/**
 * One option has many forms: in a cluster of letters and digits, as the beginning of its name, with the beginning of its value.
 * Each command is run for real, and what prints a secret must have asked.
 */
import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Judge } from "../../src/core/loop/calls/permission.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { Random, rounds, seedOf } from "../support/random.ts";
import { programFile } from "../support/shells.ts";
import { project } from "../support/tools-on-disk.ts";

const seed = seedOf("option-forms");
const CANARY = "canary-4712";
const FOLDERS = ["/bin", "/usr/bin"];

interface Form {
  names: string[];
  /** Letters without a value, which do nothing here that hides the output. */
  letters: string;
  /** Letters that read more than the named files. */
  reaching: string;
  /** Long options that do, and options with a value of which only the beginning may be written. */
  long: string[];
  values: { options: string[]; value: string }[];
  /** What follows the options. */
  operands: string[];
}

const FORMS: Form[] = [
  {
    names: ["grep", "egrep", "fgrep", "zgrep", "rgrep"],
    letters: "EFinHhaIsTbU0123456789",
    reaching: "rR",
    long: ["--recursive", "--dereference-recursive"],
    values: [
      {
        options: ["-d", "-d ", "-5d", "-nd", "--directories=", "--directories ", "--dir="],
        value: "recurse",
      },
    ],
    operands: ["KEY .", "KEY", "KEY sub", "-- KEY .", "-e KEY", "KEY sub -5", "KEY a.txt sub"],
  },
  {
    names: ["diff", "colordiff"],
    letters: "abwBiENpt0123456789",
    reaching: "r",
    long: ["--recursive"],
    values: [],
    operands: ["one two", "-- one two", "one two -u", "--from-file=one two", "--to-file=two one", "one sub"],
  },
  {
    names: ["md5sum", "sha256sum", "shasum"],
    letters: "bt0",
    reaching: "c",
    long: ["--check"],
    values: [],
    operands: ["sums.txt", "-- sums.txt"],
  },
  {
    names: ["du"],
    letters: "0abhkm",
    reaching: "",
    long: ["--files0-from=.env"],
    values: [{ options: ["-X", "-0X", "-abX ", "--exclude-from=", "--exclude-f="], value: ".env" }],
    operands: [".", "sub"],
  },
];

/** The whole, or any beginning of it that is long enough to be understood. */
function beginning(text: string, least: number, random: Random): string {
  const name = text.split("=")[0] ?? text;
  if (random.chance(0.4) || name.length <= least) return text;
  return name.slice(0, random.int(least, name.length)) + text.slice(name.length);
}

/** Letters in any order, with the one that reaches further among them. */
function cluster({ letters, reaching }: Form, random: Random): string {
  const others = Array.from({ length: random.int(0, 3) }, () => random.pick([...letters]));
  return `-${random.shuffle([...others, random.pick([...reaching])]).join("")}`;
}

function commandOf(form: Form, random: Random): string {
  const plain = () => `-${random.pick([...form.letters])}`;
  const choices = [
    ...(form.reaching === "" ? [] : [() => cluster(form, random)]),
    () => beginning(random.pick(form.long), 5, random),
    ...form.values.map(({ options, value }) => () => {
      const whole = random.chance(0.4) || value.startsWith(".");
      return random.pick(options) + (whole ? value : value.slice(0, random.int(3, value.length - 1)));
    }),
  ];
  const parts = [random.pick(choices)()];
  if (random.chance(0.4)) parts.unshift(plain());
  if (random.chance(0.2)) parts.push(plain());
  const name = random.pick(form.names);
  // Some stop at the first operand; others take options behind it.
  const operands = random.pick(form.operands);
  return random.chance(0.15) && !operands.startsWith("-")
    ? `${name} ${operands} ${parts.join(" ")}`
    : `${name} ${parts.join(" ")} ${operands}`;
}

async function place() {
  const { root, host, at } = await project();
  const write = async (name: string, text: string) => {
    await mkdir(path.dirname(at(name)), { recursive: true });
    await writeFile(at(name), text);
  };
  for (const name of [".env", "sub/.env", "one/.env"]) await write(name, `KEY=${CANARY}\n`);
  await write("two/.env", "KEY=other\n");
  for (const name of ["a.txt", "sub/a.txt", "one/a.txt"]) await write(name, "KEY\n");
  await write("two/a.txt", "KEY 2\n");
  await write("sums.txt", `${"0".repeat(32)}  .env\n`);
  const names = FORMS.flatMap((form) => form.names);
  const settings = settingsSchema.parse({ approval: { commandSafe: true }, commands: { allow: names } });
  const judge = new Judge(host, () => settings);
  const verdict = async (command: string) =>
    (await judge.permission({ access: "command" }, { paths: [], command }, "act")).verdict;
  const output = (command: string) =>
    spawnSync("/bin/bash", ["-c", command], { cwd: root, encoding: "utf8", input: "", timeout: 20_000 });
  return { verdict, output };
}

describe(`options in all their forms (NEKODE_SEED=${seed})`, () => {
  it("ask wherever they reach a secret", async () => {
    const { verdict, output } = await place();
    const random = new Random(seed);
    const allowed: string[] = [];
    let told = 0;
    const tried = new Set<string>();
    for (let n = 0; n < rounds(50, 5_000); n++) {
      const command = commandOf(random.pick(FORMS), random);
      if (tried.has(command)) continue;
      tried.add(command);
      const given = await verdict(command);
      if (programFile(command.split(" ")[0] ?? "", FOLDERS) === undefined) continue;
      const { stdout, stderr } = output(command);
      if (!`${stdout}${stderr}`.includes(CANARY)) continue;
      told++;
      if (given === "allow") allowed.push(command);
    }
    expect(allowed).toEqual([]);
    // Otherwise the commands prove nothing.
    expect(told).toBeGreaterThan(tried.size / 5);
  });

  it.each([
    "grep -5r KEY .",
    "grep -1hR '' sub",
    "grep -05r KEY",
    "grep -5drecurse KEY .",
    "grep -d rec KEY .",
    "grep --directories=recu KEY .",
    "grep --exclude-dir=x -5r KEY",
    "rgrep KEY",
    "diff -5r one two",
    "diff -y5r one two",
    "diff --from-file=one two",
    "diff --no-such-option a.txt two/a.txt",
    "du -0X.env .",
    "shasum -0c sums.txt",
    "md5sum -bc sums.txt",
  ])("%s asks", async (command) => {
    const { verdict } = await place();
    expect(await verdict(command)).toBe("ask");
  });

  it.each([
    "grep -5 KEY a.txt",
    "grep -n5 KEY a.txt",
    "grep -5n -i KEY a.txt sub/a.txt",
    "diff -5 a.txt two/a.txt",
    "diff -u5 a.txt two/a.txt",
    "du -0 sub",
    "du -sh --max-depth=1 .",
    "md5sum -b a.txt",
  ])("%s does not", async (command) => {
    const { verdict } = await place();
    expect(await verdict(command)).toBe("allow");
  });
});
