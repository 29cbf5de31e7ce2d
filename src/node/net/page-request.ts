/** Requests a page and follows its redirects, but connects only to addresses that were judged. */
import type { LookupAddress } from "node:dns";
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import zlib from "node:zlib";
import { ToolError } from "../../core/errors.ts";
import { isNamed, pageAddress } from "../../core/page-address.ts";
import { reasonOf } from "../../shared/reason.ts";

const MOST_REDIRECTS = 5;
/** Characters of a redirect's target in an error. */
const LONGEST_TARGET = 300;

/** Looks up all addresses of a name. */
export type Lookup = (
  host: string,
  options: { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export interface PageRules {
  signal: AbortSignal;
  /** Hosts that may have addresses that are not public. */
  allowedHosts: readonly string[];
  resolve: Lookup;
  isPublic(address: string): boolean;
}

/** A response with status 200. `body` is unpacked; the caller reads or destroys it. */
export interface PageResponse {
  url: string;
  type: string;
  body: Readable;
}

/** Rejects with ToolError for what is refused, and with the system's own error if the connection fails. */
export async function requestPage(named: string, rules: PageRules): Promise<PageResponse> {
  let url = pageAddress(named);
  let mayBePrivate = true;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const response = await request(url, { ...rules, mayBePrivate });
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (status >= 300 && status < 400 && location !== undefined) {
      // The user allows a host for their own requests, not for redirects from other pages.
      if (rules.isPublic(response.socket.remoteAddress ?? "")) mayBePrivate = false;
      response.destroy();
      url = pageAddress(URL.canParse(location, url) ? new URL(location, url).href : location);
      continue;
    }
    if (status !== 200) {
      response.destroy();
      // Does not use the server's own status text, because external text is never part of Nekode's sentences.
      const told = `${status} ${http.STATUS_CODES[status] ?? ""}`.trimEnd();
      throw new ToolError(`the server responded with ${told}`, reasonOf("server-status", told));
    }
    return { url: url.href, type: response.headers["content-type"] ?? "", body: unpacked(response) };
  }
  throw new ToolError("the page redirects too many times", reasonOf("endless-redirects"));
}

function request(
  url: URL,
  { signal, allowedHosts, resolve, isPublic, mayBePrivate }: PageRules & { mayBePrivate: boolean },
): Promise<http.IncomingMessage> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const named = isNamed(url, allowedHosts);
  const allowed = named && mayBePrivate;
  const refusal = (name: string) => (named ? leadsInside(url) : notPublic(name));
  if (!allowed && isIP(host) !== 0 && !isPublic(host)) throw refusal(host);
  const lookup = judgedLookup(resolve, (address) => allowed || isPublic(address), refusal);
  const { get } = url.protocol === "https:" ? https : http;
  return new Promise((done, fail) => {
    const headers = {
      accept: "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5",
      "accept-encoding": "gzip, deflate, br",
      "user-agent": "Nekode",
    };
    // No agent: a kept-alive connection would not be checked again.
    const sent = get(url, { headers, signal, lookup, agent: false }, done);
    sent.on("error", (error) => fail(error));
  });
}

/**
 * A lookup that fails with `refusal` if the name has an address that `mayUse` rejects. The connection goes to an address that was
 * judged, because a second lookup could return another one.
 */
function judgedLookup(
  resolve: Lookup,
  mayUse: (address: string) => boolean,
  refusal: (name: string) => ToolError,
): LookupFunction {
  return (name, options, done) => {
    const fail = (error: Error) => done(error, "", 0);
    resolve(name, { all: true }, (error, addresses) => {
      if (error) return fail(error);
      const usable = addresses.filter(({ family }) => !options.family || family === options.family);
      const [first] = usable;
      if (!first) return fail(new ToolError(`the host ${name} was not found`, reasonOf("no-address", name)));
      if (!usable.every(({ address }) => mayUse(address))) return fail(refusal(name));
      if (options.all) done(null, usable);
      else done(null, first.address, first.family);
    });
  };
}

function notPublic(host: string): ToolError {
  return new ToolError(
    `${host} is on this computer or a private network and is fetched only if the user allows it in the setting nekode.approval.privateHosts`,
    reasonOf("not-public", host),
  );
}

function leadsInside({ host, href }: URL): ToolError {
  const target = href.length > LONGEST_TARGET ? `${href.slice(0, LONGEST_TARGET)}...` : href;
  return new ToolError(
    `the page redirects to ${target}, which is on this computer or a private network; fetch that URL itself if it is needed`,
    reasonOf("not-public", host),
  );
}

function unpacked(response: http.IncomingMessage): Readable {
  const pipe = (unpack: zlib.Gunzip | zlib.BrotliDecompress): Readable => {
    response.on("error", (error) => unpack.destroy(error));
    // When the reader stops reading the unpacked bytes, the packed ones are no longer needed.
    unpack.on("close", () => response.destroy());
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
