/**
 * Which addresses pages may contact: public ones, and private ones that the user approved. The rules apply in three
 * places. Each request is judged before it is sent. A proxy script makes the browser's own network stack refuse private
 * addresses, which also covers WebSockets and names that resolve to another address the second time. And names of this
 * machine do not resolve at all unless one of them was approved.
 */
import { type LookupAddress, lookup } from "node:dns";
import { isIP } from "node:net";
import { fileURLToPath } from "node:url";
import { isLocal, proxyFor } from "../net/proxy.ts";
import { CLOSED_RANGES, isPublicAddress } from "../net/web-address.ts";

export type Lookup = (
  host: string,
  options: { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** Names that no public name server answers. */
const PRIVATE_NAME =
  /^[^.]+$|\.(?:local|localhost|internal|intranet|lan|home|corp|private|test|home\.arpa)$/i;

/** Whether the address belongs to this machine or a private network. A name that does not resolve counts by its form. */
export async function isPrivateUrl(url: string, resolve: Lookup = lookup): Promise<boolean> {
  const host = hostOf(url);
  if (isIP(host) !== 0) return !isPublicAddress(host);
  if (isLocal(host) || PRIVATE_NAME.test(host)) return true;
  const addresses = await new Promise<LookupAddress[]>((done) =>
    resolve(host, { all: true }, (error, found) => done(error ? [] : found)),
  );
  return addresses.some(({ address }) => !isPublicAddress(address));
}

export interface PageRules {
  privateHosts: readonly string[];
  mayRead(path: string): Promise<boolean>;
  resolve?: Lookup;
}

export interface PageRequest {
  url: string;
  /** A page or a frame rather than something that a page loads. */
  isDocument: boolean;
  /** The address of the page in front. */
  page: string;
}

export class RequestRules {
  readonly #rules: PageRules;
  /** By host, for the life of a browser. */
  readonly #known = new Map<string, Promise<boolean>>();

  constructor(rules: PageRules) {
    this.#rules = rules;
  }

  /** Why the request is refused; undefined: it is allowed. */
  async refusal({ url, isDocument, page }: PageRequest): Promise<string | undefined> {
    const { protocol } = new URL(url);
    switch (protocol) {
      case "http:":
      case "https:":
      case "ws:":
      case "wss:":
        break;
      case "file:":
        return (await this.#rules.mayRead(fileURLToPath(url)))
          ? undefined
          : "it is not a file that may be read";
      case "about:":
      case "blob:":
      case "data:":
        return undefined;
      default:
        return isDocument ? `${protocol} addresses are not opened` : undefined;
    }
    if (this.#isListed(url) || !(await this.#isPrivate(url))) return undefined;
    // A development server's page may use other servers of this machine, as in any browser.
    const isOwnServer =
      !isDocument && isLocal(hostOf(url, true)) && isLocal(hostOf(page, true)) && this.#isListed(page);
    return isOwnServer ? undefined : "it is on this computer or a private network";
  }

  #isListed(url: string): boolean {
    if (!URL.canParse(url)) return false;
    const { host, hostname } = new URL(url);
    return this.#rules.privateHosts.some((entry) => entry === host || entry === hostname);
  }

  #isPrivate(url: string): Promise<boolean> {
    const host = hostOf(url);
    const known = this.#known.get(host) ?? isPrivateUrl(url, this.#rules.resolve);
    this.#known.set(host, known);
    return known;
  }
}

/** Arguments with which the browser itself refuses private addresses that are not listed. */
export function restrictionsOf(
  { privateHosts }: Pick<PageRules, "privateHosts">,
  environment: NodeJS.ProcessEnv,
): string[] {
  const script = proxyScript(privateHosts, environment);
  const encoded = Buffer.from(script).toString("base64");
  return [
    `--proxy-pac-url=data:application/x-ns-proxy-autoconfig;base64,${encoded}`,
    ...(privateHosts.some((entry) => isLocal(nameOf(entry)))
      ? []
      : [
          // Proxy scripts are not asked about these.
          `--host-resolver-rules=${["localhost", "*.localhost", "127.*", "[::1]", "169.254.*"]
            .map((pattern) => `MAP ${pattern} ~NOTFOUND`)
            .join(", ")}`,
        ]),
  ];
}

/** A proxy that refuses every connection. */
const NOWHERE = "PROXY 0.0.0.0:1";

function proxyScript(privateHosts: readonly string[], environment: NodeJS.ProcessEnv): string {
  const through = (scheme: "http" | "https") => {
    const proxy = proxyFor(new URL(`${scheme}://proxied.invalid`), environment);
    return proxy ? `${proxy.protocol === "https:" ? "HTTPS" : "PROXY"} ${proxy.host}` : "DIRECT";
  };
  return `function FindProxyForURL(url, host) {
  var names = ${JSON.stringify(privateHosts.map(nameOf))};
  if (names.indexOf(host) >= 0) return "DIRECT";
  var addresses = (dnsResolveEx(host) || "").split(";");
  var ranges = ${JSON.stringify(CLOSED_RANGES)};
  for (var i = 0; i < addresses.length; i++)
    for (var j = 0; j < ranges.length; j++)
      if (addresses[i] !== "" && isInNetEx(addresses[i], ranges[j])) return ${JSON.stringify(NOWHERE)};
  return /^(https|wss):/.test(url) ? ${JSON.stringify(through("https"))} : ${JSON.stringify(through("http"))};
}`;
}

/** Without the port. */
function nameOf(entry: string): string {
  return entry.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
}

/** `bracketed`: IPv6 addresses keep their brackets. */
function hostOf(url: string, bracketed = false): string {
  if (!URL.canParse(url)) return "";
  const { hostname } = new URL(url);
  return bracketed ? hostname : hostname.replace(/^\[(.*)\]$/, "$1");
}
