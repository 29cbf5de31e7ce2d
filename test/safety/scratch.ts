/** A scratch project with traps: a PATH of recorders that note their arguments, and files whose every byte is watched. */
import { spawn } from "node:child_process";
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killListed } from "../support/processes.ts";

/** Notes `name` and arguments, NUL-separated, in a file of its own; reads no input. */
const RECORDER = `#!/bin/sh
{ printf '%s\\0' "\${0##*/}"; for a in "$@"; do printf '%s\\0' "$a"; done; } > "$RECORDS/$$"
`;

/** What the shells have built in and recorders are to see. */
const BUILT_IN = ["echo", "pwd", "printf", "test", "true", "false"];

/** What fish wraps in functions of its own. */
const FISH_FUNCTIONS = ["ls", "grep", "diff"];

type Kind = "bash" | "zsh" | "sh" | "fish";

/** Said before each command: builtins give way to the recorders, and a command that has none is noted too. */
const SETUP: Record<Kind, string> = {
  bash: `enable -n ${BUILT_IN.join(" ")}
command_not_found_handle() { builtin printf '%s\\0' "UNEXPECTED" "$@" > "$RECORDS/$BASHPID.unexpected"; }`,
  zsh: `disable which ${BUILT_IN.join(" ")}
command_not_found_handler() { builtin print -rn -- "UNEXPECTED" > "$RECORDS/$$.$RANDOM.unexpected"; }`,
  sh: BUILT_IN.map((name) => `${name}() { "$BIN/${name}" "$@"; }`).join("\n"),
  fish: `${[...BUILT_IN, ...FISH_FUNCTIONS].map((name) => `function ${name}; $BIN/${name} $argv; end`).join("\n")}
function fish_command_not_found; builtin printf 'UNEXPECTED\\0' > $RECORDS/$fish_pid.unexpected; end`,
};

export interface Scratch {
  project: string;
  /** Runs commands with nothing but recorders; of each, the arguments of the programs that it started. */
  record(commands: string[]): Promise<string[][][]>;
  /** Runs commands one after the other with the machine's programs, each in a shell of its own where that can be; their output. */
  run(commands: string[]): Promise<string>;
  /** Every file around the project with its content, for comparing. */
  snapshot(): Promise<string>;
  dispose(): Promise<void>;
}

/** `shell`: the path of one of that kind. */
export async function createScratch(
  programs: string[],
  kind: Kind = "bash",
  shell = "/bin/bash",
): Promise<Scratch> {
  const base = await mkdtemp(join(tmpdir(), "nekode-scratch-"));
  const [project, bin, records, traps, home] = ["project", "bin", "records", "traps", "home"].map((name) =>
    join(base, name),
  );
  if (!project || !bin || !records || !traps || !home) throw new Error("unreachable");
  for (const folder of [bin, records, traps, home, join(project, "src"), join(project, "my folder")])
    await mkdir(folder, { recursive: true });
  for (const name of programs) await recorder(join(bin, name));
  for (const name of [
    "npm",
    "node",
    "rg",
    "rm",
    "touch",
    "curl",
    "sh",
    "xargs",
    "sudo",
    "less",
    "vim",
    "ssh",
    "make",
    "pytest",
    "cargo",
    "go",
    "tsc",
    "eslint",
    "docker",
    "kubectl",
    "gh",
    "python3",
    // Java and .NET take seconds to start where they are installed.
    "mvn",
    "gradle",
    "dotnet",
  ])
    await recorder(join(traps, name));
  const options = kind === "fish" ? ["--no-config"] : kind === "zsh" ? ["-f"] : [];
  const files: Record<string, string> = {
    "a.txt": "b 2\na 1\n",
    "b.txt": "x\n",
    f: "one\n",
    "data.csv": "a,b,200\n",
    "src/a.ts": "const a = 1;\n",
    "src/index.ts": "// TODO\n",
    ".env": "CANARY=canary-in-env\n",
    "package.json": "{}\n",
    "README.md": "# install\n",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
  const env = {
    HOME: home,
    LANG: "C.UTF-8",
    TMPDIR: join(base, "records"),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_PAGER: "cat",
    PAGER: "cat",
  };
  await start(
    "/bin/sh",
    [
      "-c",
      "git init -q . && git add a.txt b.txt src && git -c user.name=a -c user.email=a@b commit -q -m one",
    ],
    project,
    { ...env, PATH: "/usr/bin:/bin" },
  );
  return {
    project,
    async record(commands) {
      const own = await mkdtemp(join(records, "run-"));
      const at = (n: number) => join(own, String(n));
      await Promise.all(commands.map((_, n) => mkdir(at(n))));
      const lines = commands.map((command, n) => {
        const says = kind === "fish" ? "set -gx RECORDS" : "export";
        return `${says} ${kind === "fish" ? at(n) : `RECORDS=${at(n)}`}\n${alone(kind, command)}`;
      });
      const text = [SETUP[kind], ...lines].join("\n");
      await start(shell, [...options, "-c", text], project, { ...env, PATH: bin, BIN: bin });
      return Promise.all(commands.map((_, n) => recorded(at(n))));
    },
    run: (commands) =>
      start(shell, [...options, "-c", commands.map((command) => alone(kind, command)).join("\n")], project, {
        ...env,
        RECORDS: traps,
        PATH: `${traps}:/usr/bin:/bin`,
      }),
    snapshot: async () => [await listing(project), await listing(home)].join("\n"),
    dispose: () => rm(base, { recursive: true, force: true }),
  };
}

async function recorded(folder: string): Promise<string[][]> {
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return texts.map((text) => text.split("\0").slice(0, -1));
}

/** fish has no subshells: there `cd` is undone. */
function alone(kind: Kind, command: string): string {
  return kind === "fish" ? `set nekode_at $PWD\n${command}\nbuiltin cd $nekode_at` : `(\n${command}\n)`;
}

async function recorder(path: string): Promise<void> {
  await writeFile(path, RECORDER);
  await chmod(path, 0o755);
}

/** How long a group of commands may take, in milliseconds: far more than it does on a busy machine. */
const LIMIT = 40_000;

/** Output of both streams. Rejects when the commands had to be killed. */
function start(program: string, args: string[], cwd: string, env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, so that nothing it started is left.
      detached: true,
    });
    let output = "";
    const late = setTimeout(() => {
      reject(new Error(`Killed after ${LIMIT / 1000} s: ${args.join(" ")}\nIts output: ${output}`));
      if (child.pid !== undefined) killListed(-child.pid);
    }, LIMIT);
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => (output += String(chunk)));
    child.on("error", reject);
    child.on("close", () => {
      clearTimeout(late);
      resolve(output);
    });
  });
}

async function listing(folder: string): Promise<string> {
  const lines: string[] = [];
  for (const entry of (await readdir(folder, { recursive: true })).sort()) {
    const path = join(folder, entry);
    const stat = await lstat(path);
    const content = stat.isSymbolicLink()
      ? await readlink(path)
      : stat.isFile()
        ? await readFile(path, "latin1")
        : "";
    lines.push(`${entry} ${stat.mode} ${content}`);
  }
  return lines.join("\n");
}
