import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import iconv from "iconv-lite";
import { describe, expect, it, vi } from "vitest";
import { Interrupt } from "../../../src/core/errors.ts";
import { nodeFiles } from "../../../src/node/files/disk-files.ts";
import { findRipgrep } from "../../../src/node/search/ripgrep.ts";
import { RipgrepReader } from "../../../src/node/search/ripgrep-json.ts";
import { createSearch } from "../../../src/node/search/ripgrep-search.ts";
import { rounds, sampled } from "../../support/random.ts";
import { neverAborted, temporaryFolder } from "./support.ts";

// Seconds on an idle machine are many on a busy one.
const near = [import.meta.dirname];

async function project(files: Record<string, string | Buffer>): Promise<string> {
  const root = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), content);
  }
  return root;
}

async function grep(
  root: string,
  regex: string,
  options: { glob?: string; context?: number; limit?: number; workspace?: string } = {},
) {
  const { glob, context = 0, limit = 100, workspace = root } = options;
  const search = createSearch({ roots: [workspace], near });
  const shape = { regex, contextLines: context, limit, signal: neverAborted };
  return search.grep(root, glob === undefined ? shape : { ...shape, glob });
}

const paths = (found: { hits: { path: string }[] }) => found.hits.map((hit) => hit.path);

describe("listing", () => {
  it("gives the files of one name, none of which was ignored, below the folder that was named", async () => {
    const root = await project({
      ".gitignore": "out/\nlib/AGENTS.md\n",
      "AGENTS.md": "",
      "OTHER-AGENTS.md": "",
      "a/b/AGENTS.md": "",
      "a/b/agents.txt": "",
      "lib/AGENTS.md": "",
      "out/AGENTS.md": "",
    });
    const search = createSearch({ roots: [root], near });
    const options = { limit: 100, signal: neverAborted };
    const named = { ...options, name: "AGENTS.md" };
    expect((await search.files(root, named)).paths).toEqual(["AGENTS.md", "a/b/AGENTS.md"]);
    expect((await search.files(path.join(root, "a"), named)).paths).toEqual(["b/AGENTS.md"]);
    const { paths: below } = await search.files(path.join(root, "a"), options);
    expect(below).toEqual(["b/AGENTS.md", "b/agents.txt"]);
  });
});

describe("searching", () => {
  it("gives each file's own lines with their context, in order", async () => {
    const root = await project({
      "b.txt": "one\nneedle\nthree\nfour\nfive\nsix\nneedle 猫\n",
      "a/c.txt": "needle",
      "d.txt": "no\r\nthe needle\r\nmore\r\n",
    });
    const found = await grep(root, "needle", { context: 1 });
    expect(found).toEqual({
      matches: 4,
      more: false,
      hits: [
        { path: "a/c.txt", lines: [{ number: 1, text: "needle", match: true }] },
        {
          path: "b.txt",
          lines: [
            { number: 1, text: "one", match: false },
            { number: 2, text: "needle", match: true },
            { number: 3, text: "three", match: false },
            { number: 6, text: "six", match: false },
            { number: 7, text: "needle 猫", match: true },
          ],
        },
        {
          path: "d.txt",
          lines: [
            { number: 1, text: "no", match: false },
            { number: 2, text: "the needle", match: true },
            { number: 3, text: "more", match: false },
          ],
        },
      ],
    });
    expect(paths(await grep(root, "needle$"))).toEqual(["a/c.txt", "b.txt", "d.txt"]);
  });

  it("is relative to the searched folder, or to the folder of a searched file", async () => {
    const root = await project({ "sub/deep/a.txt": "needle", "b.txt": "needle" });
    expect(paths(await grep(path.join(root, "sub"), "needle", { workspace: root }))).toEqual(["deep/a.txt"]);
    expect(paths(await grep(path.join(root, "b.txt"), "needle", { workspace: root }))).toEqual(["b.txt"]);
    expect(paths(await grep(path.join(root, "sub"), "needle", { workspace: "/elsewhere" }))).toEqual([
      "deep/a.txt",
    ]);
  });

  it("leaves out what ignore files name, whatever the glob, and files with secrets", async () => {
    const root = await project({
      ".gitignore": "ignored.txt\nout/\n*.log\n!keep.log\n",
      "sub/.gitignore": "local.txt\n",
      ".nekodeignore": "private/\n*.hidden.txt\n",
      "ignored.txt": "needle",
      "out/a.txt": "needle",
      "x.log": "needle",
      "keep.log": "needle",
      "sub/local.txt": "needle",
      "private/a.txt": "needle",
      "b.hidden.txt": "needle",
      ".env": "needle",
      id_rsa: "needle",
      ".github/ci.txt": "needle",
      ".git/config.txt": "needle",
      "seen.txt": "needle",
    });
    expect(paths(await grep(root, "needle"))).toEqual([".github/ci.txt", "keep.log", "seen.txt"]);
    expect(paths(await grep(root, "needle", { glob: "*.txt" }))).toEqual([".github/ci.txt", "seen.txt"]);
    expect(paths(await grep(root, "needle", { glob: "**/*.txt" }))).toEqual([".github/ci.txt", "seen.txt"]);
    expect(paths(await grep(root, "needle", { glob: "out/**" }))).toEqual([]);
    expect(paths(await grep(root, "needle", { glob: "*.{log,md}" }))).toEqual(["keep.log"]);
    expect(paths(await grep(root, "needle", { glob: "*.md, *.log" }))).toEqual(["keep.log"]);
    expect(paths(await grep(root, "needle", { glob: "!*.txt" }))).toEqual(["keep.log"]);
    expect(paths(await grep(root, "needle", { glob: "{.github,sub}/**/*.txt" }))).toEqual([".github/ci.txt"]);
    const { paths: files } = await createSearch({ roots: [root], near }).files(root, {
      limit: 100,
      signal: neverAborted,
    });
    expect(files).toEqual(
      [
        ".env",
        ".github/ci.txt",
        ".gitignore",
        ".nekodeignore",
        "id_rsa",
        "keep.log",
        "seen.txt",
        "sub/.gitignore",
      ].sort(),
    );
  });

  it("judges secret names from the workspace's folder, wherever the search begins", async () => {
    const secrets = {
      ".docker": ".docker/config.json",
      ".config": ".config/gh/hosts.yml",
      ".config/gh": ".config/gh/hosts.yml",
      ".m2": ".m2/settings.xml",
      ".gradle": ".gradle/gradle.properties",
      ".cargo": ".cargo/credentials.toml",
      ".composer": ".composer/auth.json",
      "sub/.bundle": "sub/.bundle/config",
    };
    const root = await project(
      Object.fromEntries(
        Object.values(secrets).flatMap((file) => [
          [file, "needle"],
          [`${file}.md`, "needle"],
        ]),
      ),
    );
    for (const [folder, file] of sampled(Object.entries(secrets), 2)) {
      if (folder === ".config/gh") continue;
      const found = paths(await grep(path.join(root, folder), "needle", { workspace: root }));
      expect(found, folder).not.toContain(path.relative(folder, file));
      const nested = createSearch({ roots: [path.join(root, folder), root], near });
      const shape = { regex: "needle", contextLines: 0, limit: 9, signal: neverAborted };
      const again = paths(await nested.grep(path.join(root, folder), shape));
      expect(again, folder).not.toContain(path.relative(folder, file));
    }
    expect(paths(await grep(path.join(root, ".m2"), "needle", { workspace: root }))).toEqual([
      "settings.xml.md",
    ]);
    // Nothing below a folder of the workspace: judged by the whole path.
    const outside = await grep(path.join(root, ".docker"), "needle", { workspace: path.join(root, "sub") });
    expect(paths(outside)).toEqual(["config.json.md"]);
  });

  it("searches a file or folder with secrets that was named itself, as the user was asked for it", async () => {
    const root = await project({ ".env": "needle", ".ssh/known_hosts": "needle" });
    expect(paths(await grep(path.join(root, ".env"), "needle", { workspace: root }))).toEqual([".env"]);
    expect(paths(await grep(path.join(root, ".ssh"), "needle", { workspace: root }))).toEqual([
      "known_hosts",
    ]);
  });

  it("does not let a .gitignore bring back what .nekodeignore names", async () => {
    const root = await project({
      ".gitignore": "!named.txt\n",
      ".nekodeignore": "named.txt\n",
      "named.txt": "needle",
    });
    expect(paths(await grep(root, "needle"))).toEqual([]);
  });

  it("stops after the limit and says that there is more", async () => {
    const root = await project({ "a.txt": "needle\n".repeat(50) });
    const found = await grep(root, "needle", { limit: 10, context: 1 });
    expect([found.matches, found.more, found.hits[0]?.lines.length]).toEqual([10, true, 10]);
    const exact = await grep(root, "needle", { limit: 50 });
    expect([exact.matches, exact.more]).toEqual([50, false]);
    const some = await createSearch({ roots: [root], near }).files(root, { limit: 0, signal: neverAborted });
    expect(some).toEqual({ paths: [], more: true });
  });

  it("is not overwhelmed by one endless line, and shows the place of its match", async () => {
    const line = `${"x".repeat(rounds(1_200_000, 12_000_000))}needle${"y".repeat(rounds(800_000, 8_000_000))}`;
    const root = await project({
      "min.js": `first\n${line}\nlast needle\n`,
      "long.txt": `${"é".repeat(2000)}needle${"z".repeat(2000)}`,
    });
    const found = await grep(root, "needle");
    const [long, min] = found.hits;
    expect(min?.lines.map((shown) => shown.number)).toEqual([2, 3]);
    expect(min?.lines[0]?.text).toMatch(/^\.\.\.x+needley+\.\.\.$/);
    expect(min?.lines[0]?.text.length).toBeLessThan(400);
    expect(min?.lines[1]?.text).toBe("last needle");
    expect(long?.lines[0]?.text).toMatch(/^\.\.\.é+needlez+\.\.\.$/);
    const all = await grep(root, ".*");
    expect(JSON.stringify(all).length).toBeLessThan(10_000);
  });

  it("bounds the characters of one answer", async () => {
    const root = await project({ "a.txt": `needle${"x".repeat(370)}\n`.repeat(3000) });
    const found = await grep(root, "needle", { limit: 5000 });
    expect(found.more).toBe(true);
    expect(JSON.stringify(found).length).toBeLessThan(700_000);
  });

  it("gives ripgrep's own words for a bad pattern, and takes any other as it is", async () => {
    const root = await project({ "a.txt": "--help\n-e\n" });
    await expect(grep(root, "(")).rejects.toThrow(/regex parse error[\s\S]*unclosed group/);
    expect((await grep(root, "--help")).matches).toBe(1);
    expect((await grep(root, "^-e$")).matches).toBe(1);
    expect((await grep(root, "absent")).hits).toEqual([]);
    await expect(grep(path.join(root, "nowhere"), "x")).rejects.toThrow("does not exist");
    await expect(grep(root, "x", { glob: "[" })).rejects.toThrow(/glob/);
  });

  it("includes what Git tracks although an ignore file names it, as Git does", async () => {
    const root = await project({
      ".gitignore": "conf/\n*.gen.ts\n.env.test\n",
      ".nekodeignore": "conf/hidden.ini\n",
      "conf/x.ini": "needle\n",
      "conf/hidden.ini": "needle\n",
      "conf/local.ini": "needle\n",
      "src/a.gen.ts": "needle\n",
      "src/b.gen.ts": "needle\n",
      "src/gone.gen.ts": "needle\n",
      "src/c.ts": "needle\n",
      ".env.test": "needle\n",
    });
    const git = (...words: string[]) => execFileSync("git", words, { cwd: root });
    git("init", "-q");
    const kept = ["conf/x.ini", "conf/hidden.ini", "src/a.gen.ts", "src/gone.gen.ts", ".env.test"];
    git("add", "-f", ".gitignore", "src/c.ts", ...kept);
    await rm(path.join(root, "src/gone.gen.ts"));
    const search = createSearch({ roots: [root], near });
    const list = async (folder: string, more: { limit?: number; name?: string } = {}) =>
      search.files(path.join(root, folder), { limit: 100, signal: neverAborted, ...more });
    expect((await list("")).paths).toEqual([
      ...[".env.test", ".gitignore", ".nekodeignore", "conf/x.ini", "src/a.gen.ts", "src/c.ts"],
    ]);
    expect(await list("src")).toEqual({ paths: ["a.gen.ts", "c.ts"], more: false });
    expect((await list("", { limit: 4 })).more).toBe(true);
    expect((await list("", { name: "x.ini" })).paths).toEqual(["conf/x.ini"]);
    const found = async (glob?: string, folder = "") =>
      paths(await grep(path.join(root, folder), "needle", { ...(glob ? { glob } : {}), workspace: root }));
    expect(await found()).toEqual(["conf/x.ini", "src/a.gen.ts", "src/c.ts"]);
    expect(await found("*.ini")).toEqual(["conf/x.ini"]);
    expect(await found("src/*.gen.ts")).toEqual(["src/a.gen.ts"]);
    expect(await found("!*.gen.ts")).toEqual(["conf/x.ini", "src/c.ts"]);
    // A folder that was named itself: each file once.
    expect((await grep(path.join(root, "conf"), "needle", { workspace: root })).matches).toBe(2);
    const limited = await grep(root, "needle", { limit: 2 });
    expect([limited.matches, limited.more]).toEqual([2, true]);
  });

  it("takes brackets in a glob as parts of names where such files exist, otherwise as classes", async () => {
    const root = await project({
      "app/[id]/page.tsx": "needle\n",
      "app/i/page.tsx": "needle\n",
      "app/[id]/a1.ts": "needle\n",
      "app/[id]/[x].ts": "needle\n",
      "app/[[...all]]/page.tsx": "needle\n",
      "lib/[slug].ts": "needle\n",
      "lib/b.ts": "needle\n",
      "lib/s.ts": "needle\n",
    });
    const found = async (glob: string, from = root) =>
      paths(await grep(from, "needle", { glob, workspace: root }));
    expect(await found("app/[id]/*.tsx")).toEqual(["app/[id]/page.tsx"]);
    expect(await found("**/[id]/page.*")).toEqual(["app/[id]/page.tsx"]);
    expect(await found("[id]/page.tsx", path.join(root, "app"))).toEqual(["[id]/page.tsx"]);
    expect(await found("app/[id]/[a-z][0-9].ts")).toEqual(["app/[id]/a1.ts"]);
    expect(await found("app/[[...all]]/*.tsx")).toEqual(["app/[[...all]]/page.tsx"]);
    expect(await found("[slug].ts")).toEqual(["lib/[slug].ts"]);
    expect(await found("[ab].ts")).toEqual(["lib/b.ts"]);
    expect(await found("lib/{b,[slug]}.ts")).toEqual(["lib/[slug].ts", "lib/b.ts"]);
    expect(await found("!app/[id]/**")).toEqual([
      ...["app/[[...all]]/page.tsx", "app/i/page.tsx", "lib/[slug].ts", "lib/b.ts", "lib/s.ts"],
    ]);
  });

  it("says whether no file matches the glob, or no file of it contains the text", async () => {
    const root = await project({
      "a.ts": "needle\n",
      "sub/b.ts": "other\n",
      ".gitignore": "out\n",
      "out/c.md": "",
    });
    const noFile = async (glob?: string) =>
      (await grep(root, "needle", glob === undefined ? {} : { glob })).noFile ?? false;
    expect(await noFile("*.ts")).toBe(false);
    expect(await noFile("sub/*.ts")).toBe(false);
    expect(await noFile("*.md")).toBe(true);
    expect(await noFile("src/*.ts")).toBe(true);
    expect(await noFile("sub/[id]/*.ts")).toBe(true);
    expect(await noFile("!*.ts")).toBe(false);
    expect((await grep(root, "absent")).noFile).toBeUndefined();
  });

  it("takes look-around and references to groups", async () => {
    const root = await project({ "a.txt": "alpha beta\nalpha\nbye bye\n" });
    const numbers = async (regex: string) =>
      (await grep(root, regex)).hits.flatMap(({ lines }) => lines.map(({ number }) => number));
    expect(await numbers("alpha(?= beta)")).toEqual([1]);
    expect(await numbers("^(?!alpha)")).toEqual([3]);
    expect(await numbers("(\\w+) \\1")).toEqual([3]);
    await expect(grep(root, "(?=a")).rejects.toThrow(/closing parenthesis|unclosed group/);
  });

  it("matches across lines where that is asked for, whatever the line ending, and says how otherwise", async () => {
    const root = await project({
      "a.txt": "one\nalpha\nbeta\nfive\nalpha\nbeta\n",
      "b.txt": "alpha\r\nbeta\r\n",
    });
    const search = createSearch({ roots: [root], near });
    const shape = { regex: "alpha\\nbeta", contextLines: 1, limit: 100, signal: neverAborted };
    const found = await search.grep(root, { ...shape, multiline: true });
    expect(found.matches).toBe(3);
    expect(found.hits[0]?.lines.map(({ number, match }) => [number, match])).toEqual([
      ...[
        [1, false],
        [2, true],
        [3, false],
        [4, false],
        [5, true],
        [6, false],
      ],
    ]);
    expect(found.hits[1]?.lines.map(({ text }) => text)).toEqual(["alpha", "beta"]);
    const classes = await search.grep(root, { ...shape, regex: "alpha[\\s\\n]+beta", multiline: true });
    expect(classes.matches).toBe(3);
    const error = await search.grep(root, shape).catch(String);
    expect(error).toContain("Set multiline to true to match across lines.");
    expect(error).not.toContain("--");
  });

  it.each(
    sampled(
      [
        ["shiftjis", "// 初期化の処理 カタカナ\nint a;\n", "カタカナ"],
        ["eucjp", "// 初期化の処理をここで行います。カタカナ\n", "カタカナ"],
        ["gb18030", "// 这是一个用来测试的文件，里面有中文。\n", "中文"],
        ["windows1252", "Le café est très bon, déjà goûté à l'été.\n", "caf.\\b"],
        ["utf-16le", "first line\nthe needle 猫\n", "needle 猫"],
        ["utf-16be", "first line\nthe needle 猫\n", "needle 猫"],
      ],
      2,
    ),
  )("finds in %s what reading shows", async (encoding, text, regex) => {
    const root = await project({
      "old.txt": iconv.encode(text, encoding, { addBOM: false }),
      "new.txt": text,
      "plain.txt": "nothing\n",
      "image.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0xff, 0xfe, 0x80]),
    });
    const shown = (await nodeFiles.readText(path.join(root, "old.txt"))).text;
    expect(shown).toBe(text);
    const found = await grep(root, regex, { context: 1 });
    expect(found.unread).toBeUndefined();
    expect(paths(found)).toEqual(["new.txt", "old.txt"]);
    expect(found.hits[1]?.lines).toEqual(found.hits[0]?.lines);
    expect(found.matches).toBe(2);
    expect(paths(await grep(root, regex, { glob: "old.*" }))).toEqual(["old.txt"]);
    expect(paths(await grep(path.join(root, "old.txt"), regex, { workspace: root }))).toEqual(["old.txt"]);
  });

  it("finds a few words in the encoding that is named for the file, and by escape sequences", async () => {
    const root = await project({
      ".editorconfig": "root = true\n[*.txt]\ncharset = big5\n",
      "short.txt": iconv.encode("設定\n", "big5"),
      "mail.eml": Buffer.from("\x1b$B@_Dj\x1b(B\n", "latin1"),
    });
    expect(paths(await grep(root, "設定"))).toEqual(["mail.eml", "short.txt"]);
  });

  it("says which texts in other encodings were too large to search, and keeps the limit and the ignored ones", async () => {
    const line = iconv.encode("初期化の処理 カタカナ\n", "shiftjis");
    const root = await project({
      ".gitignore": "out/\n",
      ".env": line,
      "out/a.txt": line,
      "b.txt": Buffer.concat([line, line, line]),
      "large.txt": Buffer.concat(Array.from({ length: 100_000 }, () => line)),
      "large.bin": Buffer.alloc(3_000_000),
    });
    const found = await grep(root, "カタカナ", { limit: 2 });
    expect([paths(found), found.matches, found.more]).toEqual([["b.txt"], 2, true]);
    expect((await grep(root, "absent")).unread).toEqual(["large.txt: not UTF-8, and larger than 2 MB"]);
  });

  // The program that counts is a script.
  it.skipIf(process.platform === "win32")(
    "reads all files once, and those with a match or in another encoding once more",
    async () => {
      const log = path.join(await temporaryFolder(), "runs");
      const rgPath = `${log}.sh`;
      const packaged = await findRipgrep(undefined, near, {});
      await writeFile(rgPath, `#!/bin/sh\nprintf '%s\\n' "$*" >> ${log}\nexec ${packaged} "$@"\n`, {
        mode: 0o755,
      });
      const root = await project({
        "a/one.txt": "needle\n",
        "a/two.txt": "other\n",
        "b/three.txt": "needle\n",
        "old.txt": iconv.encode("// 初期化の処理 カタカナ\n", "shiftjis"),
      });
      const runs = async (regex: string) => {
        await rm(log, { force: true });
        const search = createSearch({ roots: [root], rgPath });
        await search.grep(root, { regex, contextLines: 0, limit: 100, signal: neverAborted });
        const all = (await readFile(log, "utf8")).trim().split("\n");
        return { all: all.length, ofAllFiles: all.filter((args) => args.endsWith(" -- ./")).length };
      };
      // The names, what is in another encoding, the lines, and the lines of the decoded text.
      expect(await runs("needle")).toEqual({ all: 4, ofAllFiles: 1 });
      await rm(path.join(root, "old.txt"));
      expect(await runs("needle")).toEqual({ all: 3, ofAllFiles: 1 });
      // The names, and whether the expression is valid.
      expect(await runs("absent")).toEqual({ all: 2, ofAllFiles: 1 });
    },
  );

  it.skipIf(process.platform === "win32")("finds files again whose names are special in globs", async () => {
    const names = [
      "[x].ts",
      "st*r",
      "wh?t",
      "a:b",
      "include:c",
      "{d,e}",
      "!f",
      "-g",
      "back\\slash",
      "li\nne",
      "猫 é",
    ];
    const old = iconv.encode("// 初期化の処理 カタカナ\n", "shiftjis");
    const files = names.flatMap((name) => [
      [`p/${name}`, "カタカナ\n"],
      [`{q}/${name}`, old],
      [`r [s]/${name}`, "none\n"],
    ]);
    const root = await project(Object.fromEntries(files));
    const expected = names.flatMap((name) => [`p/${name}`, `{q}/${name}`]).sort();
    expect(paths(await grep(root, "カタカナ"))).toEqual(expected);
  });

  it("finds each line once among files that share a name, whose encodings differ", async () => {
    const old = iconv.encode("// 初期化の処理 カタカナ\n", "shiftjis");
    const files = Array.from({ length: rounds(450, 5_000) }, (_, at) => [
      `d${at}/index.txt`,
      at % 3 === 0 ? "カタカナ\n" : at % 100 === 1 ? old : "none\n",
    ]);
    const root = await project(Object.fromEntries(files));
    const expected = files.filter(([, content]) => content !== "none\n").map(([name]) => String(name));
    const found = await grep(root, "カタカナ", { limit: 10_000 });
    expect(paths(found)).toEqual(expected.sort());
    expect([found.matches, found.more]).toEqual([expected.length, false]);
    const some = await grep(root, "カタカナ", { limit: 50 });
    expect([some.matches, some.more]).toEqual([50, true]);
  });

  it("finds what ripgrep finds before a NUL byte far into a file", async () => {
    const root = await project({ "deep.log": `${"a line with the needle\n".repeat(9_000)}\0\n` });
    const args = ["--json", "needle", "./"];
    const plain = execFileSync(await findRipgrep(undefined, near, {}), args, { cwd: root, maxBuffer: 1e8 });
    const count = plain.toString().split('"type":"match"').length - 1;
    expect(count).toBeGreaterThan(1_000);
    expect((await grep(root, "needle", { limit: 10_000 })).matches).toBe(count);
  });

  it("refuses what only a search of binary files could find, also where other files match", async () => {
    const root = await project({ "a.txt": "plain\n", "b.bin": "\0\0" });
    await expect(grep(root, "\\x00")).rejects.toThrow("impossible to match");
    await rm(path.join(root, "b.bin"));
    await expect(grep(root, "\\x00")).rejects.toThrow("impossible to match");
  });

  it("takes look-around in other encodings", async () => {
    const root = await project({
      "old.txt": iconv.encode("// 初期化の処理 カタカナ\n", "shiftjis"),
      "new.txt": "カタカナ\n",
    });
    expect(paths(await grep(root, "カタ(?=カナ)"))).toEqual(["new.txt", "old.txt"]);
  });

  it("does not report a large file that ripgrep decodes by its mark as not searched", async () => {
    const wide = Buffer.from("a needle and more\n".repeat(70_000), "utf16le");
    const root = await project({ "wide.txt": Buffer.concat([Buffer.from([0xff, 0xfe]), wide]) });
    const found = await grep(root, "needle", { limit: 10 });
    expect([paths(found), found.matches, found.unread]).toEqual([["wide.txt"], 10, undefined]);
    expect((await grep(root, "absent")).unread).toBeUndefined();
  });

  it("skips binary files and reads UTF-16 with its mark", async () => {
    const root = await project({
      "bin.dat": Buffer.from([0, 1, 2, ...Buffer.from("needle"), 0]),
      "wide.txt": Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("a needle\n", "utf16le")]),
      "latin.txt": Buffer.from([0xe9, 0x20, ...Buffer.from("needle\n")]),
    });
    const found = await grep(root, "needle");
    expect(paths(found)).toEqual(["latin.txt", "wide.txt"]);
    expect(found.hits[1]?.lines[0]?.text).toBe("a needle");
  });

  it("stops when asked", async () => {
    const root = await project({ "a.txt": "needle" });
    const search = createSearch({ roots: [root], near });
    const options = { regex: "needle", contextLines: 0, limit: 5 };
    await expect(search.grep(root, { ...options, signal: AbortSignal.abort() })).rejects.toThrow(Interrupt);
    const stop = new AbortController();
    const running = search.grep("/usr", { ...options, regex: "[a-z]{5}unlikely", signal: stop.signal });
    setImmediate(() => stop.abort());
    await expect(running).rejects.toThrow(Interrupt);
  });

  it("ignores the user's ripgrep configuration", async () => {
    const root = await project({ "a.txt": "needle", config: "--files-without-match\n" });
    vi.stubEnv("RIPGREP_CONFIG_PATH", path.join(root, "config"));
    expect((await grep(root, "needle")).matches).toBe(1);
  });
});

describe("finding ripgrep", () => {
  it("takes the one given, the package's, the one on PATH, or says that there is none", async () => {
    const packaged = await findRipgrep(undefined, near, {});
    expect(packaged).toContain(path.join("node_modules", "@vscode"));
    const folder = path.dirname(packaged);
    expect(await findRipgrep(undefined, [], { PATH: `relative:${folder}` })).toBe(packaged);
    expect(await findRipgrep(packaged, [], {})).toBe(packaged);
    await expect(findRipgrep("/nowhere/rg", near, {})).rejects.toThrow("/nowhere/rg does not exist");
    await expect(findRipgrep(undefined, ["/"], { PATH: "" })).rejects.toThrow("Install it");
  });
});

describe("reading ripgrep's lines", () => {
  it("gives the same events however they are cut", () => {
    const big = "q".repeat(400_000);
    const lines = [
      { type: "begin", data: { path: { text: "猫.txt" } } },
      {
        type: "match",
        data: {
          path: { text: "猫.txt" },
          lines: { text: `${big}"},\\"line_number":7` },
          line_number: 3,
          absolute_offset: 10,
          submatches: [{ match: { text: "x" }, start: 5, end: 6 }],
        },
      },
      {
        type: "match",
        data: {
          path: { text: "猫.txt" },
          lines: { text: "a\n" },
          line_number: 4,
          absolute_offset: 11,
          submatches: [{ match: { text: "a" }, start: 0, end: 1 }],
        },
      },
      { type: "end", data: {} },
      { type: "summary", data: {} },
    ];
    const bytes = Buffer.from(`${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
    const expected = [
      { type: "begin", path: "猫.txt" },
      { type: "long-line", match: true, number: 3, offset: 15 },
      { type: "line", match: true, number: 4, text: "a", start: 0 },
      { type: "summary" },
    ];
    for (const size of [1021, 4096, 65_536, bytes.length]) {
      const reader = new RipgrepReader();
      const events = [];
      for (let at = 0; at < bytes.length; at += size)
        events.push(...reader.push(bytes.subarray(at, at + size)));
      expect(events).toEqual(expected);
    }
  });
});
