/** An image's kind and size, by its first bytes: one answer for what the model sees, what it costs and what a file is. */
import { expect, it } from "vitest";
import { estimateImageTokens } from "../../../src/core/context/tokens.ts";
import { imageFacts } from "../../../src/core/image-facts.ts";
import { describeBytes } from "../../../src/node/files/binary.ts";

function png(width: number, height: number): Uint8Array {
  const bytes = Buffer.alloc(33);
  bytes.write("\x89PNG\r\n\x1a\n", "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}
const jpeg = (...before: number[]) =>
  new Uint8Array([0xff, 0xd8, ...before, 0xff, 0xc0, 0, 17, 8, 0, 10, 0, 20, 3, 0, 0, 0]);
const gif = new Uint8Array([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 5, 0, 6, 0]);
const webp = new Uint8Array(Buffer.from("RIFF\0\0\0\0WEBPVP8 ", "latin1"));

it.each([
  ["PNG image", "image/png", png(640, 480), { width: 640, height: 480 }],
  ["JPEG image", "image/jpeg", jpeg(0xff, 0xe0, 0, 4, 0, 0), { width: 20, height: 10 }],
  ["GIF image", "image/gif", gif, { width: 5, height: 6 }],
  ["WebP image", "image/webp", webp, undefined],
])("%s", (kind, mimeType, bytes, size) => {
  expect(imageFacts(bytes)).toEqual({ kind, mimeType, size });
  expect(describeBytes(bytes)).toBe(`a ${kind}`);
});

it.each([[[]], [[1, 2, 3]], [[...Buffer.from("RIFF\0\0\0\0WAVE", "latin1")]]])("%j is no image", (bytes) => {
  expect(imageFacts(new Uint8Array(bytes))).toBeUndefined();
});

it("has no size where the header is cut off, or states one that no image has", () => {
  for (const bytes of [png(1, 1).subarray(0, 20), png(0, 480), gif.subarray(0, 8), jpeg().subarray(0, 8)])
    expect(imageFacts(bytes)).toMatchObject({ size: undefined });
});

it("is counted by its whole width, and by a frame that comes late", () => {
  const tokens = (bytes: Uint8Array) => estimateImageTokens(Buffer.from(bytes).toString("base64"));
  // 65,537 in 16 bits would be 1.
  expect(tokens(png(65_537, 65_537))).toBe(765);
  const comment = [0xff, 0xfe, 0x10, 0x02, ...new Array<number>(0x1000).fill(0)];
  expect(tokens(jpeg(...comment))).toBe(85 + 170);
});
