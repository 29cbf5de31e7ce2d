/** Which mentions are found, and what they become. */
import { describe, expect, it } from "vitest";
import { expandMentions } from "../../../../src/core/context/expand-mentions.ts";
import { symbolsToMention } from "../../../../src/core/context/mention-choices.ts";
import type { MentionOptions } from "../../../../src/core/context/mention-content.ts";
import { symbolLines } from "../../../../src/core/context/mention-files.ts";
import { Interrupt, NotTextError, ToolError } from "../../../../src/core/errors.ts";
import type { Host } from "../../../../src/core/ports/host.ts";
import type { TaskPages } from "../../../../src/core/task-pages.ts";
import {
  findMentions,
  outsideMention,
  resourceMention,
  templateMention,
} from "../../../../src/shared/mentions.ts";
import { reasonOf } from "../../../../src/shared/reason.ts";
import { cpuSeconds } from "../../../support/cpu-time.ts";
import { type MemoryOptions, memoryHost } from "../../../support/memory-host.ts";
import { fc } from "../../../support/property.ts";
import { taskPages } from "../../../support/task-pages.ts";

const found = (text: string) => findMentions(text).map(({ kind, value }) => `${kind} ${value}`.trim());

describe("findMentions", () => {
  it.each<[string, string[]]>([
    ["@/neko.txt \n猫を犬にしてください", ["file neko.txt"]],
    ["see @/src/core/index.ts, and @/docs/.", ["file src/core/index.ts", "folder docs/"]],
    ['open @"/my notes/to do.md" now', ["file my notes/to do.md"]],
    ['@"/my folder/"', ["folder my folder/"]],
    ['@web:/src/app.ts and @api:"/a b.ts"', ["file @web:/src/app.ts", "file @api:/a b.ts"]],
    ["@画面:/src/猫.ts と@画面:/", ["file @画面:/src/猫.ts", "folder @画面:/"]],
    ["@https://example.com/a?b=c#d.", ["url https://example.com/a?b=c#d"]],
    ["(see @https://en.wikipedia.org/wiki/Cat_(animal))", ["url https://en.wikipedia.org/wiki/Cat_(animal)"]],
    ["@problems @terminal, @git-changes", ["problems", "terminal", "git-changes"]],
    [
      "what did @a1b2c3d do, and @0123456789abcdef0123456789abcdef01234567?",
      ["commit a1b2c3d", "commit 0123456789abcdef0123456789abcdef01234567"],
    ],
    [`@${"feed".repeat(10)} or @facade`, [`commit ${"feed".repeat(10)}`]],
    ["@/neko.txtを読んで", ["file neko.txt"]],
    ["「@/src/猫.txt」を開いて", ["file src/猫.txt"]],
    ["@/メモ/一覧.md、@/b.ts。", ["file メモ/一覧.md", "file b.ts"]],
    ["(@/a.ts)", ["file a.ts"]],
    ["Fix @problems.", ["problems"]],
    ["@problems: all of them; @terminal... and @git-changes!", ["problems", "terminal", "git-changes"]],
    ["see @a1b2c3d.", ["commit a1b2c3d"]],
    ["@a1b2c3d: what for?", ["commit a1b2c3d"]],
    ["@/ as a whole", ["folder"]],
    ["all of @/, and @/.", ["folder", "folder"]],
    ["(@/)、「@/」", ["folder", "folder"]],
    ['@"/" and @web:/ too', ["folder", "folder @web:/"]],
    ["@/my\\ notes/to\\ do.md, then", ["file my notes/to do.md"]],
    ["@web:/a\\ b/", ["folder @web:/a b/"]],
    ["@/a\\b.txt", ["file a\\b.txt"]],
    ["見て：@/a.ts、 and ＝@/b.ts", ["file a.ts", "file b.ts"]],
    ["@/pages/[id].tsx", ["file pages/[id].tsx"]],
    ["@/cats.js:1-4 and (@/a.ts:7), @/b.ts:3:14.", ["lines cats.js:1-4", "lines a.ts:7", "lines b.ts:3:14"]],
    ['@"/my notes/a.md:2-3" @web:/a.ts:1', ["lines my notes/a.md:2-3", "lines @web:/a.ts:1"]],
    ["@/a.ts:10-20を読んで、@/a.ts: と", ["lines a.ts:10-20", "file a.ts"]],
    [
      "@/src/a.ts#Cat.meow, @/C#/a.cs and @/a.ts#",
      ["symbol src/a.ts#Cat.meow", "file C#/a.cs", "file a.ts#"],
    ],
    ["@selection @open-editors.", ["selection", "open-editors"]],
    ["@file:///home/me/my%20notes.txtを読んで", ["file /home/me/my notes.txt"]],
    ["(@file:///home/me/docs/), @file:///C%3A/a.md.", ["folder /home/me/docs/", "file C:/a.md"]],
  ])("%j", (text, mentions) => {
    expect(found(text)).toEqual(mentions);
  });

  it.each([
    "/home/me/a b.txt",
    "/tmp/猫 (1).md",
    "/a/it's.",
    "/x/100%!.txt",
    "/my/folder/",
    "C:/Users/me/a.ts",
  ])("reads back the absolute path %s", (path) => {
    const mention = outsideMention(path);
    expect(findMentions(`see ${mention}, and`)[0]).toMatchObject({
      value: path,
      start: 4,
      end: 4 + mention.length,
    });
  });

  it.each([
    "mail neko@example.com or a@/b",
    "@Component({}) class A { @Input() name; }",
    "@decorator",
    "@problemsolver and @terminal/x",
    "@file://server/share and @file:///%zz and @file:///%00 and @file:///",
    '@"/never closed.md',
    '@"/two\nlines.md"',
    "`@/code.ts` and ``a ` @/b.ts``",
    "```\n@/in/a/fence.ts\n```",
    "~~~ts\n@/in/a/fence.ts",
    "@ nothing, @",
    "curl -d=@/tmp/body file:@/etc/x key=@problems",
    "2026-01-01 10:00:00 level=info user=@a1b2c3d4 at:@terminal",
    "@problems.json @terminal:1 @a1b2c3d.txt",
    "@//comment",
    "@deadbee @feedface",
    "a/@/b.ts",
  ])("finds none in %j", (text) => {
    expect(found(text)).toEqual([]);
  });

  it("finds what stands after code", () => {
    expect(found("`x` @/a.ts ```no fence``` @/b.ts\n```\n@/c.ts\n```\n@/d.ts")).toEqual([
      "file a.ts",
      "file b.ts",
      "file d.ts",
    ]);
    expect(found("an odd ` tick, then @/a.ts")).toEqual(["file a.ts"]);
  });

  it("gives offsets that hold the mention, in order and apart", () => {
    const pieces = fc.constantFrom(
      "@/a.ts",
      '@"/b c.md"',
      "@problems",
      "`",
      "\n",
      " ",
      "a",
      "。",
      "@",
      "https://x.y",
      "```",
      "@https://x.y/z",
      "猫",
      '"',
      "/",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join("");
        let from = 0;
        for (const { start, end, value } of findMentions(text)) {
          expect(start).toBeGreaterThanOrEqual(from);
          expect(text[start]).toBe("@");
          expect(text.slice(start, end)).toContain(value);
          from = end;
        }
      }),
    );
  });

  // Time that grew with the square of these would be minutes.
  it("takes time in proportion to the text, whatever it holds", () => {
    const hostile = [
      "`".repeat(200_000),
      "@/".repeat(100_000),
      '@"/'.repeat(60_000),
      "` `` ``` ".repeat(20_000),
      "@a:/x".repeat(40_000),
      `@/${")".repeat(200_000)}`,
      `@/${")".repeat(4_000)}x `.repeat(40),
      `@/${"a.ts猫".repeat(800)}/ `.repeat(40),
    ];
    const seconds = cpuSeconds(() => {
      for (const text of hostile) expect(findMentions(text)).toBeInstanceOf(Array);
    });
    expect(seconds).toBeLessThan(30);
  });
});

interface Given extends MemoryOptions {
  patch?: (host: Host) => void;
  maxTokens?: number;
  /** Called once the host is patched. */
  pages?: () => TaskPages;
  refused?: (path: string) => Awaited<ReturnType<MentionOptions["refused"]>>;
}

async function expand(text: string, { patch, maxTokens = 50_000, refused, pages, ...options }: Given = {}) {
  const { host } = memoryHost(options);
  patch?.(host);
  const read: string[] = [];
  const result = await expandMentions(text, {
    host,
    signal: new AbortController().signal,
    maxTokens,
    pages: pages?.() ?? taskPages(host),
    refused: async (path) => refused?.(path),
    onRead: (path) => read.push(path),
  });
  return { ...result, read };
}

describe("expandMentions", () => {
  it("names the mention in the text, and lets its content follow", async () => {
    const { text, attachments, read } = await expand("@/neko.txt \n猫を犬に", {
      files: { "neko.txt": "吾輩は猫である。\n" },
    });
    expect(text).toBe("'neko.txt' (see below for file content) \n猫を犬に");
    expect(attachments).toEqual(['<file_content path="neko.txt">\n吾輩は猫である。\n\n</file_content>']);
    expect(read).toEqual(["/project/neko.txt"]);
  });

  it("sends a thing mentioned twice once", async () => {
    const { text, attachments } = await expand("@/a.ts and @/a.ts", { files: { "a.ts": "x" } });
    expect(text.match(/see below/g)).toHaveLength(2);
    expect(attachments).toHaveLength(1);
  });

  it("takes a path for what it is on the disk", async () => {
    const files = { "src/a.ts": "a", "notes/b.md": "b" };
    const folder = await expand("all of @/src", { files });
    expect(folder.text).toBe("all of 'src' (see below for folder content)");
    expect(folder.attachments).toEqual([
      '<folder_content path="src">\na.ts\n<file path="src/a.ts">\na\n</file>\n</folder_content>',
    ]);
    const file = await expand("@/notes/b.md/", { files });
    expect(file.text).toBe("'notes/b.md/' (see below for file content)");
    expect(file.attachments[0]).toMatch(/^<file_content /);
    const missing = await expand("@/gone and @/gone/", { files });
    expect(missing.text).toBe(
      "'gone' (see below for file content) and 'gone/' (see below for folder content)",
    );
  });

  it("lists the whole project for a slash alone", async () => {
    const { text, attachments } = await expand("what is in @/?", { files: { "a.ts": "a", "b/c.ts": "c" } });
    expect(text).toBe("what is in '/' (see below for folder content)?");
    expect(attachments).toEqual([
      '<folder_content path="/">\na.ts\nb/c.ts\n<file path="a.ts">\na\n</file>\n<file path="b/c.ts">\nc\n</file>\n</folder_content>',
    ]);
  });

  it("lists a folder, at most 200 files of it", async () => {
    const files = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`big/${n}.ts`, "x"]));
    const { attachments } = await expand("@/big/", { files });
    expect(attachments[0]).toMatch(/^<folder_content path="big\/">\n/);
    expect(attachments[0]).toContain("the first 200 files");
    expect(attachments[0]?.length).toBeLessThan(15_000);
  });

  it("says what cannot be had, and sends the rest", async () => {
    const patch = (host: Host) => {
      const { stat, readText } = host.files;
      host.files.stat = async (path) =>
        path.endsWith("huge.log") ? { kind: "file", size: 50 * 1024 * 1024, version: "1" } : stat(path);
      host.files.readText = async (path) => {
        if (path.endsWith(".png")) throw new NotTextError("logo.png is not text: PNG image, 2 KB.");
        if (path.endsWith(".bin")) throw new NotTextError("a.bin is not text: 2 KB.");
        if (path.endsWith(".gif")) throw new ToolError("a.gif cannot be read.");
        return readText(path);
      };
      host.web = {
        fetch: async () =>
          Promise.reject(new ToolError("the page did not answer in 20 s", reasonOf("page-timeout", "20"))),
      };
    };
    const text =
      "@/huge.log @/logo.png @/missing.ts @/../outside.ts @/.env @nowhere:/a.ts @https://example.com/slow @git-changes @/a.bin @/a.gif @/gone/ @/link @/odd @/a.ts";
    const refused = (path: string) => {
      if (path.endsWith(".env")) return { reason: reasonOf("secret-file", ".env"), guard: "secret" as const };
      if (path.endsWith("odd")) return { reason: reasonOf("path-unresolved"), guard: "unclear" as const };
      return path.endsWith("link") ? { reason: reasonOf("outside-project", "/etc/x") } : undefined;
    };
    const { attachments, problems } = await expand(text, {
      patch,
      refused,
      files: { "a.ts": "fine", "logo.png": "", ".env": "KEY=1", "a.bin": "", "a.gif": "", link: "", odd: "" },
    });
    const bodies = attachments.map((attachment) => attachment.split("\n")[1]);
    expect(bodies).toEqual([
      "(not included: the file has 50 MB; read_file and search_files show parts of it)",
      "(not included: logo.png is not text: PNG image, 2 KB. read_file shows what is in it)",
      "(not included: there is no such file)",
      "(not included: the path is outside the workspace)",
      "(not included: .env may contain secrets)",
      "(not included: no folder of the workspace is named nowhere)",
      "(not included: the page did not answer in 20 s)",
      "(not included: no repository is open)",
      "(not included: a.bin is not text: 2 KB.)",
      "(not included: a.gif cannot be read.)",
      "(not included: there is no such folder)",
      "(not included: /etc/x is outside the project)",
      "(not included: the location that the path resolves to could not be determined)",
      "fine",
    ]);
    expect(problems.map(({ mention, why }) => [mention, ...why])).toEqual([
      ["@/huge.log", "too-large", "50"],
      ["@/logo.png", "other-format", ""],
      ["@/missing.ts", "missing", ""],
      ["@/../outside.ts", "outside", ""],
      ["@/.env", "secret", ""],
      ["@nowhere:/a.ts", "no-root", "nowhere"],
      ["@https://example.com/slow", "page-timeout", "20"],
      ["@git-changes", "no-repository", ""],
      ["@/a.bin", "not-text", ""],
      ["@/a.gif", "system-error", "a.gif cannot be read."],
      ["@/gone/", "missing", ""],
      ["@/link", "outside", ""],
      ["@/odd", "unclear", ""],
    ]);
  });

  it("expands the words, the page and the commit", async () => {
    const patch = (host: Host) => {
      host.surroundings.problems = () => ["src/a.ts line 3: error: no such name"];
      host.surroundings.terminalOutput = async () => "$ npm test\n1 failed\n";
      host.web = { fetch: async () => ({ url: "https://example.com/b", title: "B", text: "# B" }) };
      host.git = {
        diff: async () => "",
        workingState: async () => "On branch main\n+new line",
        commit: async (_folder, hash) => `commit ${hash}`,
        commits: async () => [],
        ask: async () => "",
        steeredBy: undefined,
      };
    };
    const { text, attachments } = await expand(
      "@problems @terminal @git-changes @a1b2c3d @https://example.com/a",
      { patch },
    );
    expect(text).not.toContain("@");
    expect(attachments).toEqual([
      "<workspace_diagnostics>\nsrc/a.ts line 3: error: no such name\n</workspace_diagnostics>",
      "<terminal_output>\n$ npm test\n1 failed\n</terminal_output>",
      "<git_working_state>\nOn branch main\n+new line\n</git_working_state>",
      '<git_commit hash="a1b2c3d">\ncommit a1b2c3d\n</git_commit>',
      '<url_content url="https://example.com/a">\n(the page is at https://example.com/b)\n\n# B\n</url_content>',
    ]);
  });

  it("names the place from which a cut page continues, whatever precedes its text", async () => {
    const page = Array.from({ length: 5_000 }, (_, n) => `line ${n}`).join("\n");
    for (const [final, title] of [
      ["https://example.com/a", ""],
      ["https://example.com/elsewhere", "A title"],
    ] as const) {
      let pages = taskPages({});
      const patch = (host: Host) => {
        host.web = { fetch: async () => ({ url: final, title, text: page }) };
        pages = taskPages(host);
      };
      const options = { patch, maxTokens: 2_000, pages: () => pages };
      const { attachments } = await expand("@https://example.com/a", options);
      const [attachment = ""] = attachments;
      const offset = Number(/web_fetch with this URL and offset (\d+) continues/.exec(attachment)?.[1]);
      const last = attachment.slice(0, attachment.indexOf("\n(cut here")).split("\n").at(-1) ?? "";
      const kept = pages.kept(new URL("https://example.com/a"))?.text ?? "";
      expect(last.length).toBeGreaterThan(0);
      expect(kept.slice(offset - last.length, offset)).toBe(last);
      expect(kept.length).toBeGreaterThan(offset);
    }
  });

  it("bounds each content and all of them together", async () => {
    const files = {
      "a.ts": "words of a\n".repeat(20_000),
      "b.ts": "words of b\n".repeat(1_000),
      "c.ts": "words of c",
    };
    const { attachments, read } = await expand("@/a.ts @/b.ts @/c.ts", { files, maxTokens: 3_000 });
    expect(attachments.join("").length).toBeLessThan(14_000);
    expect(attachments[0]).toMatch(
      /cut here, \d+ characters omitted; read_file with start_line \d+ reads the rest/,
    );
    expect(attachments[1]).toContain("cut here");
    expect(attachments[2]).toBe('<file_content path="c.ts">\nwords of c\n</file_content>');
    expect(read).toEqual(["/project/c.ts"]);
  });

  it("ends with Interrupt when the user stops while a page loads", async () => {
    const { host } = memoryHost();
    const controller = new AbortController();
    host.web = {
      fetch: (_url, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Interrupt()))),
    };
    const options = {
      host,
      signal: controller.signal,
      maxTokens: 1_000,
      pages: taskPages(host),
      refused: async () => undefined,
      onRead: () => undefined,
    };
    const expanding = expandMentions("@https://example.com/never", options);
    controller.abort();
    await expect(expanding).rejects.toBeInstanceOf(Interrupt);
  });
});

describe("a part of a file as a mention", () => {
  const cats = Array.from({ length: 9 }, (_, index) => `line ${index + 1}`).join("\n");

  it("brings those lines only, and does not count as having read the file", async () => {
    const { text, attachments, read } = await expand(
      "look at @/cats.js:2-4 and @/cats.js:9-8 and @/cats.js:1",
      {
        files: { "cats.js": `${cats}\n` },
      },
    );
    expect(text).toBe(
      "look at 'cats.js' lines 2-4 (see below for file content) and 'cats.js' lines 8-9 (see below for file content)" +
        " and 'cats.js' line 1 (see below for file content)",
    );
    expect(attachments).toEqual([
      '<file_content path="cats.js" lines="2-4">\nline 2\nline 3\nline 4\n</file_content>',
      '<file_content path="cats.js" lines="8-9">\nline 8\nline 9\n</file_content>',
      '<file_content path="cats.js" lines="1-1">\nline 1\n</file_content>',
    ]);
    expect(read).toEqual([]);
  });

  it("says that the file ends before, and is the file itself where one has such a name", async () => {
    const { attachments, problems } = await expand("@/cats.js:12 @/odd.ts:5 @/gone.ts:5 @/C#x", {
      files: { "cats.js": cats, "odd.ts:5": "odd", "C#x": "sharp" },
    });
    expect(attachments.map((attachment) => attachment.split("\n")[1])).toEqual([
      "(not included: the file ends at line 9)",
      "odd",
      "(not included: there is no such file)",
      "sharp",
    ]);
    expect(problems.map(({ why }) => why)).toEqual([
      ["no-lines", "9"],
      ["missing", ""],
    ]);
  });

  it("names the file's own line where the lines are cut", async () => {
    const files = { "a.ts": Array.from({ length: 5_000 }, (_, index) => `number ${index + 1}`).join("\n") };
    const [attachment = ""] = (await expand("@/a.ts:1000-5000", { files, maxTokens: 500 })).attachments;
    const last = /number (\d+)\n?[^\n]*\n\(cut here/.exec(attachment)?.[1];
    const from = Number(/start_line (\d+) reads/.exec(attachment)?.[1]);
    expect(Math.abs(from - Number(last))).toBeLessThanOrEqual(1);
  });

  const code =
    "class Dog {\n  meow() {\n    return 0;\n  }\n}\n\nexport class Cat {\n  meow() {\n    return 1;\n  }\n}\n";

  it("is a symbol by the language's outline, or by how the text is indented", async () => {
    const files = { "a.ts": code };
    const [plain = ""] = (await expand("@/a.ts#Cat.meow", { files })).attachments;
    expect(plain).toBe(
      '<symbol_content path="a.ts" name="Cat.meow">\nlines 8-10:\n  meow() {\n    return 1;\n  }\n</symbol_content>',
    );
    const patch = (host: Host) => {
      host.surroundings.symbols = async () => [{ name: "Cat.meow", start: 9, end: 9 }];
    };
    expect((await expand("@/a.ts#Cat.meow", { files, patch })).attachments[0]).toContain(
      "lines 9-9:\n    return 1;\n<",
    );
    expect((await expand("@/a.ts#Cow", { files })).problems).toMatchObject([{ why: ["no-symbol", "Cow"] }]);
  });

  it.each([
    ["def meow(self):\n    return 1\n\ndef bark():\n    return 2\n", "bark", 4, 5],
    ["func (c *Cat) Meow() int {\n\treturn 1\n}\n", "Meow", 1, 3],
    ["const x = meow();\nfunction meow() {\n  return 1;\n}\n", "meow", 2, 4],
    ["export const PURR = 3;\nlet other;\n", "PURR", 1, 1],
    ["// meow(\ncall(meow);\nclass A:\n  def meow(self):\n    pass\n", "A.meow", 4, 5],
  ])("finds a symbol without an outline: %j", (text, name, start, end) => {
    expect(symbolLines(text, name)).toEqual({ start, end });
  });

  it("is what the editor has selected, and the files that are open in it", async () => {
    const patch = (host: Host) => {
      host.surroundings.selection = () => ({ path: "a.ts", start: 8, end: 8 });
      host.surroundings.openTabs = () => ["a.ts", "b.ts", "/elsewhere/c.ts", "gone.ts"];
    };
    const files = { "a.ts": code, "b.ts": "b\n" };
    const { text, attachments, problems } = await expand("why @selection in @open-editors?", {
      files,
      patch,
    });
    expect(text).toBe("why the selected code (see below) in the files open in editors (see below)?");
    expect(attachments[0]).toBe("<selection>\na.ts, lines 8-8:\n  meow() {\n</selection>");
    expect(attachments[1]).toContain(
      `\n<file path="a.ts">\n${code}\n</file>\n<file path="b.ts">\nb\n\n</file>\n`,
    );
    expect(attachments[1]).toContain("/elsewhere/c.ts");
    expect(problems).toEqual([]);
    const without = await expand("@selection @open-editors", { files });
    expect(without.problems.map(({ why }) => why[0])).toEqual(["editor-only", "nothing-open"]);
    const none = await expand("@selection", {
      files,
      patch: (host) => (host.surroundings.selection = () => undefined),
    });
    expect(none.problems.map(({ why }) => why[0])).toEqual(["nothing-selected"]);
  });
});

describe("a folder as a mention", () => {
  const files = { "src/a.ts": "aa\n", "src/b.ts": "b".repeat(20_000), "src/.env": "KEY=1", "src/x.bin": "" };

  it("brings its listing, and the text files that fit its share", async () => {
    const patch = (host: Host) => {
      const { readText } = host.files;
      host.files.readText = async (path) => {
        if (path.endsWith(".bin")) throw new NotTextError("x.bin is not text");
        return readText(path);
      };
    };
    const refused = (path: string) =>
      path.endsWith(".env")
        ? { reason: reasonOf("secret-file", ".env"), guard: "secret" as const }
        : undefined;
    const all = await expand("@/src/", { files, patch, refused });
    const [attachment = ""] = all.attachments;
    expect(attachment).toMatch(
      /^<folder_content path="src\/">\n[^<]*a\.ts\nb\.ts\nx\.bin\n<file path="src\/a.ts">\naa\n\n<\/file>/,
    );
    expect(attachment).toContain("b".repeat(20_000));
    expect(attachment).not.toContain("KEY=1");
    expect(all.read).toEqual(["/project/src/a.ts", "/project/src/b.ts"]);
    expect(all.problems).toEqual([]);
    const few = await expand("@/src/", { files, patch, refused, maxTokens: 500 });
    expect(few.attachments[0]).toContain('<file path="src/a.ts">');
    expect(few.attachments[0]).toContain("(1 more text files do not fit here; read_file shows each of them)");
    expect(few.attachments[0]).not.toContain("bbbb");
    expect(few.read).toEqual(["/project/src/a.ts"]);
    expect(few.problems).toMatchObject([{ kind: "cut", mention: "@/src/" }]);
  });
});

describe("a server's resource as a mention", () => {
  it.each([
    ["weather://tokyo/today", "@memory:weather://tokyo/today"],
    ["weather://tokyo/a b", '@memory:"weather://tokyo/a b"'],
    ["weather://tokyo/今日。", '@memory:"weather://tokyo/今日。"'],
    ["urn:isbn:123", '@memory:"urn:isbn:123"'],
    ["not an address", undefined],
    ['weather://"x"', undefined],
    ["weather://a\nb", undefined],
  ])("%j is written so that it is read back", (uri, text) => {
    expect(resourceMention("memory", uri)).toBe(text);
    if (text !== undefined) expect(found(`see ${text} now`)).toEqual([`resource memory:${uri}`]);
  });

  it.each([
    ["weather://", "@memory:weather://"],
    ["weather://a b/", '@memory:"weather://a b/"'],
    ["note:", '@memory:"note:"'],
    // The user types the scheme, too.
    ["", '@memory:""'],
    ["no scheme ", undefined],
  ])("%j of a template is written so that what the user adds is read with it", (start, text) => {
    expect(templateMention("memory", start)).toBe(text);
    if (text === undefined) return;
    const added = start === "" ? "note:5" : "5";
    const typed = text.endsWith('"') ? `${text.slice(0, -1)}${added}"` : text + added;
    expect(found(`see ${typed} now`)).toEqual([`resource memory:${start}${added}`]);
  });
});

describe("symbols to mention", () => {
  const place = (name: string, path = "src/a.ts") => ({ name, path, start: 3, end: 5 });

  it("are those of the workspace that a mention can name, each once", async () => {
    const { host } = memoryHost();
    host.surroundings.findSymbols = async (query) =>
      [place("Cat.meow"), place("Cat.meow"), place("operator +"), place("Cat", "my notes/猫.ts")].filter(
        () => query === "ca",
      );
    const found = await symbolsToMention(host, "ca", 20);
    expect(found.map(({ mention }) => mention)).toEqual(["@/src/a.ts#Cat.meow", '@"/my notes/猫.ts#Cat"']);
    expect(await symbolsToMention(host, "ca", 1)).toEqual([
      { mention: "@/src/a.ts#Cat.meow", path: "src/a.ts", name: "Cat.meow", line: 3 },
    ]);
  });

  it("start language servers only where the user looks for nothing else", async () => {
    const { host } = memoryHost();
    const started: (boolean | undefined)[] = [];
    host.surroundings.findSymbols = async (_query, _signal, options) => {
      started.push(options?.starts);
      return [];
    };
    await symbolsToMention(host, "ca", 20);
    await symbolsToMention(host, "ca", 20, true);
    expect(started).toEqual([false, true]);
  });

  it("are those of the file in view without a query, and none where no language has an index", async () => {
    const { host } = memoryHost({ files: { "src/a.ts": "x" } });
    host.surroundings.visibleFiles = () => ["src/a.ts"];
    expect(await symbolsToMention(host, "", 20)).toEqual([]);
    expect(await symbolsToMention(host, "x", 20)).toEqual([]);
    host.surroundings.symbols = async (path) => [{ name: path, start: 1, end: 1 }, place("Cat")];
    expect((await symbolsToMention(host, "", 20)).map(({ name }) => name)).toEqual(["Cat"]);
    host.surroundings.visibleFiles = () => ["/elsewhere/../../b.ts"];
    expect(await symbolsToMention(host, "", 20)).toEqual([]);
  });
});
