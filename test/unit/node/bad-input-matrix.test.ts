/** Every tool that takes a path against every kind of bad file: a clear answer, nothing lost, and the next call works. */
import { execFileSync } from "node:child_process";
import { lstatSync } from "node:fs";
import { chmod, lstat, open, readFile, symlink, writeFile } from "node:fs/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { canMount } from "../../support/machine.ts";
import { isWhole } from "../../support/random.ts";
import { project } from "../../support/tools-on-disk.ts";
import { asNobody } from "./support.ts";

// A line of 12 MB is much to search on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const tools = {
  read_file: (path: string) => ({ path }),
  list_files: (path: string) => ({ path }),
  search_files: (path: string) => ({ path, regex: "^needle" }),
  list_code_definition_names: (path: string) => ({ path }),
  write_to_file: (path: string) => ({ path, content: "ours = 1\n" }),
  replace_in_file: (path: string) => ({
    path,
    diff: "------- SEARCH\nneedle = 1\n=======\nours = 1\n+++++++ REPLACE\n",
  }),
  apply_patch: (path: string) => ({
    input: `*** Begin Patch\n*** Update File: ${path}\n-needle = 1\n+ours = 1\n*** End Patch`,
  }),
  delete_file: (path: string) => ({ path }),
};
type Tool = keyof typeof tools;
type Project = Awaited<ReturnType<typeof project>>;

interface BadInput {
  /** Makes it, and gives its path. */
  arrange(project: Project): Promise<string>;
  answers: Record<Tool, RegExp>;
  /** Tools that do what they are asked all the same. */
  changedBy?: readonly Tool[];
  /** What must be there afterwards; whether the path itself is, when left out. */
  isThere?(project: Project): Promise<boolean>;
  asNobody?: boolean;
  /** Tools that work through all of it, which takes seconds: only `npm run endure` tries them. */
  slow?: readonly Tool[];
}

const forAll = (answer: RegExp, others: Partial<Record<Tool, RegExp>> = {}): Record<Tool, RegExp> => ({
  read_file: answer,
  list_files: answer,
  search_files: answer,
  list_code_definition_names: answer,
  write_to_file: answer,
  replace_in_file: answer,
  apply_patch: answer,
  delete_file: answer,
  ...others,
});

const A_FILE = /^bad\.py is a file, not a folder\. read_file reads it\.$/;
const TEXT = "needle = 1\n";
const holds = (wanted: string) => async (p: Project) => (await readFile(p.at("bad.py"), "utf8")) === wanted;

const inputs: Record<string, BadInput> = {
  "a path with NUL": {
    arrange: async () => "bad\0.py",
    answers: forAll(/^refused: The path "bad\\u0000\.py" contains control characters\./),
    isThere: async () => true,
  },
  "a link to itself": {
    async arrange({ at }) {
      await symlink("bad.py", at("bad.py"));
      return "bad.py";
    },
    answers: forAll(/^refused: .*bad\.py is a link that refers to itself\.$/),
  },
  "a folder that holds a link to itself": {
    async arrange({ at, root }) {
      await symlink(root, at("bad"));
      await writeFile(at("a.py"), TEXT);
      return "bad";
    },
    answers: forAll(/^refused: bad is not a file\.$/, {
      read_file: /^refused: bad is a folder\. list_files lists/,
      list_files: /^a\.py\nneighbor\.txt$/,
      search_files: /^1 match in 1 file\n\na\.py\n> 1 \| needle = 1$/,
      list_code_definition_names: /a\.py/,
      delete_file: /^refused: bad is a folder\. Only files can be deleted/,
    }),
    isThere: async ({ at }) => (await lstat(at("bad"))).isSymbolicLink(),
  },
  "a FIFO, which never answers": {
    async arrange({ at }) {
      execFileSync("mkfifo", [at("bad.py")]);
      return "bad.py";
    },
    answers: forAll(/^refused: .*bad\.py is a pipe/, {
      write_to_file: /^refused: bad\.py is not a file\.$/,
      replace_in_file: /^refused: bad\.py is not a file\.$/,
      apply_patch: /^refused: bad\.py is not a file\.$/,
      delete_file: /^refused: bad\.py is neither a file nor a folder\./,
    }),
    isThere: async ({ at }) => (await lstat(at("bad.py"))).isFIFO(),
  },
  "a file of 2 GB": {
    async arrange({ at }) {
      const handle = await open(at("bad.py"), "w");
      await handle.truncate(2 * 1024 ** 3);
      await handle.close();
      return "bad.py";
    },
    answers: forAll(/^refused: .*bad\.py has 2\.1 GB, which is more than the limit of 52 MB\./, {
      list_files: A_FILE,
      search_files: /^Nothing in bad\.py matches\.$/,
      list_code_definition_names: /^refused: bad\.py: too large to parse/,
      delete_file: /^bad\.py was deleted\. It was too large to keep a copy of\.$/,
    }),
    changedBy: ["delete_file"],
    slow: ["search_files"],
    isThere: async ({ at }) => (await lstat(at("bad.py"))).size === 2 * 1024 ** 3,
  },
  "a file of one line of 12 MB": {
    async arrange({ at }) {
      await writeFile(at("bad.py"), `needle${" ".repeat(11_999_994)}`);
      return "bad.py";
    },
    answers: {
      read_file: /^\(line 1 has 12000000 characters, only the first \d+ are shown;/,
      list_files: A_FILE,
      search_files: /^1 match in 1 file\n\nbad\.py\n> 1 \| needle/,
      list_code_definition_names: /^refused: bad\.py: too large to parse/,
      write_to_file: /^The content was saved to bad\.py\./,
      replace_in_file: /^refused: The block does not fit/,
      apply_patch: /^refused: The hunk for bad\.py .* does not fit/,
      delete_file: /^bad\.py was deleted\. It was too large to keep a copy of\.$/,
    },
    changedBy: ["write_to_file", "delete_file"],
    slow: ["replace_in_file", "apply_patch"],
    isThere: async ({ at }) => (await lstat(at("bad.py"))).size === 12_000_000,
  },
  "an unreadable file": {
    async arrange({ at }) {
      await writeFile(at("bad.py"), TEXT, { mode: 0o600 });
      for (const folder of [at(".."), at(".")]) await chmod(folder, 0o755);
      if (process.getuid?.() !== 0) await chmod(at("bad.py"), 0);
      return "bad.py";
    },
    answers: forAll(/^refused: .*Permission denied: .*bad\.py$/, {
      list_files: A_FILE,
      search_files:
        /^Nothing that could be read in bad\.py matches\.\n\nNot searched:\nbad\.py: Permission denied/,
    }),
    asNobody: true,
  },
  "a file that changed since it was read": {
    async arrange({ at, call }) {
      await writeFile(at("bad.py"), TEXT);
      await call("read_file", { path: "bad.py" });
      await writeFile(at("bad.py"), `theirs = 1\n${TEXT}`);
      return "bad.py";
    },
    answers: {
      read_file: /^theirs = 1\nneedle = 1\n$/,
      list_files: A_FILE,
      search_files: /^1 match in 1 file\n\nbad\.py\n.*theirs[\s\S]*> 2 \| needle = 1$/,
      list_code_definition_names: /bad\.py/,
      write_to_file: /^refused: bad\.py was changed by somebody else since you read it\./,
      // An edit keeps every line that it does not name.
      replace_in_file: /<final_file_content path="bad\.py">\ntheirs = 1\nours = 1\n/,
      apply_patch: /<final_file_content path="bad\.py">\ntheirs = 1\nours = 1\n/,
      delete_file: /^refused: bad\.py was changed by somebody else since you read it\./,
    },
    changedBy: ["replace_in_file", "apply_patch"],
    isThere: holds(`theirs = 1\n${TEXT}`),
  },
};

const onDisk = (path: string) => {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
};

const names = Object.keys(tools).filter((name): name is Tool => name in tools);

async function check(input: BadInput, name: Tool): Promise<void> {
  const p = await project();
  const path = await input.arrange(p);
  await writeFile(p.at("neighbor.txt"), "still here\n").catch(() => undefined);
  const act = async () => {
    expect(await p.call(name, tools[name](path))).toMatch(input.answers[name]);
    // The task goes on.
    expect(await p.call("list_files", { path: "." })).not.toMatch(/^refused/);
  };
  await (input.asNobody ? asNobody(act) : act());
  if (input.changedBy?.includes(name)) return;
  expect(await (input.isThere?.(p) ?? onDisk(p.at(path)))).toBe(true);
}

describe.each(Object.keys(inputs))("%s", (title) => {
  it.each(names.filter((name) => isWhole || !inputs[title]?.slow?.includes(name)))("%s", async (name) => {
    const input = inputs[title];
    if (!input) throw new Error(`there is no bad input ${title}`);
    await check(input, name);
  });
});

const fullDisk: BadInput = {
  async arrange({ at, root }) {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", root]);
    onTestFinished(() => void execFileSync("umount", ["-l", root]));
    await writeFile(at("bad.py"), TEXT);
    // Written until nothing fits any more.
    await expect(writeFile(at("rest"), Buffer.alloc(100_000))).rejects.toThrow("ENOSPC");
    return "bad.py";
  },
  answers: {
    read_file: /^needle = 1\n$/,
    list_files: A_FILE,
    search_files: /^1 match in 1 file/,
    list_code_definition_names: /bad\.py/,
    write_to_file: /^refused: The disk is full: .*bad\.py was not written and is unchanged\.$/,
    replace_in_file: /^refused: The disk is full: .*bad\.py was not written and is unchanged\.$/,
    apply_patch: /^refused: The disk is full: .*bad\.py was not written and is unchanged\.$/,
    delete_file: /^bad\.py was deleted\.$/,
  },
  changedBy: ["delete_file"],
  isThere: holds(TEXT),
};

describe(`a full disk${canMount ? "" : " (not tried here: nothing can be mounted)"}`, () => {
  it.runIf(canMount).each(names)("%s", (name) => check(fullDisk, name));

  // Every write to this device fails as one to a full disk does.
  it.runIf(onDisk("/dev/full"))("a command that writes to one", async () => {
    const { call } = await project();
    const told = await call("execute_command", { command: "echo x > /dev/full", requires_approval: false });
    expect(told).toMatch(/^Exit code 1 .*\n.*No space left on device/s);
    expect(await call("execute_command", { command: "echo next", requires_approval: false })).toMatch(/next/);
  });
});
