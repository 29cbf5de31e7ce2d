/**
 * Asks an endpoint for its models to see whether a connection works. If it does not, finds out why, and which address of
 * the same server does.
 */
import type { Connection } from "../../../shared/models/connection.ts";
import {
  type ConnectionProblem,
  type ConnectionProblemCode,
  connectionProblem,
} from "../../../shared/models/connection-problem.ts";
import type { ModelEntry } from "../../../shared/models/facts.ts";
import type { ErrorCode } from "../../../shared/models/request-error.ts";
import { Interrupt, ProviderError } from "../../errors.ts";
import type { Host } from "../../ports/host.ts";
import type { Fetch } from "../../ports/web.ts";
import type { ModelCatalog } from "../catalog/model-catalog.ts";
import { fetchFor } from "./connection-fetch.ts";
import { isThisMachine } from "./entered-connection.ts";

export interface ConnectionCheckDeps {
  catalog: ModelCatalog;
  host: Pick<Host, "fetch" | "fetchVia">;
}

export type Checked = { models: ModelEntry[] } | { problem: ConnectionProblem };

/** Sends the key only to the origin of the address. Rejects with Interrupt when `signal` aborts. */
export async function checkConnection(
  connection: Connection,
  key: string | undefined,
  deps: ConnectionCheckDeps,
  signal: AbortSignal,
): Promise<Checked> {
  const first = await askModels(connection, key, deps, signal);
  if ("models" in first) return first;
  for (const [code, baseUrl] of otherAddresses(connection.baseUrl, first.problem.code)) {
    const other = await askModels({ ...connection, baseUrl }, key, deps, signal);
    if (!isApi(other)) continue;
    const subject = connection.baseUrl.trim();
    return { problem: connectionProblem(code, subject, { fix: { type: "address", baseUrl } }) };
  }
  return first;
}

/** An API answered, though it may refuse the key. */
function isApi(checked: Checked): boolean {
  if ("models" in checked) return true;
  return ["bad-key", "no-key", "no-models"].includes(checked.problem.code);
}

/** Addresses of the same server at which its API may be, and the problem if it is there. */
function otherAddresses(baseUrl: string, code: ConnectionProblemCode): [ConnectionProblemCode, string][] {
  const address = baseUrl.trim();
  if (!URL.canParse(address)) return [];
  const { origin, pathname, search, protocol } = new URL(address);
  const path = pathname.replace(/\/+$/, "");
  const others: [ConnectionProblemCode, string][] = [];
  const add = (problem: ConnectionProblemCode, other: string) => {
    if (other !== path) others.push([problem, `${origin}${other}${search}`]);
  };
  if (code === "no-list" || code === "web-page") {
    const version = /^.*?\/v\d\w*/.exec(path)?.[0];
    if (version === undefined) add("no-version", `${path}/v1`);
    else add("extra-path", version);
    if (path !== "") add("no-version", "/v1");
  }
  const isSilent = code === "unreachable" || code === "refused" || code === "redirected";
  if (isSilent && protocol === "http:") others.push(["wants-https", address.replace(/^http:/i, "https:")]);
  // Never without encryption to another machine.
  if (code === "unreachable" && protocol === "https:" && isThisMachine(address))
    others.push(["wants-http", address.replace(/^https:/i, "http:")]);
  return others;
}

/** Asks one address for its models; `checkConnection` also tries others. */
export async function askModels(
  connection: Connection,
  key: string | undefined,
  { catalog, host }: ConnectionCheckDeps,
  signal: AbortSignal,
): Promise<Checked> {
  const subject = connection.baseUrl.trim();
  let isPage = false;
  const send = fetchFor(host, connection) ?? fetch;
  const watching: Fetch = async (url, init) => {
    const response = await send(url, init);
    isPage = /text\/html/i.test(response.headers.get("content-type") ?? "");
    return response;
  };
  try {
    const asking = catalog.with({
      apiKey: async () => key,
      host: { fetch: watching, fetchVia: () => watching },
    });
    const models = await asking.list(connection, signal);
    return models.length === 0 ? { problem: connectionProblem("no-models", subject) } : { models };
  } catch (error) {
    // The catalog's own limit.
    if (error instanceof Interrupt && !signal.aborted)
      return { problem: connectionProblem("timeout", subject) };
    if (!(error instanceof ProviderError)) throw error;
    return { problem: problemOf(error, subject, { hasKey: key !== undefined, isPage }) };
  }
}

function problemOf(
  { view }: ProviderError,
  address: string,
  { hasKey, isPage }: { hasKey: boolean; isPage: boolean },
): ConnectionProblem {
  const detail = view.detail === undefined ? {} : { detail: view.detail };
  if (hasKey && view.code === "bad-request" && /api[ _-]?key/i.test(view.detail ?? ""))
    return connectionProblem("bad-key", address, detail);
  if (isPage && MAY_BE_PAGE.has(view.code)) return connectionProblem("web-page", address, detail);
  const code = PROBLEMS[view.code] ?? "refused";
  if (code === "unusable-header") return connectionProblem(code, view.subject ?? address, detail);
  if (code === "key-of-another") return connectionProblem(code, view.detail ?? address, detail);
  return connectionProblem(code, address, detail);
}

const PROBLEMS: Partial<Record<ErrorCode, ConnectionProblemCode>> = {
  "no-key": "no-key",
  "bad-key": "bad-key",
  "unusable-key": "unusable-key",
  "key-of-another": "key-of-another",
  "unusable-header": "unusable-header",
  "no-endpoint": "no-address",
  "bad-address": "bad-address",
  "wrong-address": "no-list",
  "unknown-model": "no-list",
  "bad-response": "no-list",
  "web-page": "web-page",
  "wants-https": "unreachable",
  "wants-http": "unreachable",
  "untrusted-certificate": "untrusted-certificate",
  unreachable: "unreachable",
  redirected: "redirected",
  "first-token-timeout": "timeout",
  "idle-timeout": "timeout",
};

/** A page can have any status; one that asks to sign in is reported as such. */
const MAY_BE_PAGE: ReadonlySet<ErrorCode> = new Set([
  "wrong-address",
  "unknown-model",
  "bad-response",
  "bad-request",
]);
