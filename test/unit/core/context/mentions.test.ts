/** Which mentions are found, and what they become. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expandMentions } from "../../../../src/core/context/expand-mentions.ts";
import type { MentionOptions } from "../../../../src/core/context/mention-kinds.ts";
import { Interrupt, NotTextError, ToolError } from "../../../../src/core/errors.ts";
import type { Host } from "../../../../src/core/ports/host.ts";
import type { TaskPages } from "../../../../src/core/task-pages.ts";
import { findMentions, resourceMention, templateMention } from "../../../../src/shared/mentions.ts";
import { reasonOf } from "../../../../src/shared/reason.ts";
import { type MemoryOptions, memoryHost } from "../../../support/memory-host.ts";
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
  ])("%j", (text, mentions) => {
    expect(found(text)).toEqual(mentions);
  });

  it.each([
    "mail neko@example.com or a@/b",
    "@Component({}) class A { @Input() name; }",
    "@decorator",
    "@problemsolver and @terminal/x",
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
  it("takes time in proportion to the text, whatever it holds", { timeout: 30_000 }, () => {
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
    for (const text of hostile) expect(findMentions(text)).toBeInstanceOf(Array);
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
    expect(folder.attachments).toEqual(['<folder_content path="src">\na.ts\n</folder_content>']);
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
    expect(attachments).toEqual(['<folder_content path="/">\na.ts\nb/c.ts\n</folder_content>']);
  });

  it("lists a folder, at most 200 files of it", async () => {
    const files = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`big/${n}.ts`, "x"]));
    const { attachments } = await expand("@/big/", { files });
    expect(attachments[0]).toMatch(/^<folder_content path="big\/">\n/);
    expect(attachments[0]).toContain("the first 200 files");
    expect(attachments[0]?.length).toBeLessThan(5_000);
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
