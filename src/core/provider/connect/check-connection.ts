/**
 * Asks an endpoint for its models to see whether a connection works. If it does not, finds out why, and which address of
 * the same server does.
 */
import * as z from "zod";
import type { Connection } from "../../../shared/models/connection.ts";
import {
  type ConnectionProblem,
  type ConnectionProblemCode,
  connectionProblem,
} from "../../../shared/models/connection-problem.ts";
import { messageOf, ProviderError } from "../../errors.ts";
import type { Clock } from "../../ports/system.ts";
import type { Fetch } from "../../ports/web.ts";
import { endpointUrl, usableHeaders, usableKey } from "../address.ts";
import { readable } from "../failures.ts";
import { guarded } from "../received.ts";
import { isThisMachine } from "./local-address.ts";

/** A list of a thousand models with descriptions has fewer bytes. */
const MAX_LIST_BYTES = 8 * 1_024 * 1_024;
const DEADLINE_MS = 15_000;

export interface CheckDeps {
  fetch: Fetch;
  clock: Clock;
}

/** `models`: ids. */
export type Checked = { models: string[] } | { problem: ConnectionProblem };

type CheckedAddress = Pick<Connection, "api" | "baseUrl" | "headers">;

/** Sends the key only to the origin of the address. */
export async function checkConnection(
  connection: CheckedAddress,
  key: string | undefined,
  deps: CheckDeps,
  signal: AbortSignal,
): Promise<Checked> {
  const first = await askModels(connection, key, deps, signal);
  if ("models" in first) return first;
  const { code } = first.problem;
  if (!MAY_BE_ELSEWHERE.has(code)) return first;
  for (const [instead, baseUrl] of otherAddresses(connection.baseUrl, code)) {
    const other = await askModels({ ...connection, baseUrl }, key, deps, signal);
    const answers = "models" in other || other.problem.code === "bad-key" || other.problem.code === "no-key";
    if (!answers) continue;
    const subject = connection.baseUrl.trim();
    return { problem: connectionProblem(instead, subject, { fix: { type: "address", baseUrl } }) };
  }
  return first;
}

const MAY_BE_ELSEWHERE: ReadonlySet<ConnectionProblemCode> = new Set([
  "no-list",
  "web-page",
  "unreachable",
  "refused",
  "redirected",
]);

/** Addresses of the same server at which its API may be, and the problem if it is. */
function otherAddresses(baseUrl: string, code: ConnectionProblemCode): [ConnectionProblemCode, string][] {
  const url = new URL(baseUrl.trim());
  const path = url.pathname.replace(/\/+$/, "");
  const at = (pathname: string) => `${url.origin}${pathname}${url.search}`;
  const others: [ConnectionProblemCode, string][] = [];
  if (code === "no-list" || code === "web-page") {
    if (!/\/v\d/.test(path)) others.push(["no-version", at(`${path}/v1`)]);
    const version = /^.*?\/v\d\w*/.exec(path)?.[0];
    if (version !== undefined && version !== path) others.push(["extra-path", at(version)]);
    if (path !== "" && path !== "/v1") others.push(["no-version", at("/v1")]);
  }
  const isDead = code === "unreachable" || code === "refused" || code === "redirected";
  if (isDead && url.protocol === "http:")
    others.push(["wants-https", baseUrl.trim().replace(/^http:/i, "https:")]);
  // Never unencrypted to another machine.
  if (code === "unreachable" && url.protocol === "https:" && isThisMachine(baseUrl))
    others.push(["wants-http", baseUrl.trim().replace(/^https:/i, "http:")]);
  return others;
}

const listSchema = z.union([
  // Ollama without a model has `null`.
  z.object({ data: z.array(z.unknown()).nullable() }).transform(({ data }) => data ?? []),
  z.object({ models: z.array(z.unknown()) }).transform(({ models }) => models),
  z.array(z.unknown()),
]);
const itemSchema = z.looseObject({ id: z.string().min(1) });

/** Asks one address for its models; `checkConnection` also tries others. */
export async function askModels(
  { baseUrl, headers }: CheckedAddress,
  key: string | undefined,
  { fetch, clock }: CheckDeps,
  outer: AbortSignal,
): Promise<Checked> {
  const deadline = new AbortController();
  const timer = clock.after(DEADLINE_MS, () => deadline.abort());
  const signal = AbortSignal.any([outer, deadline.signal]);
  try {
    const { url, query } = endpointUrl(baseUrl);
    const target = new URL(`${url}/models`);
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
    const bearer = usableKey(key, url);
    const response = await guarded(fetch, MAX_LIST_BYTES)(target.href, {
      headers: {
        accept: "application/json",
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...usableHeaders(headers),
      },
      signal,
    });
    const text = await response.text();
    return read(response, text, {
      baseUrl: url,
      key: bearer,
      secrets: [bearer ?? "", ...Object.values(headers)],
    });
  } catch (error) {
    if (deadline.signal.aborted) return { problem: connectionProblem("timeout", baseUrl.trim()) };
    if (outer.aborted) throw error;
    return { problem: ofError(error, baseUrl.trim()) };
  } finally {
    timer.dispose();
  }
}

interface Asked {
  baseUrl: string;
  key: string | undefined;
  secrets: readonly string[];
}

function read({ ok, status, headers }: Response, text: string, { baseUrl, key, secrets }: Asked): Checked {
  const detail = readable(text, secrets);
  const problem = (code: ConnectionProblemCode): Checked => ({
    problem: connectionProblem(code, baseUrl, detail === "" ? {} : { detail: `${status}: ${detail}` }),
  });
  if (status === 401 || status === 403) return problem(key === undefined ? "no-key" : "bad-key");
  // Google answers a key that does not exist with 400.
  if (status === 400 && key !== undefined && /api[ _]?key/i.test(text)) return problem("bad-key");
  const isPage =
    /text\/html/i.test(headers.get("content-type") ?? "") || /^\s*<(?:!doctype|html)/i.test(text);
  if (isPage) return problem("web-page");
  if (status === 404 || status === 405) return problem("no-list");
  if (!ok) return problem("refused");
  const list = listSchema.safeParse(json(text)).data;
  if (!list) return problem("no-list");
  const models = list.flatMap((item) => itemSchema.safeParse(item).data?.id ?? []);
  return models.length === 0 ? { problem: connectionProblem("no-models", baseUrl) } : { models };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Reported as an address without a list.
    return undefined;
  }
}

const CERTIFICATES = /certificate|CERT_|UNABLE_TO_(?:VERIFY|GET_ISSUER)|ALTNAME/i;

function ofError(error: unknown, baseUrl: string): ConnectionProblem {
  if (error instanceof ProviderError) {
    const { code, subject = baseUrl, detail } = error.view;
    const more = detail === undefined ? {} : { detail };
    if (
      code === "bad-address" ||
      code === "redirected" ||
      code === "unusable-key" ||
      code === "unusable-header"
    )
      return connectionProblem(code, subject, more);
    return connectionProblem("refused", subject, more);
  }
  const detail = deepest(error);
  return connectionProblem(CERTIFICATES.test(detail) ? "untrusted-certificate" : "unreachable", baseUrl, {
    detail,
  });
}

/** The innermost cause with its code: "fetch failed" says nothing. */
function deepest(error: unknown): string {
  let text = messageOf(error);
  for (let at = error; at instanceof Error; at = at.cause) {
    const inner: unknown = at instanceof AggregateError ? at.errors[0] : at;
    const code = inner instanceof Error && "code" in inner ? String(inner.code) : "";
    const reason = messageOf(inner);
    if (reason !== "" || code !== "") text = reason.includes(code) ? reason : `${reason} (${code})`.trim();
  }
  return text;
}
