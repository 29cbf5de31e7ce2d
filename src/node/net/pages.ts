/** The `Web` port: fetches pages over http and https, but never from addresses that only this machine can reach. */
import { lookup } from "node:dns";
import type { Readable } from "node:stream";
import { Interrupt, messageOf, ToolError } from "../../core/errors.ts";
import type { Documents } from "../../core/ports/files.ts";
import type { Page, Web } from "../../core/ports/web.ts";
import { sliceWhole } from "../../core/text.ts";
import { reasonOf } from "../../shared/reason.ts";
import { decode } from "../files/encodings.ts";
import { type Lookup, type PageResponse, requestPage } from "./page-request.ts";
import { isPublicAddress } from "./web-address.ts";

/** Bytes of a page and of a PDF file, unpacked. */
const MOST_BYTES = 5 * 1024 * 1024;
const MOST_PDF_BYTES = 20 * 1024 * 1024;

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " };

/** What tests replace. */
export interface WebParts {
  /** Looks up a name's addresses. */
  resolve?: Lookup;
  /** Whether an address is public. */
  isPublic?(address: string): boolean;
}

/** `documents` converts HTML and PDF in its own thread. */
export function createWeb(
  documents: Documents,
  { resolve = lookup, isPublic = isPublicAddress }: WebParts = {},
): Web {
  return {
    async fetch(named, { limit, signal, timeoutMs, allowedHosts = [] }) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const both = AbortSignal.any([signal, timeout]);
      try {
        const response = await requestPage(named, { signal: both, allowedHosts, resolve, isPublic });
        const page = await readPage(response, documents, both);
        const isPart = page.isPart || page.text.length > limit;
        const { url } = response;
        return {
          url,
          title: page.title,
          text: sliceWhole(page.text, 0, limit),
          ...(isPart ? { isPart } : {}),
        };
      } catch (error) {
        if (signal.aborted) throw new Interrupt();
        if (timeout.aborted) throw timedOut(Math.round(timeoutMs / 1000));
        throw error instanceof ToolError ? error : new ToolError(connectionError(error));
      }
    },
  };
}

function timedOut(seconds: number): ToolError {
  return new ToolError(
    `the page did not load within ${seconds} s`,
    reasonOf("page-timeout", String(seconds)),
  );
}

/** The error of a host with several addresses has no message of its own. */
function connectionError(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [];
  return messageOf(first ?? error);
}

interface Body {
  bytes: Buffer;
  isPart: boolean;
}

/** Reads up to `most` bytes and does not wait for the rest. */
async function read(stream: Readable, most: number): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    chunks.push(bytes);
    size += bytes.length;
    if (size > most) break;
  }
  stream.destroy();
  return { bytes: Buffer.concat(chunks).subarray(0, most), isPart: size > most };
}

async function readPage(
  { url, type, body }: PageResponse,
  documents: Documents,
  signal: AbortSignal,
): Promise<Omit<Page, "url">> {
  const kind = type.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const mayBePdf = kind === "application/pdf" || kind === "application/octet-stream";
  const isText =
    kind === "" ||
    kind === "application/xhtml+xml" ||
    kind.startsWith("text/") ||
    /[/+](?:json|xml|javascript|yaml)$/.test(kind) ||
    kind === "application/x-ndjson";
  if (!isText && !mayBePdf) {
    body.destroy();
    throw notAPage(kind);
  }
  const { bytes, isPart } = await read(body, mayBePdf ? MOST_PDF_BYTES : MOST_BYTES);
  if (mayBePdf) {
    if (!bytes.subarray(0, 1024).includes("%PDF-")) throw notAPage(kind);
    const size = `${MOST_PDF_BYTES / 1024 / 1024} MB`;
    if (isPart)
      throw new ToolError(`the PDF file is larger than ${size}`, reasonOf("file-too-large", `> ${size}`));
    return { title: "", text: await documents.extract(bytes, "pdf", signal) };
  }
  const text = await decoded(bytes, /charset="?([\w-]+)/i.exec(type)?.[1]);
  const isHtml =
    kind === "text/html" ||
    kind === "application/xhtml+xml" ||
    (kind === "" && /^\s*<(?:!doctype html|html|head|body)\b/i.test(text));
  if (!isHtml) return { title: "", text, isPart };
  const title = /<title[^<>]*>([^<]{0,500})/i.exec(text.slice(0, 100_000))?.[1] ?? "";
  // A page's own base takes precedence.
  const own = /<base\b[^>]{0,200}?\bhref=/i.test(text.slice(0, 100_000));
  const based = own ? text : `<base href="${url}">${text}`;
  const markdown = await documents.extract(new TextEncoder().encode(based), "html", signal);
  return { title: plain(title), text: markdown, isPart };
}

function notAPage(named: string): ToolError {
  const kind = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(named) ? named : "something else";
  return new ToolError(`the URL returned ${kind}, not a page`, reasonOf("not-a-page", kind));
}

/** The text of a title, on one line. */
function plain(title: string): string {
  const text = title.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
  return text.replace(/\s+/g, " ").trim();
}

async function decoded(bytes: Buffer, charset: string | undefined): Promise<string> {
  const named =
    charset ??
    /<meta[^>]{0,200}?charset=["']?([\w-]+)/i.exec(bytes.subarray(0, 2_048).toString("latin1"))?.[1];
  if (named !== undefined) {
    try {
      return new TextDecoder(named).decode(bytes);
    } catch {
      // Unknown name: the encoding is guessed below.
    }
  }
  const guess = await decode(bytes);
  if (guess.kind === "binary") throw new ToolError("the content is not text", reasonOf("page-not-text"));
  return guess.text;
}
