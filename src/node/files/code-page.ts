/**
 * Windows code pages. Programs print either in the console's code page or in UTF-8, so each line is decoded as UTF-8 if it is
 * valid, and otherwise in the code page.
 */
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { iconv } from "./encoding/iconv.ts";

const run = promisify(execFile);

/** The Windows code page of UTF-8. */
const UTF8 = 65001;

/** iconv-lite's name of a code page's encoding; undefined: UTF-8, or unknown to iconv-lite. */
export function encodingOf(codePage: number | undefined): string | undefined {
  const name = codePage === undefined || codePage === UTF8 ? undefined : `cp${codePage}`;
  return name !== undefined && iconv().encodingExists(name) ? name : undefined;
}

/** Parses the output of `chcp` in any language: "Active code page: 932", "現在のコード ページ: 932". */
export function parseCodePage(printed: string): number | undefined {
  const number = /(\d{3,5})\D*$/.exec(printed)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** The code page of this system's consoles; undefined if there is none or it cannot be determined. */
export async function consoleCodePage(
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Promise<number | undefined> {
  if (platform !== "win32") return undefined;
  const chcp = path.win32.join(environment.SystemRoot ?? "C:\\Windows", "System32", "chcp.com");
  try {
    const { stdout } = await run(chcp, { encoding: "latin1", windowsHide: true, timeout: 5_000 });
    return parseCodePage(stdout);
  } catch {
    // Output is then decoded as UTF-8, as on other systems.
    return undefined;
  }
}

/** Decodes one stream of output; keeps incomplete characters between chunks. */
export interface OutputDecoder {
  push(chunk: Uint8Array): string;
  end(): string;
}

export function createOutputDecoder(codePage: number | undefined): OutputDecoder {
  const encoding = encodingOf(codePage);
  return encoding === undefined ? new Utf8Decoder() : new LineDecoder(encoding);
}

class Utf8Decoder implements OutputDecoder {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  push(chunk: Uint8Array): string {
    return this.#decoder.decode(chunk, { stream: true });
  }

  end(): string {
    return this.#decoder.decode();
  }
}

const LINE_FEED = 10;

/** Decodes line by line. In no code page of iconv-lite is a line feed the second byte of a character. */
class LineDecoder implements OutputDecoder {
  readonly #encoding: string;
  /** Set during a line that is not UTF-8. */
  #legacy: ReturnType<ReturnType<typeof iconv>["getDecoder"]> | undefined;
  /** The first bytes of a possible UTF-8 character. */
  #unfinished: Uint8Array = new Uint8Array();

  constructor(encoding: string) {
    this.#encoding = encoding;
  }

  push(chunk: Uint8Array): string {
    let text = "";
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      text += this.#part(chunk.subarray(from, at + 1), true);
      from = at + 1;
    }
    return text + this.#part(chunk.subarray(from), false);
  }

  end(): string {
    return this.#part(new Uint8Array(), true);
  }

  /** Decodes a part of a line. `ends`: the line is complete. */
  #part(bytes: Uint8Array, ends: boolean): string {
    if (this.#legacy) return this.#inCodePage(bytes, ends);
    const all = joined(this.#unfinished, bytes);
    const whole = ends ? all.length : all.length - unfinished(all);
    const text = strictUtf8(all.subarray(0, whole));
    this.#unfinished = text === undefined ? new Uint8Array() : all.slice(whole);
    return text ?? this.#inCodePage(all, ends);
  }

  #inCodePage(bytes: Uint8Array, ends: boolean): string {
    this.#legacy ??= iconv().getDecoder(this.#encoding);
    const text = this.#legacy.write(Buffer.from(bytes));
    if (!ends) return text;
    const rest = this.#legacy.end() ?? "";
    this.#legacy = undefined;
    return text + rest;
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.length === 0 ? b : Buffer.concat([a, b]);
}

function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Invalid UTF-8 is decoded in the code page.
    return undefined;
  }
}

/** The number of bytes at the end that form an incomplete UTF-8 character (RFC 3629). */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    const isContinuation = byte >= 0x80 && byte <= 0xbf;
    if (!isContinuation) return lengthBegunBy(byte) > back ? back : 0;
  }
  return 0;
}

/** The number of bytes of the UTF-8 character that begins with this byte; 0: none does. */
function lengthBegunBy(byte: number): number {
  if (byte > 0xf4) return 0;
  if (byte >= 0xf0) return 4;
  if (byte >= 0xe0) return 3;
  if (byte >= 0xc2) return 2;
  return byte < 0x80 ? 1 : 0;
}

/** Windows PowerShell reads scripts without a byte order mark in the system's code page; newer versions read UTF-8. */
export function needsMark(file: string, text: string, platform: NodeJS.Platform = process.platform): boolean {
  return platform === "win32" && /\.ps[dm]?1$/i.test(file) && /[^\0-\x7f]/.test(text);
}
