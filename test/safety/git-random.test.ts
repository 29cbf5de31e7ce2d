/**
 * Git commands by chance, in a repository that keeps a secret in every place that git knows: what is allowed is run, prints
 * no secret and changes nothing.
 */
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { askGit } from "../../src/node/git/ask.ts";
import { generator, isWhole, rounds, seedOf } from "../support/random.ts";
import { gitRunner, LIMITS } from "./git-runner.ts";
import { commandBy, spelled } from "./git-words.ts";
import { inParallel } from "./parallel.ts";
import { repository, run } from "./repository.ts";

const COUNT = rounds(15, 2_000);
const SEED = seedOf("git-random");

/** What users set for all repositories, and what it may change in the answer. */
const SETTINGS = [
  "",
  "[log]\n follow = true\n",
  "[diff]\n renames = copies\n",
  "[diff]\n submodule = diff\n",
  "[log]\n diffMerges = separate\n[stash]\n showPatch = true\n showIncludeUntracked = true\n",
  "[i18n]\n logOutputEncoding = UTF-16\n[color]\n ui = always\n",
  "[diff]\n relative = true\n noprefix = true\n renames = false\n",
  "[log]\n showRoot = false\n decorate = full\n[format]\n pretty = fuller\n",
  "[submodule]\n recurse = true\n[status]\n submoduleSummary = true\n",
  "[grep]\n fullName = true\n column = true\n patternType = perl\n lineNumber = true\n",
  "[core]\n notesRef = refs/notes/other\n",
  "[format]\n notes = other\n pretty = oneline\n[log]\n date = iso\n abbrevCommit = true\n",
  "[log]\n diffMerges = remerge\n[diff]\n orderFile = a.txt\n mnemonicPrefix = true\n context = 1\n",
  "[diff]\n submodule = log\n ignoreSubmodules = none\n wordRegex = .\n algorithm = histogram\n",
  "[notes]\n displayRef = refs/notes/*\n",
  '[pretty]\n x = "%H %N"\n[core]\n quotePath = false\n[format]\n pretty = x\n',
];

async function withSecrets() {
  const made = await repository();
  const { git, write, commit, at } = made;
  const canary = (n: string) => `KEY=canary-${n}\nOTHER=1\nMORE=2\nLINES=3\nTO=4\nPAIR=5\n`;
  await commit("src/plain.ts", "four\n");
  await commit("keys/.env", canary("first"));
  await commit("keys/.env", canary("changed"));
  await git("tag", "light", "HEAD:keys/.env");
  await git("tag", "-a", "-m", "tagged", "heavy", "HEAD:keys/.env");
  await git("tag", "-a", "-m", "a release", "v1");
  await git("rm", "-q", "keys/.env");
  await git("commit", "-qm", "without secret:a");
  await commit(".env", canary("to-be-moved"));
  await git("mv", ".env", "settings.txt");
  await write("settings.txt", `${canary("x").replace("KEY=canary-x", "KEY=plain")}`);
  await git("commit", "-qam", "moves it");
  await git("branch", "moved");
  await commit("a.txt", "one\ntwo\nthree\n");
  await git("checkout", "-qb", "other", "HEAD~2");
  await commit("keys/server.pem", "canary-on-another-branch\n");
  await git("checkout", "-qb", "side", "main");
  await commit("b.txt", "b\n");
  await git("checkout", "-q", "main");
  await commit("src/plain.ts", "five\n");
  await git("merge", "-q", "--no-commit", "--no-ff", "side");
  await write("deep/er/.env", canary("in-a-merge"));
  await git("add", "-f", "deep");
  await git("commit", "-qm", "evil");
  await git("tag", "evil");
  await git("rm", "-q", "deep/er/.env");
  await git("commit", "-qm", "cleans up");
  await git("replace", "HEAD~8", "other");
  await write("keys/.env", canary("in-the-stash"));
  await git("add", "-f", "keys/.env");
  await write("keys/.env.local", canary("untracked-in-the-stash"));
  await git("stash", "-q", "-u");
  await git("notes", "--ref=other", "add", "-m", "canary-in-a-note", "HEAD");
  await git("-c", "protocol.file.allow=always", "init", "-q", "sub");
  await write("sub/.env", canary("in-a-submodule"));
  await git("-C", "sub", "add", "-f", ".env");
  await git("-C", "sub", "commit", "-qm", "one");
  await git("-c", "advice.addEmbeddedRepo=false", "add", "sub");
  await git("commit", "-qm", "with a submodule");
  await git("-C", "sub", "commit", "-q", "--allow-empty", "-m", "two");
  await write("sub/.env", canary("in-a-submodule-2"));
  await commit("src/plain.ts", "six\nseven\n");
  await write(".env", canary("in-the-index"));
  await git("add", "-f", ".env");
  await rm(at(".env"));
  await write("src/plain.ts", "eight\n");
  return made;
}

/** Everything that a command might change. */
async function stateOf(root: string, env: NodeJS.ProcessEnv): Promise<string> {
  const parts = await Promise.all(
    [
      "git for-each-ref",
      "git ls-files -s",
      "git config --list --local",
      "find . -path ./.git/index -prune -o -type f -newer .git/description -print | sort | xargs sha256sum",
    ].map(async (command) => (await run("bash", ["-c", command], { cwd: root, env })).stdout),
  );
  return parts.join("\n");
}

/** What each command prints, all run by one shell. */
async function output(commands: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const script = commands
    .map((command) => `(${command}) < /dev/null 2>&1; printf '\\n==next==\\n'`)
    .join("\n");
  const { stdout } = await run("bash", ["-c", `${LIMITS}\n${script}`], { cwd, env, maxBuffer: 500_000_000 });
  const parts = stdout.replaceAll("\0", "").split("\n==next==\n");
  expect(parts).toHaveLength(commands.length + 1);
  return parts;
}

it("allows no command that prints a secret or changes something", { timeout: 36_000_000 }, async () => {
  const { root, home, environment, host, asks } = await withSecrets();
  const runner = gitRunner();
  if (!host.git) throw new Error("Git is not installed");
  host.git.ask = (folder, args, bounds, input) =>
    askGit("git", environment, folder, args, bounds, input, runner.run);
  const chance = generator(SEED);
  const before = await stateOf(root, environment);
  const found: string[] = [];
  let allowed = 0;
  const batch = 100;
  for (let from = 0; from < COUNT; from += batch) {
    const settings = SETTINGS[Math.floor(chance() * SETTINGS.length)] ?? "";
    await writeFile(path.join(home, ".gitconfig"), settings);
    runner.forget();
    const commands = Array.from(
      { length: Math.min(batch, COUNT - from) },
      () =>
        `${chance() < 0.1 ? `cd ${chance() < 0.2 ? "sub" : "src"} && ` : ""}git ${spelled(commandBy(chance))}`,
    );
    const passed: string[] = [];
    await inParallel(commands, 3, async (command) => {
      if ((await asks(command)) === "allow") passed.push(command);
    });
    allowed += passed.length;
    const shown = await output(passed, root, environment);
    for (const [i, command] of passed.entries())
      if (/canary/.test(shown[i] ?? "")) found.push(`${command}   [${settings.replaceAll("\n", " ")}]`);
    if ((await stateOf(root, environment)) !== before)
      found.push(`changed by one of: ${commands.join(" ; ")}`);
    if (isWhole) console.log(`${from + commands.length} judged, ${allowed} allowed`, found);
    if (found.length > 20) break;
  }
  runner.end();
  expect(await readFile(path.join(root, "settings.txt"), "utf8")).toContain("plain");
  if (isWhole) console.log(`seed ${SEED}: ${COUNT} commands, ${allowed} allowed and run`);
  expect(found, `seed ${SEED}`).toEqual([]);
  expect(allowed).toBeGreaterThan(COUNT / 20);
});
