/**
 * Which addresses pages may contact: public ones, and private ones that the user approved. The rules apply in three
 * places. Each request is judged before it is sent. A proxy script makes the browser's own network stack refuse private
 * addresses, which also covers WebSockets and names that resolve to another address the second time. And names of this
 * machine do not resolve, except those that were approved. WebRTC, which asks none of the three, is limited to proxies.
 */
import { type LookupAddress, lookup } from "node:dns";
import { isIP } from "node:net";
import { fileURLToPath } from "node:url";
import { isNamed } from "../../core/page-address.ts";
import type { Lookup } from "../net/page-request.ts";
import { isLocal, proxyFor } from "../net/proxy.ts";
import { CLOSED_RANGES, isPublicAddress } from "../net/web-address.ts";

/** Names that no public name server answers. */
const PRIVATE_NAME =
  /^[^.]+$|\.(?:local|localhost|internal|intranet|lan|home|corp|private|test|home\.arpa)$/i;

/** Whether the address belongs to this machine or a private network. A name that does not resolve is judged by its form. */
export async function isPrivateUrl(url: string, resolve: Lookup = lookup): Promise<boolean> {
  // A trailing dot does not change the name, but not every resolver of this system treats it so.
  const host = hostOf(url).replace(/\.$/, "");
  if (isIP(host) !== 0) return !isPublicAddress(host);
  if (isLocal(host) || PRIVATE_NAME.test(host)) return true;
  const addresses = await new Promise<LookupAddress[]>((done) =>
    resolve(host, { all: true }, (error, found) => done(error ? [] : found)),
  );
  return addresses.some(({ address }) => !isPublicAddress(address));
}

export interface BrowsingRules {
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
  readonly #rules: BrowsingRules;
  /** By host, for the life of a browser. */
  readonly #known = new Map<string, Promise<boolean>>();

  constructor(rules: BrowsingRules) {
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
    return URL.canParse(url) && isNamed(new URL(url), this.#rules.privateHosts);
  }

  #isPrivate(url: string): Promise<boolean> {
    const host = hostOf(url);
    const known = this.#known.get(host) ?? isPrivateUrl(url, this.#rules.resolve);
    this.#known.set(host, known);
    return known;
  }
}

/** Arguments with which the browser itself refuses private addresses that are not listed. `url`: the first address. */
export function restrictionsOf(
  { url, privateHosts }: Pick<BrowsingRules, "privateHosts"> & { url: string },
  environment: NodeJS.ProcessEnv,
): string[] {
  const script = proxyScript(privateHosts, environment);
  const encoded = Buffer.from(script).toString("base64");
  // The page of a development server may use other servers of this machine.
  const isOwnServer = isLocal(hostOf(url, true)) && isNamed(new URL(url), privateHosts);
  return [
    `--proxy-pac-url=data:application/x-ns-proxy-autoconfig;base64,${encoded}`,
    // Under its newer and its older name.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    ...(isOwnServer ? [] : [`--host-resolver-rules=${resolverRules(privateHosts).join(", ")}`]),
  ];
}

/** Names of this machine, and addresses about which proxy scripts are not asked. */
const NOT_RESOLVED = [
  ...["localhost", "*.localhost", "localhost.", "*.localhost."],
  ...["127.*", "::1", "::ffff:*", "169.254.*", "fe80:*"],
];

/** The first rule that matches applies. */
function resolverRules(privateHosts: readonly string[]): string[] {
  const listed = privateHosts
    .map(entryOf)
    .filter(({ name }) => isLocal(name.includes(":") ? `[${name}]` : name));
  return [
    ...listed.map(({ name, port }) => {
      if (port === undefined) return `MAP ${name} ${name}`;
      const place = `${name.includes(":") ? `[${name}]` : name}:${port}`;
      return `MAP ${place} ${place}`;
    }),
    ...NOT_RESOLVED.map((pattern) => `MAP ${pattern} ~NOTFOUND`),
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
  var isSecure = /^(https|wss):/.test(url);
  var port = (/^[a-z]+:\\/\\/(?:\\[[^\\]]*\\]|[^:\\/]*):(\\d+)/.exec(url) || [])[1] || (isSecure ? "443" : "80");
  var listed = ${JSON.stringify(privateHosts.map(entryOf))};
  for (var n = 0; n < listed.length; n++)
    if (listed[n].name === host && (listed[n].port === undefined || listed[n].port === port)) return "DIRECT";
  var addresses = (dnsResolveEx(host) || "").split(";");
  var closed = ${JSON.stringify(CLOSED_RANGES)};
  for (var i = 0; i < addresses.length; i++) {
    var ranges = addresses[i].indexOf(":") < 0 ? closed.ipv4 : closed.ipv6;
    for (var j = 0; j < ranges.length; j++)
      if (addresses[i] !== "" && isInNetEx(addresses[i], ranges[j])) return ${JSON.stringify(NOWHERE)};
  }
  return isSecure ? ${JSON.stringify(through("https"))} : ${JSON.stringify(through("http"))};
}`;
}

/** An entry of a list of hosts, in its normal form; an IPv6 address without brackets. */
function entryOf(entry: string): { name: string; port?: string } {
  const text = entry.trim();
  const [, port] = /:(\d+)$/.exec(text) ?? [];
  const name = hostOf(`http://${text}`);
  return port === undefined ? { name } : { name, port };
}

/** `bracketed`: IPv6 addresses keep their brackets. */
function hostOf(url: string, bracketed = false): string {
  if (!URL.canParse(url)) return "";
  const { hostname } = new URL(url);
  return bracketed ? hostname : hostname.replace(/^\[(.*)\]$/, "$1");
}
