/** What the parts of a prompt become in a message. */
import { describe, expect, it } from "vitest";
import { promptInput } from "../../../src/acp/v1/prompt-v1.ts";
import { findMentions } from "../../../src/shared/mentions.ts";

const ON_DISK: Record<string, string> = { "/project/neko.txt": "cats\n" };
const read = (blocks: Parameters<typeof promptInput>[0]) =>
  promptInput(blocks, { root: "/project", read: async (file) => ON_DISK[file] });
const text = async (blocks: Parameters<typeof promptInput>[0]) => (await read(blocks)).text;
const link = (uri: string) => ({ type: "resource_link" as const, uri, name: "x" });
const resource = (uri: string, content: string) => ({
  type: "resource" as const,
  resource: { uri, text: content },
});

describe("a link", () => {
  it.each([
    ["file:///project/neko.txt", "@/neko.txt", "file"],
    ["file:///project/a%20b/c.txt", '@"/a b/c.txt"', "file"],
    ["file:///project/%E7%8C%AB%E3%80%81.txt", '@"/猫、.txt"', "file"],
    ["file:///project/src/cat.ts#L10:20", "@/src/cat.ts:10-20", "lines"],
    ["file:///project/src/cat.ts#L10", "@/src/cat.ts:10-10", "lines"],
    ["https://example.com/page?a=1", "@https://example.com/page?a=1", "url"],
  ])("%s becomes a mention", async (uri, mention, kind) => {
    expect(await text([link(uri)])).toBe(mention);
    // The product reads it as one mention, of this kind, and nothing is left over.
    expect(findMentions(mention)).toMatchObject([{ kind, start: 0, end: mention.length }]);
  });

  it("to a file outside of the project, or of another kind, is its text", async () => {
    expect(await text([link("file:///etc/hosts")])).toBe("/etc/hosts");
    expect(await text([link("file:///project-2/a.txt")])).toBe("/project-2/a.txt");
    expect(await text([link("zed:///thread/1")])).toBe("zed:///thread/1");
    expect(await text([link("file://other-machine/share/a.txt")])).toBe("file://other-machine/share/a.txt");
  });
});

describe("an embedded text", () => {
  it("that is the file on disk is a mention", async () => {
    expect(await text([resource("file:///project/neko.txt", "cats\n")])).toBe("@/neko.txt");
  });

  it("that is not on disk follows the message as the content of the file", async () => {
    const prompt = [
      { type: "text" as const, text: "Look at" },
      resource("file:///project/neko.txt", "unsaved"),
      { type: "text" as const, text: "and say why." },
    ];
    expect(await text(prompt)).toBe(
      `Look at 'neko.txt' (see below for file content) and say why.\n\n<file_content path="neko.txt">\nunsaved\n</file_content>`,
    );
  });

  it("of no file is named by its address", async () => {
    expect(await text([resource('zed:///rule?"x"', "Be kind.")])).toContain(
      '<file_content path="zed:///rule?&quot;x&quot;">\nBe kind.\n</file_content>',
    );
  });
});

describe("texts", () => {
  it("keep their own spaces, and are set apart from mentions", async () => {
    const parts = [
      { type: "text" as const, text: "Compare " },
      link("file:///project/a.txt"),
      link("file:///project/b.txt"),
      { type: "text" as const, text: "\nplease" },
    ];
    expect(await text(parts)).toBe("Compare @/a.txt @/b.txt\nplease");
  });
});
