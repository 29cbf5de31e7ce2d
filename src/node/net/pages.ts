/** The `Web` port: fetches pages over http and https, but never from addresses that only this machine can reach. */
import { type LookupAddress, lookup } from "node:dns";
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import zlib from "node:zlib";
import { Interrupt, messageOf, ToolError } from "../../core/errors.ts";
import type { Documents } from "../../core/ports/documents.ts";
import type { Web } from "../../core/ports/web.ts";
import { sliceWhole } from "../../core/text.ts";
import { reasonOf } from "../../shared/reason.ts";
import { decode } from "../files/encodings.ts";
import { isPublicAddress } from "./web-address.ts";

const MOST_REDIRECTS = 5;
/** Bytes of a page, unpacked. */
const MOST_BYTES = 5 * 1024 * 1024;

type Lookup = (
  host: string,
  options: { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** `documents` converts HTML in its own thread; `resolve` looks up a name's addresses and is replaced in tests. */
export function createWeb(documents: Documents, resolve: Lookup = lookup): Web {
  return {
    async fetch(named, { limit, signal, timeoutMs, allowedHosts = [] }) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const both = AbortSignal.any([signal, timeout]);
      try {
        const page = await follow(named, { signal: both, allowedHosts, resolve });
        const { title, text } = await readable(page, documents, both);
        return { url: page.url, title, text: sliceWhole(text, 0, limit) };
      } catch (error) {
        if (signal.aborted) throw new Interrupt();
        if (timeout.aborted) throw timedOut(Math.round(timeoutMs / 1000));
        throw error instanceof ToolError ? error : new ToolError(messageOf(error));
      }
    },
  };
}

interface Page {
  url: string;
  type: string;
  bytes: Buffer;
}

interface Rules {
  signal: AbortSignal;
  allowedHosts: readonly string[];
  resolve: Lookup;
}

async function follow(named: string, rules: Rules): Promise<Page> {
  let url = parse(named);
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const response = await request(url, rules);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (status >= 300 && status < 400 && location !== undefined) {
      response.destroy();
      url = parse(new URL(location, url).href);
      continue;
    }
    if (status !== 200) {
      response.destroy();
      const told = `${status} ${response.statusMessage ?? ""}`.trimEnd();
      throw new ToolError(`the server responded with ${told}`, reasonOf("server-status", told));
    }
    const bytes = await read(unpacked(response));
    return { url: url.href, type: response.headers["content-type"] ?? "", bytes };
  }
  throw new ToolError("the page redirects too many times", reasonOf("endless-redirects"));
}

function parse(address: string): URL {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new ToolError("the URL is not valid", reasonOf("not-an-address"));
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new ToolError("only http and https URLs can be fetched", reasonOf("not-http"));
  if (url.username !== "" || url.password !== "")
    throw new ToolError(
      "a URL with a user name or password cannot be fetched",
      reasonOf("address-with-password"),
    );
  return url;
}

function request(url: URL, { signal, allowedHosts, resolve }: Rules): Promise<http.IncomingMessage> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const allowed = allowedHosts.includes(url.host) || allowedHosts.includes(url.hostname);
  if (!allowed && isIP(host) !== 0 && !isPublicAddress(host)) throw notPublic(host);
  // Connects to the checked address: a second lookup could return another one.
  const judged: LookupFunction = (name, options, done) => {
    resolve(name, { all: true }, (error, addresses) => {
      const usable = error
        ? []
        : addresses.filter(({ family }) => !options.family || family === options.family);
      const bad = allowed ? undefined : usable.find(({ address }) => !isPublicAddress(address));
      const [first] = usable;
      if (error || bad || !first) {
        done(
          error ??
            (bad
              ? notPublic(name)
              : new ToolError(`the host ${name} was not found`, reasonOf("no-address", name))),
          "",
          0,
        );
      } else if (options.all) done(null, usable);
      else done(null, first.address, first.family);
    });
  };
  const { get } = url.protocol === "https:" ? https : http;
  return new Promise((done, fail) => {
    const headers = {
      accept: "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5",
      "accept-encoding": "gzip, deflate, br",
      "user-agent": "Nekode",
    };
    // No agent: a kept-alive connection would not be checked again.
    const sent = get(url, { headers, signal, lookup: judged, agent: false }, done);
    sent.on("error", (error) => fail(error));
  });
}

function timedOut(seconds: number): ToolError {
  return new ToolError(
    `the page did not load within ${seconds} s`,
    reasonOf("page-timeout", String(seconds)),
  );
}

function notPublic(host: string): ToolError {
  return new ToolError(
    `${host} is on this computer or a private network and is fetched only if the user allows it`,
    reasonOf("not-public", host),
  );
}

function unpacked(response: http.IncomingMessage): Readable {
  const pipe = (unpack: zlib.Gunzip | zlib.BrotliDecompress): Readable => {
    response.on("error", (error) => unpack.destroy(error));
    return response.pipe(unpack);
  };
  switch (response.headers["content-encoding"]?.toLowerCase()) {
    case "gzip":
    case "x-gzip":
    case "deflate":
      return pipe(zlib.createUnzip());
    case "br":
      return pipe(zlib.createBrotliDecompress());
    default:
      return response;
  }
}

/** Reads up to the limit and does not wait for the rest. */
async function read(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    chunks.push(bytes);
    size += bytes.length;
    if (size >= MOST_BYTES) break;
  }
  stream.destroy();
  return Buffer.concat(chunks).subarray(0, MOST_BYTES);
}

async function readable(
  { url, bytes, type }: Page,
  documents: Documents,
  signal: AbortSignal,
): Promise<{ title: string; text: string }> {
  const kind = type.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const isHtml = kind === "text/html" || kind === "application/xhtml+xml";
  const isText =
    isHtml || kind === "" || kind.startsWith("text/") || /[/+](?:json|xml|javascript|yaml)$/.test(kind);
  if (!isText) throw new ToolError(`the URL returned ${kind}, not a page`, reasonOf("not-a-page", kind));
  const text = decoded(bytes, /charset="?([\w-]+)/i.exec(type)?.[1]);
  if (!isHtml) return { title: "", text };
  const title = /<title[^<>]*>([^<]{0,500})/i.exec(text.slice(0, 100_000))?.[1]?.trim() ?? "";
  // A page's own base takes precedence.
  const own = /<base\b[^>]{0,200}?\bhref=/i.test(text.slice(0, 100_000));
  const based = own ? text : `<base href="${url}">${text}`;
  return { title, text: await documents.extract(new TextEncoder().encode(based), "html", signal) };
}

function decoded(bytes: Buffer, charset: string | undefined): string {
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
  const guess = decode(bytes);
  if (guess.kind === "binary") throw new ToolError("the content is not text", reasonOf("page-not-text"));
  return guess.text;
}
