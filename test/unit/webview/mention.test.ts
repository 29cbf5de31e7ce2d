import { describe, expect, it } from "vitest";
import { mentionText } from "../../../src/shared/mentions.ts";
import type { FileHit } from "../../../src/shared/protocol.ts";
import { choose, isAtHead, mentionAt, mentionKey } from "../../../webview-ui/composer/mention.ts";
import { withModels } from "../../../webview-ui/composer/menus/mention-search.ts";
import { Latest } from "../../../webview-ui/composer/use-menu.ts";

/** Puts the cursor where the bar is. */
function at(marked: string): [text: string, cursor: number] {
  return [marked.replace("|", ""), marked.indexOf("|")];
}

describe("the mention at the cursor", () => {
  it.each([
    ["@|", 0, ""],
    ["@/|", 0, ""],
    ["@ne|", 0, "ne"],
    ["@/src/ne|ko", 0, "src/ne"],
    ["see @/neko.txt|", 4, "neko.txt"],
    ["line\n@a|", 5, "a"],
    ["猫　@猫|", 2, "猫"],
    ["これを@ne|", 3, "ne"],
    ["(@ne|", 1, "ne"],
    ['@"/my no|tes"', 0, "my no"],
    ["@lib:/src/ne|", 0, "lib:/src/ne"],
    ['see @lib:"/my no|"', 4, "lib:/my no"],
    ["@a.ts @b|", 6, "b"],
  ])("%j", (marked, start, query) => {
    const [text, cursor] = at(marked);
    expect(mentionAt(text, cursor)).toEqual({ start, end: cursor, query });
  });

  it.each([
    "|",
    "a@b|",
    "@a |",
    "@|a".replace("@|", "|@"),
    "mail me@x.org|",
    "a/@b|",
    "`@a|",
    '@"a" |',
    "@a\n|",
  ])("none in %j", (marked) => {
    const [text, cursor] = at(marked);
    expect(mentionAt(text, cursor)).toBeNull();
  });
});

describe("choosing a path", () => {
  const file = (path: string): FileHit => ({ path, kind: "file", positions: [] });
  const folder = (path: string): FileHit => ({ path, kind: "folder", positions: [] });

  it.each<[string, FileHit, boolean, string]>([
    ["see @ne|", file("neko.txt"), false, "see @/neko.txt |"],
    ["@ne| and", file("neko.txt"), false, "@/neko.txt | and".replace(" | ", " |")],
    ["@no|", file("my notes.md"), false, '@"/my notes.md" |'],
    ['@"/my n|"', file("my notes.md"), false, '@"/my notes.md" |'],
    ["@sr|", folder("src/"), false, "@/src/ |"],
    ["@sr|", folder("src/"), true, "@/src/|"],
    ["@my|", folder("my docs/"), true, '@"/my docs/|"'],
    ["@ne|", file("@lib:/src/neko.txt"), false, "@lib:/src/neko.txt |"],
    ["@lib:/n|", file("@lib:/my notes.md"), false, '@lib:"/my notes.md" |'],
    ["@my|", folder("@lib:/my docs/"), true, '@lib:"/my docs/|"'],
  ])("%j", (marked, hit, into, expected) => {
    const [text, cursor] = at(marked);
    const mention = mentionAt(text, cursor);
    if (!mention) throw new Error("no mention");
    const edited = choose(text, mention, hit, into);
    expect(`${edited.text.slice(0, edited.cursor)}|${edited.text.slice(edited.cursor)}`).toBe(expected);
  });

  it("writes quotes only where they are needed", () => {
    expect(mentionText("a/b.ts")).toBe("@/a/b.ts");
    expect(mentionText("a b.ts")).toBe('@"/a b.ts"');
    expect(mentionText("@lib:/a/b.ts")).toBe("@lib:/a/b.ts");
    expect(mentionText("app/(group)/page.tsx")).toBe("@/app/(group)/page.tsx");
    expect(mentionText("it's.md")).toBe('@"/it\'s.md"');
    expect(mentionText("notes.")).toBe('@"/notes."');
    expect(mentionText("資料「案」.md")).toBe('@"/資料「案」.md"');
  });
});

describe("answers out of order", () => {
  function questions() {
    const delivered: string[] = [];
    const latest = new Latest<string>((answer) => delivered.push(answer));
    const ask = () => {
      const { promise, resolve, reject } = withResolvers();
      return { answer: resolve, fail: reject, done: latest.ask(() => promise, "nothing") };
    };
    return { delivered, latest, ask };
  }
  function withResolvers() {
    let resolve: (value: string) => void = () => {};
    let reject: (error: Error) => void = () => {};
    const promise = new Promise<string>((yes, no) => {
      resolve = yes;
      reject = no;
    });
    return { promise, resolve, reject };
  }

  it("drops one that is older than one given", async () => {
    const { delivered, latest, ask } = questions();
    const [first, second] = [ask(), ask()];
    second.answer("second");
    await second.done;
    first.answer("first");
    await first.done;
    expect(delivered).toEqual(["second"]);
    expect(latest.pending).toBe(false);
  });

  it("gives an early one meanwhile, and knows that it is not the last", async () => {
    const { delivered, latest, ask } = questions();
    const [first] = [ask(), ask()];
    first.answer("first");
    await first.done;
    expect(delivered).toEqual(["first"]);
    expect(latest.pending).toBe(true);
  });

  it("gives nothing once canceled, and the fallback for a failure", async () => {
    const { delivered, latest, ask } = questions();
    const first = ask();
    latest.cancel();
    first.answer("first");
    await first.done;
    const second = ask();
    second.fail(new Error("no host"));
    await second.done;
    expect(delivered).toEqual(["nothing"]);
  });
});

describe("models at the head of a message", () => {
  const file = (path: string, recent = false): FileHit => ({
    path,
    kind: "file",
    positions: [],
    ...(recent ? { recent } : {}),
  });
  const model = (name: string) => ({ kind: "model" as const, name });
  const names = (items: ReturnType<typeof withModels>) => items.map(mentionKey);

  it("follow the recent files", () => {
    const items = [file("a.ts", true), file("b.ts", true), file("c.ts")];
    expect(names(withModels(items, [model("x/m")], ""))).toEqual(["a.ts", "b.ts", "@x/m", "c.ts"]);
    expect(names(withModels([file("a.ts", true)], [model("x/m")], ""))).toEqual(["a.ts", "@x/m"]);
  });

  it("come first if their name or id begins as typed, and last otherwise", () => {
    const models = [model("openai/gpt-4.1"), model("local/my-gpt")];
    const found = withModels([file("gpt.ts")], models, "GPT");
    expect(names(found)).toEqual(["@openai/gpt-4.1", "gpt.ts", "@local/my-gpt"]);
  });

  it.each([
    ["", true],
    ["  ", true],
    ["@openai/gpt-4.1 ", true],
    ["@openai/gpt-4.1 @local/m ", true],
    ["See ", false],
    ["@/src/a.ts ", false],
    ["@problems ", false],
  ])("%j before it: %s", (before, isHead) => expect(isAtHead(`${before}@x`, before.length)).toBe(isHead));
});
