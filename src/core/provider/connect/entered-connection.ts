/** Checks what the user entered for a connection, before anything is sent. */
import { makerOfKey, presetAt, presetOf } from "../../../shared/models/connection-presets.ts";
import { type ConnectionProblem, connectionProblem } from "../../../shared/models/connection-problem.ts";
import type { NewConnection } from "../../../shared/models/model-protocol.ts";

/** Paths of single requests, as they end the addresses of examples. */
const REQUEST_PATH =
  /\/(?:chat\/completions|completions|responses|messages|models|embeddings|api\/(?:chat|generate|tags))\/*$/;

export type EnteredConnection = Pick<NewConnection, "preset" | "baseUrl" | "key">;

/** Returns the first problem, with the change that corrects it where there is one. */
export function checkEntered(entered: EnteredConnection): ConnectionProblem | undefined {
  return addressProblem(entered) ?? keyProblem(entered);
}

function addressProblem({ preset, baseUrl, key }: EnteredConnection): ConnectionProblem | undefined {
  const address = baseUrl.trim();
  if (address === "") return connectionProblem("no-address", "");
  const url = parsed(address);
  if (!url) {
    const guess = `${isThisMachine(`http://${address}`) ? "http" : "https"}://${address}`;
    const isGuess = !address.includes("://") && parsed(guess) !== undefined;
    return connectionProblem("bad-address", address, isGuess ? addressFix(guess) : {});
  }
  const { placeholder } = presetOf(preset);
  if (placeholder !== undefined && address.toLowerCase().includes(placeholder.toLowerCase()))
    return connectionProblem("placeholder", placeholder);
  const path = REQUEST_PATH.exec(url.pathname)?.[0];
  if (path !== undefined) {
    const base = url.pathname.slice(0, -path.length);
    return connectionProblem(
      "extra-path",
      path.replace(/\/+$/, ""),
      addressFix(`${url.origin}${base}${url.search}`),
    );
  }
  // On the way to another network anyone could read the key.
  const hasKey = (key ?? "").trim() !== "" || presetOf(preset).needsKey;
  if (hasKey && isUnencryptedRoute(address))
    return connectionProblem("wants-https", address, addressFix(address.replace(/^http:/i, "https:")));
  return undefined;
}

function keyProblem({ preset, baseUrl, key = "" }: EnteredConnection): ConnectionProblem | undefined {
  // The address decides who receives the key.
  const known = presetAt(baseUrl) ?? presetOf(preset);
  const entered = bareKey(key);
  if (entered === "") return known.needsKey ? connectionProblem("no-key", known.title) : undefined;
  if (!/^[\x21-\x7e]+$/.test(entered)) return connectionProblem("unusable-key", known.title);
  const maker = makerOfKey(entered);
  if (!maker || !known.needsKey || maker.id === known.id) return undefined;
  return connectionProblem("key-of-another", maker.title, { fix: { type: "preset", preset: maker.id } });
}

/** A key without what was copied along with it: white space, quotes, `Bearer`, `NAME=`. */
export function bareKey(key: string): string {
  return key
    .trim()
    .replace(/^(?:export\s+)?[A-Z][A-Z0-9_]*=/, "")
    .replace(/^(["'])(.*)\1$/, "$2")
    .replace(/^Bearer\s+/i, "")
    .trim();
}

function parsed(address: string): URL | undefined {
  if (/\s/.test(address) || !/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  return new URL(address);
}

function addressFix(baseUrl: string): Pick<ConnectionProblem, "fix"> {
  return { fix: { type: "address", baseUrl } };
}

/** The server runs on this machine. */
export function isThisMachine(baseUrl: string): boolean {
  const host = hostOf(baseUrl);
  return (
    host === "localhost" || host.endsWith(".localhost") || /^127\.[\d.]+$|^\[::1\]$|^0\.0\.0\.0$/.test(host)
  );
}

/** Private networks (RFC 1918, RFC 4193), link-local addresses, and names that only a local network resolves. */
const PRIVATE =
  /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|\[f[cd]|\[fe80)|\.(?:local|lan|home|internal|home\.arpa)$|^[^.:]+$/;

/** Requests to it are readable on their way through networks that are not the user's own. */
export function isUnencryptedRoute(baseUrl: string): boolean {
  if (!/^http:/i.test(baseUrl.trim())) return false;
  return !isThisMachine(baseUrl) && !PRIVATE.test(hostOf(baseUrl));
}

function hostOf(baseUrl: string): string {
  const address = baseUrl.trim();
  return URL.canParse(address) ? new URL(address).hostname.replace(/\.$/, "") : "";
}
