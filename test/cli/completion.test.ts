/** Completions of shells and the manual page, which are made from the texts of `--help`. The shells are real. */
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { which } from "../../scripts/lib/processes.mjs";
import { commandTable } from "../../src/cli/completion/usage-table.ts";
import { Project } from "./support.ts";

let project: Project;
const scripts: Record<string, string> = {};

beforeAll(async () => {
  project = await Project.create({ "tasks.jsonl": "", "a b.txt": "" });
  for (const shell of ["bash", "zsh", "fish", "powershell", "man"]) {
    const { code, stdout } = await project.run(["completion", shell]);
    expect(code).toBe(0);
    scripts[shell] = path.join(project.folder, `completion.${shell}`);
    writeFileSync(scripts[shell], stdout);
  }
});
afterAll(() => project.remove());

const COMMANDS = [
  ...["answer", "judge", "mcp", "hooks", "skills", "rules", "memory", "agents", "plugin", "doctor", "config"],
  ...[
    "policy",
    "review",
    "replay",
    "worktree",
    "import",
    "import settings",
    "acp",
    "batch",
    "worker",
    "tools",
    "lsp",
    "completion",
  ],
];

/** The table, from the help that the program prints. */
async function tableOf() {
  const usages: Record<string, string> = {};
  for (const name of ["", ...COMMANDS])
    usages[name] = (await project.run([...name.split(" ").filter(Boolean), "--help"])).stdout;
  return commandTable(usages);
}

describe("what is completed", () => {
  it("is every command that the program has, and every option as the program takes it", async () => {
    const table = await tableOf();
    const [main] = table;
    expect(main?.words.map(({ word }) => word).sort()).toEqual(
      COMMANDS.filter((name) => !name.includes(" ")).sort(),
    );
    expect(main?.options.length).toBeGreaterThan(40);
    const refused: string[] = [];
    for (const { name, options } of table) {
      const given = name.split(" ").filter(Boolean);
      for (const option of options) {
        if (option.name === "--help") continue;
        const value = option.value === undefined ? [] : [option.choices[0] ?? "1"];
        const { stderr } = await project.run([...given, [option.name, ...value].join("="), "--help"]);
        if (/Unknown option|does not take an argument|argument missing/.test(stderr))
          refused.push(`nekode ${name} ${option.name}: ${stderr}`);
      }
    }
    expect(refused).toEqual([]);
  });

  it("knows the values that a description lists, and the commands of a command", async () => {
    const table = await tableOf();
    const choices = Object.fromEntries(
      table[0]?.options
        .filter((option) => option.choices.length > 0)
        .map((option) => [option.name, option.choices]) ?? [],
    );
    expect(choices).toEqual({
      "--api": ["chat", "responses", "anthropic"],
      "--protocol": ["auto", "native", "xml"],
      "--mode": ["plan", "act"],
      "--approve": ["read", "edit", "command-read", "command-safe", "command", "web", "mcp", "all", "none"],
      "--permission": ["ask", "edits", "safe", "all"],
      "--sandbox": ["auto", "required", "off"],
      "--search-provider": ["brave", "tavily", "searxng"],
      "--memory": ["on", "off"],
      "--sort": ["newest", "oldest", "cost", "tokens", "relevance"],
      "--format": ["md", "json", "atif", "script"],
    });
    const words = Object.fromEntries(
      table.slice(1).map(({ name, words: own }) => [name, own.map(({ word }) => word)]),
    );
    expect(words).toMatchObject({
      mcp: ["list", "add", "remove", "login", "logout", "test"],
      worktree: ["list", "diff", "merge", "keep", "discard", "open"],
      config: ["get", "set", "unset"],
      memory: ["list", "remove", "clear", "path"],
      import: ["settings"],
      completion: ["bash", "zsh", "fish", "powershell", "man"],
      answer: [],
    });
  });
});

const run = (program: string, args: string[]) =>
  execFileSync(program, args, { cwd: project.folder, encoding: "utf8" }).split("\n").filter(Boolean).sort();

/** What real bash offers for the words, of which the last is being typed. */
function bash(...words: string[]): string[] {
  const given = words.map((word) => `'${word}'`).join(" ");
  const script = `. '${scripts.bash}'; COMP_WORDS=(${given}); COMP_CWORD=${words.length - 1}; _nekode; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return run("bash", ["--norc", "-uc", script]);
}

describe("bash", () => {
  it("completes commands, their commands, options and values", () => {
    expect(bash("nekode", "wor")).toEqual(["worker", "worktree"]);
    expect(bash("nekode", "mcp", "l")).toEqual(["list", "login", "logout"]);
    expect(bash("nekode", "--permission", "")).toEqual(["all", "ask", "edits", "safe"]);
    expect(bash("nekode", "--mode", "=", "p")).toEqual(["plan"]);
    expect(bash("nekode", "judge", "--al")).toEqual(["--allow"]);
    expect(bash("nekode", "import", "settings", "--un")).toEqual(["--undo"]);
    expect(bash("nekode", "import", "--un")).toEqual([]);
    expect(bash("nekode", "batch", "ta")).toEqual(["tasks.jsonl"]);
    expect(bash("nekode", "--report", "a")).toEqual(["a b.txt"]);
    expect(bash("nekode", "--model", "")).toEqual([]);
  });
});

describe.skipIf(which("fish") === undefined)("fish", () => {
  const fish = (line: string) =>
    run("fish", ["--no-config", "-c", `source '${scripts.fish}'; complete -C '${line}'`]).map(
      (offered) => offered.split("\t")[0],
    );

  it("completes commands, their commands, options and values", () => {
    expect(fish("nekode wor")).toEqual(["worker", "worktree"]);
    expect(fish("nekode mcp l")).toEqual(["list", "login", "logout"]);
    expect(fish("nekode --permission ")).toEqual(["all", "ask", "edits", "safe"]);
    expect(fish("nekode judge --al")).toEqual(["--allow"]);
    expect(fish("nekode import settings --un")).toEqual(["--undo"]);
    expect(fish("nekode import --un")).toEqual([]);
    expect(fish("nekode batch ta")).toEqual(["tasks.jsonl"]);
  });
});

describe.skipIf(which("zsh") === undefined)("zsh", () => {
  /** What zsh shows on a terminal of its own after each line and Tab. */
  function zsh(lines: readonly string[]): string[] {
    const typed = lines.map(
      (line, index) => `
      zpty -w -n shell '${line}'$'\\t'
      zpty -w -n shell $'\\C-e#end${index}'
      zpty -r shell out '*#end${index}*'
      print -r -- "$out"
      print -r -- ----
      zpty -w -n shell $'\\C-u'`,
    );
    const script = `
      zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell 'PS1="<her""e>"; autoload -U compinit; compinit -u -D; . ${scripts.zsh}; bindkey -e; setopt nolistbeep; LISTMAX=999; stty cols 200'
      zpty -r shell out '*<here>*'
      ${typed.join("")}
      zpty -d shell`;
    const shown = execFileSync("zsh", ["-f", "-c", script], {
      cwd: project.folder,
      encoding: "utf8",
      timeout: 60_000,
    });
    // Without what moves the cursor.
    return stripVTControlCharacters(shown).replaceAll("\b", "").replaceAll("\x07", "").split("\n----\n");
  }

  it("completes commands, options and values", () => {
    const lines = [
      "workt",
      "mcp logi",
      "--mode pl",
      "--mode=pl",
      "judge --allo",
      "import settings --und",
      "wor",
    ];
    const shown = zsh(lines.map((line) => `nekode ${line}`));
    const whole = [/worktree +#/, /login +#/, /plan +#/, /--mode=plan +#/, /--allow +#/, /--undo +#/];
    for (const [index, pattern] of whole.entries()) expect(shown[index]).toMatch(pattern);
  });
});

it("is a script that PowerShell's grammar reads", async () => {
  // Each command of the script is judged by itself: what cannot be read has one reason for all.
  const { stdout } = await project.run(
    ["judge", "--json", "--shell", "powershell", "-"],
    {},
    await project.read("completion.powershell"),
  );
  expect(stdout).toContain("Register-ArgumentCompleter");
  expect(JSON.parse(stdout).reason.code).not.toMatch(/parse|read|syntax/);
});

describe.skipIf(which("groff") === undefined)("the manual page", () => {
  it("has no fault that groff knows, and has what --help has", async () => {
    const { stdout, stderr } = spawnSync("groff", ["-man", "-ww", "-Tutf8", "-P-cbou", scripts.man ?? ""], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    const words = stdout.replace(/[\u2010\u00ad]\n\s*/g, "").replace(/\s+/g, " ");
    for (const part of [
      "nekode --help",
      "--output-schema FILE",
      "nekode import settings",
      "EXIT STATUS",
      "130 interrupted",
    ])
      expect(words).toContain(part);
  });
});
