/** Detects an image's format and size from the first bytes of a file. */

/** Bytes of the largest image that is sent; endpoints accept 5 MB of base64. */
export const IMAGE_LIMIT = 3_700_000;

export interface ImageFacts {
  mimeType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** For display. */
  kind: string;
  /** In pixels, if the header contains it. */
  size: { width: number; height: number } | undefined;
}

/**
 * undefined: not an image format that models accept. The beginning of a file is sufficient, except for the size of a
 * JPEG.
 */
export function imageFacts(bytes: Uint8Array): ImageFacts | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const has = (at: number, ...signature: number[]) =>
    signature.every((byte, index) => bytes[at + index] === byte);
  if (has(0, 0x89, 0x50, 0x4e, 0x47)) {
    const size = bytes.length >= 24 ? sized(view.getUint32(16), view.getUint32(20)) : undefined;
    return { mimeType: "image/png", kind: "PNG image", size };
  }
  if (has(0, 0x47, 0x49, 0x46, 0x38)) {
    const size = bytes.length >= 10 ? sized(view.getUint16(6, true), view.getUint16(8, true)) : undefined;
    return { mimeType: "image/gif", kind: "GIF image", size };
  }
  if (has(0, 0xff, 0xd8, 0xff)) return { mimeType: "image/jpeg", kind: "JPEG image", size: jpegSize(view) };
  if (has(0, 0x52, 0x49, 0x46, 0x46) && has(8, 0x57, 0x45, 0x42, 0x50))
    return { mimeType: "image/webp", kind: "WebP image", size: undefined };
  return undefined;
}

/**
 * The size in pixels of an image in Base64, from its header. It is in the first bytes, except in a JPEG with large
 * segments before its frame header.
 */
export function imageSize(base64: string): ImageFacts["size"] {
  return (
    imageFacts(bytesOf(base64.slice(0, 64)))?.size ?? imageFacts(bytesOf(base64.slice(0, 64 * 1024)))?.size
  );
}

/** What an image in Base64 is; undefined: no image that models accept, by its first bytes, its signs or its size. */
export function encodedImageFacts(base64: string): ImageFacts | undefined {
  if ((base64.length * 3) / 4 > IMAGE_LIMIT || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  return imageFacts(bytesOf(base64.slice(0, 64 * 1024)));
}

function bytesOf(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64.slice(0, base64.length - (base64.length % 4))), (character) =>
      character.charCodeAt(0),
    );
  } catch {
    return new Uint8Array();
  }
}

/** Reads the size from the first frame header among the segments. */
function jpegSize(view: DataView): ImageFacts["size"] {
  let at = 2;
  while (at + 9 < view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return sized(view.getUint16(at + 7), view.getUint16(at + 5));
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** A damaged header can contain a size that no image has. */
function sized(width: number, height: number): ImageFacts["size"] {
  return width > 0 && height > 0 ? { width, height } : undefined;
}
