/** Images: what a file's first bytes say it is, and whether a model can look at it. */

export interface ImageFacts {
  mimeType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** As people say it. */
  kind: string;
  /** Pixels, where the header says them. */
  size: { width: number; height: number } | undefined;
}

/** Bytes of an image that is sent; endpoints take 5 MB of base64. */
export const imageLimit = 3_700_000;

/** undefined: not an image of a kind that models take. */
export function imageFacts(bytes: Uint8Array): ImageFacts | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = (...signature: number[]) => signature.every((byte, at) => bytes[at] === byte);
  if (starts(0x89, 0x50, 0x4e, 0x47)) {
    const size = bytes.length >= 24 ? { width: view.getUint32(16), height: view.getUint32(20) } : undefined;
    return { mimeType: "image/png", kind: "PNG image", size };
  }
  if (starts(0x47, 0x49, 0x46, 0x38)) {
    const size =
      bytes.length >= 10 ? { width: view.getUint16(6, true), height: view.getUint16(8, true) } : undefined;
    return { mimeType: "image/gif", kind: "GIF image", size };
  }
  if (starts(0xff, 0xd8, 0xff)) return { mimeType: "image/jpeg", kind: "JPEG image", size: jpegSize(view) };
  const webp = [0x57, 0x45, 0x42, 0x50].every((byte, at) => bytes[8 + at] === byte);
  if (starts(0x52, 0x49, 0x46, 0x46) && webp)
    return { mimeType: "image/webp", kind: "WebP image", size: undefined };
  return undefined;
}

/** From the first frame header among the segments. */
function jpegSize(view: DataView): ImageFacts["size"] {
  let at = 2;
  while (at + 9 < view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** Families that read text only. An endpoint refuses a request with an image for them, and every later one too. */
const textOnly =
  /gpt-3\.5|gpt-4(?:-0\d{3}|-32k.*)?$|gpt-oss|claude-(?:2|instant)|grok-[23](?!.*vision)|gemma(?!-?[34])|o1-(?:mini|preview)|o3-mini|deepseek(?!.*(?:vl|janus|ocr))|qwen(?!.*(?:vl|omni|vision|image|3\.5))|qwq|coder|codestral|devstral|codellama|llama-?(?:2|3(?![.-]2.*vision))(?!.*vision)|mi[sx]tral-(?:7b|8x|nemo|large-24)|mixtral|command-(?:r|a(?!.*vision))|phi-?(?:[23]|4(?!.*multimodal))(?!.*vision)|glm-(?:4(?!.*v)|5(?!.*v))|kimi-k2(?!\.5)|granite|starcoder|nemotron|minimax-m|embed/i;

/** Whether a model of that name takes images, as far as names tell. */
export function seesImages(model: string): boolean {
  return !textOnly.test(model);
}
