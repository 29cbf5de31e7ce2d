// Converts screenshots to one animated WebP: the browser encodes the changed parts, and this file combines them.

/** @typedef {{ png: Buffer, ms: number }} Frame */
/** @typedef {{ x: number, y: number, width: number, height: number, ms: number, webp: string }} Part */

/** Chromium encodes losslessly at this quality. */
const LOSSLESS = 1;

/** Repetitions of an animation that never ends. */
const ENDLESS = 0;

/**
 * @param {import("playwright-core").Browser} browser
 * @param {readonly Frame[]} frames of one size
 * @param {object} [options]
 * @param {number} [options.quality] 0 to 1
 * @param {number} [options.scale] pixels of the animation for each of a frame
 * @param {number} [options.repeats] how often it plays before it stays at its last frame
 * @returns {Promise<Buffer>}
 */
export async function encodeWebp(browser, frames, { quality = LOSSLESS, scale = 1, repeats = ENDLESS } = {}) {
  const page = await browser.newPage();
  try {
    await page.setContent("<canvas></canvas>");
    /** @type {Part[]} */
    const parts = [];
    for (const { png, ms } of frames) {
      const part = await page.evaluate(encodeChange, { png: png.toString("base64"), quality, scale });
      const last = parts.at(-1);
      if (part !== undefined) parts.push({ ...part, ms });
      else if (last !== undefined) last.ms += ms;
    }
    return animation(parts, repeats);
  } finally {
    await page.close();
  }
}

/** Quality (0 to 1) of a still: letters stay sharp, at less than half the size of a PNG. */
const STILL_QUALITY = 0.8;

/**
 * @param {import("playwright-core").Browser} browser
 * @param {Buffer} png
 * @returns {Promise<Buffer>}
 */
export async function encodeStill(browser, png) {
  const page = await browser.newPage();
  try {
    await page.setContent("<canvas></canvas>");
    const encoded = await page.evaluate(encodeWhole, {
      png: png.toString("base64"),
      quality: STILL_QUALITY,
    });
    return Buffer.from(encoded, "base64");
  } finally {
    await page.close();
  }
}

/** Runs in the page. @param {{ png: string, quality: number }} still @returns {Promise<string>} base64 */
async function encodeWhole({ png, quality }) {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  const blob = await canvas.convertToBlob({ type: "image/webp", quality });
  let binary = "";
  for (const byte of new Uint8Array(await blob.arrayBuffer())) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/**
 * Runs in the page: returns the changes since the previous frame as base64; without loss, unchanged pixels are transparent.
 * undefined: nothing changed.
 * @param {{ png: string, quality: number, scale: number }} frame
 * @returns {Promise<Omit<Part, "ms"> | undefined>}
 */
async function encodeChange({ png, quality, scale }) {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const [width, height] = [Math.round(image.width * scale), Math.round(image.height * scale)];
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("The browser has no canvas");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, width, height);
  const data = context.getImageData(0, 0, width, height);
  // Rounds to multiples of eight, which is not visible: antialiased letters compress much better.
  for (let at = 0; at < data.data.length; at++)
    if (at % 4 < 3) data.data[at] = Math.round((data.data[at] ?? 0) / 8) * 8;
  const pixels = new Uint32Array(data.data.buffer);
  /** @type {Uint32Array | undefined} */
  const before = Reflect.get(globalThis, "pixelsBefore");
  Reflect.set(globalThis, "pixelsBefore", pixels.slice());
  let [left, top, right, bottom] = before ? [width, height, -1, -1] : [0, 0, width - 1, height - 1];
  if (before)
    for (let at = 0; at < pixels.length; at++) {
      if (pixels[at] === before[at]) {
        // With loss, what is transparent lets the previous frame shine through around what changed.
        if (quality === 1) pixels[at] = 0;
        continue;
      }
      const [x, y] = [at % width, Math.floor(at / width)];
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
  if (right < 0) return undefined;
  // The format supports only even offsets.
  [left, top] = [left - (left % 2), top - (top % 2)];
  const part = new OffscreenCanvas(right - left + 1, bottom - top + 1);
  part.getContext("2d")?.putImageData(data, -left, -top);
  const bytes = new Uint8Array(
    await (await part.convertToBlob({ type: "image/webp", quality })).arrayBuffer(),
  );
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return { x: left, y: top, width: part.width, height: part.height, webp: btoa(binary) };
}

/** The container: https://developers.google.com/speed/webp/docs/riff_container. @param {readonly Part[]} parts @param {number} repeats */
function animation(parts, repeats) {
  const [first] = parts;
  if (first === undefined) throw new Error("There is no frame");
  const animatedWithAlpha = Buffer.from([0x12, 0, 0, 0]);
  const head = Buffer.concat([animatedWithAlpha, uint24(first.width - 1), uint24(first.height - 1)]);
  // An opaque black background, and how often it plays.
  const loop = Buffer.from([0, 0, 0, 0xff, repeats % 256, repeats >> 8]);
  const chunks = [chunk("VP8X", head), chunk("ANIM", loop), ...parts.map(frameChunk)];
  const body = Buffer.concat([Buffer.from("WEBP"), ...chunks]);
  return Buffer.concat([Buffer.from("RIFF"), uint32(body.length), body]);
}

/** @param {Part} part */
function frameChunk({ x, y, width, height, ms, webp }) {
  const place = [x / 2, y / 2, width - 1, height - 1, ms].map(uint24);
  // Drawn over the previous frame, which stays.
  const blend = Buffer.from([0]);
  return chunk("ANMF", Buffer.concat([...place, blend, imageChunks(Buffer.from(webp, "base64"))]));
}

/** The chunks of a still WebP that contain the image itself. @param {Buffer} webp */
function imageChunks(webp) {
  /** @type {Buffer[]} */
  const chunks = [];
  for (let at = 12; at + 8 <= webp.length; ) {
    const end = at + 8 + webp.readUInt32LE(at + 4);
    if (/^(VP8 |VP8L|ALPH)$/.test(webp.toString("latin1", at, at + 4)))
      chunks.push(webp.subarray(at, end + (end % 2)));
    at = end + (end % 2);
  }
  return Buffer.concat(chunks);
}

/** @param {string} name @param {Buffer} content */
function chunk(name, content) {
  const padding = Buffer.alloc(content.length % 2);
  return Buffer.concat([Buffer.from(name), uint32(content.length), content, padding]);
}

/** @param {number} value */
function uint24(value) {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}

/** @param {number} value */
function uint32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
