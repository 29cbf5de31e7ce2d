/** A mentioned image goes with the message, for a model that sees images. */
import { describe, expect, it } from "vitest";
import { expandMentions } from "../../../../src/core/context/expand-mentions.ts";
import { NotTextError } from "../../../../src/core/errors.ts";
import { IMAGE_LIMIT } from "../../../../src/core/image-facts.ts";
import { reasonOf } from "../../../../src/shared/reason.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import { taskPages } from "../../../support/task-pages.ts";

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];

async function expand(text: string, seesImages: boolean, { refused = false, size = PNG.length } = {}) {
  const { host } = memoryHost({
    files: { "s.png": "?", "shots/b.JPG": "?", "fake.png": "?", "a.ts": "code" },
  });
  const { stat, readText } = host.files;
  host.files.stat = async (path) => {
    const found = await stat(path);
    return found?.kind === "file" ? { ...found, size } : found;
  };
  host.files.readBytes = async (path) =>
    path.endsWith("fake.png")
      ? new Uint8Array(20)
      : Uint8Array.from(/jpg$/i.test(path) ? [0xff, 0xd8, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0] : PNG);
  host.files.readText = async (path) => {
    if (!path.endsWith(".ts")) throw new NotTextError(`${path} is not text.`);
    return readText(path);
  };
  return expandMentions(text, {
    ...{ host, signal: new AbortController().signal, maxTokens: 10_000, onRead: () => {} },
    pages: taskPages(host),
    seesImages: () => seesImages,
    refused: async () =>
      refused ? { reason: reasonOf("outside-project", "s.png"), guard: "secret" } : undefined,
  });
}

describe("a mentioned image", () => {
  it("is sent to a model that sees, in order and each once", async () => {
    const { images, attachments, problems } = await expand(
      "Compare @/s.png, @/shots/b.JPG and @/s.png",
      true,
    );
    expect(images.map(({ mimeType }) => mimeType)).toEqual(["image/png", "image/jpeg"]);
    expect(images[0]?.data).toBe(Buffer.from(PNG).toString("base64"));
    expect(attachments[0]).toBe(
      '<file_content path="s.png">\n(PNG image, attached to this message)\n</file_content>',
    );
    expect(problems).toEqual([]);
  });

  it("is not sent to a model that does not see, where it may not be read, or where it is too large", async () => {
    expect((await expand("@/s.png", false)).images).toEqual([]);
    expect((await expand("@/s.png", true, { refused: true })).images).toEqual([]);
    const large = await expand("@/s.png", true, { size: IMAGE_LIMIT + 1 });
    expect(large.images).toEqual([]);
    expect(large.problems).toEqual([{ kind: "failed", mention: "@/s.png", why: ["too-large", "3.7"] }]);
  });

  it("is an image by its bytes, not by its name", async () => {
    const { images, problems } = await expand("@/fake.png and @/a.ts", true);
    expect(images).toEqual([]);
    expect(problems.map(({ why }) => why[0])).toEqual(["other-format"]);
  });
});
