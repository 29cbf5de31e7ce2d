/**
 * Signs the user in at a server's authorization server: OAuth 2.1 with PKCE. Sources: Model Context Protocol 2026-07-28,
 * "Authorization"; RFC 9728 (protected resource metadata), RFC 8414 (authorization server metadata), RFC 9207 (`iss`).
 */
import { randomBytes } from "node:crypto";
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthProtectedResourceMetadata,
} from "@modelcontextprotocol/client";
import { Interrupt, ToolError } from "../../../core/errors.ts";
import type { Fetch } from "../../../core/ports/web.ts";
import { quotedValue } from "../../../core/servers/server-error.ts";
import { reasonOf } from "../../../shared/reason.ts";
import { reasonInEnglish } from "../../../shared/words/reasons/reasons.ts";
import type * as McpSdk from "../mcp-sdk.ts";
import { Failed } from "../server-errors.ts";
import type { Authorization } from "./authorization.ts";
import { type Grant, tokensOf } from "./grants.ts";
import { requireSecure, secureFetch } from "./secure-fetch.ts";
import { signInFault } from "./sign-in-errors.ts";
import type { SignInPage, SignInUi } from "./sign-in-ui.ts";

/** Milliseconds for everything that the user does in the browser. */
const USER_MS = 10 * 60_000;

export interface SignInParts {
  sdk: typeof McpSdk;
  server: string;
  serverUrl: string;
  authorization: Authorization;
  fetch: Fetch;
  /** The first one is used. The others are used if the authorization server does not accept its redirect address. */
  uis: readonly SignInUi[];
  /** The address of a document that describes Nekode as a client, if there is one. */
  clientMetadataUrl: string | undefined;
  signal: AbortSignal;
  userMs?: number;
}

/** Resolves when the tokens are kept. Rejects with ToolError, or with Interrupt when the signal aborts. */
export async function signIn(parts: SignInParts): Promise<void> {
  const { server, signal } = parts;
  try {
    const discovery = await discover(parts);
    for (const [index, ui] of parts.uis.entries()) {
      const page = await ui.begin();
      try {
        await authorize(parts, discovery, page);
        return;
      } catch (error) {
        const isRefused = error instanceof parts.sdk.RegistrationRejectedError;
        if (!isRefused || index === parts.uis.length - 1) throw error;
      } finally {
        page.close();
      }
    }
    throw new Failed(reasonOf("sign-in-no-browser"));
  } catch (error) {
    if (signal.aborted) throw new Interrupt();
    const fault = signInFault(parts.sdk, error);
    throw new ToolError(`Signing in to MCP server ${server} failed: ${reasonInEnglish(fault)}.`, fault);
  }
}

/** What the server and its authorization server publish about themselves. Rejects unless all of it fits together. */
async function discover({
  sdk,
  serverUrl,
  authorization,
  fetch,
  signal,
}: SignInParts): Promise<OAuthDiscoveryState> {
  const fetchFn = secureFetch(fetch, serverUrl, signal);
  const challenge = authorization.challenge(serverUrl) ?? (await ask(sdk, serverUrl, fetch, signal));
  authorization.remember(serverUrl, challenge);
  const { resourceMetadataUrl } = challenge;
  const named = resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl };
  const resourceMetadata = await sdk
    .discoverOAuthProtectedResourceMetadata(serverUrl, named, fetchFn)
    .catch((error: unknown): OAuthProtectedResourceMetadata | undefined => {
      // Servers of older protocol versions publish none, and are their own authorization server.
      if (resourceMetadataUrl === undefined && isMissing(error)) return undefined;
      throw error;
    });
  const [issuer = new URL("/", serverUrl).href] = resourceMetadata?.authorization_servers ?? [];
  const metadata = await sdk.discoverAuthorizationServerMetadata(issuer, { fetchFn });
  if (metadata === undefined) throw new Failed(reasonOf("sign-in-no-metadata", quotedValue(issuer)));
  if (!metadata.code_challenge_methods_supported?.includes("S256"))
    throw new Failed(reasonOf("sign-in-no-pkce", quotedValue(issuer)));
  for (const endpoint of [metadata.authorization_endpoint, metadata.token_endpoint])
    requireSecure(new URL(endpoint), serverUrl);
  return {
    authorizationServerUrl: issuer,
    authorizationServerMetadata: metadata,
    ...(resourceMetadata && { resourceMetadata }),
    ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }),
  };
}

/** The SDK reports a server without metadata by this message, and anything else by other ones. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && error.name === "Error";
}

/** Asks the server without a token, for its challenge. */
async function ask(sdk: typeof McpSdk, serverUrl: string, fetch: Fetch, signal: AbortSignal) {
  const done = new AbortController();
  const response = await secureFetch(
    fetch,
    serverUrl,
    AbortSignal.any([signal, done.signal]),
  )(serverUrl, { headers: { accept: "text/event-stream" }, redirect: "manual" });
  const { resourceMetadataUrl, scope } = sdk.extractWWWAuthenticateParams(response);
  done.abort();
  return { ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope === undefined ? {} : { scope }) };
}

async function authorize(
  parts: SignInParts,
  discovery: OAuthDiscoveryState,
  page: SignInPage,
): Promise<void> {
  const { sdk, serverUrl, authorization, fetch, signal } = parts;
  const known = authorization.grants;
  const issuer = discovery.authorizationServerMetadata?.issuer ?? discovery.authorizationServerUrl;
  const client = new SignInClient(parts, discovery, page, await known.of(serverUrl, issuer));
  const scope = authorization.challenge(serverUrl)?.scope;
  const options = {
    serverUrl,
    fetchFn: secureFetch(fetch, serverUrl, signal),
    ...(scope === undefined ? {} : { scope }),
  };
  await sdk.auth(client, { ...options, forceReauthorization: true });
  const address = client.address;
  if (address === undefined) throw new Failed(reasonOf("sign-in-no-address"));
  requireSecure(address, serverUrl);
  const answer = await visit(page, address, parts);
  const { code, iss } = readAnswer(sdk, answer, client.expectedState, discovery);
  try {
    await sdk.auth(client, { ...options, authorizationCode: code, ...(iss === undefined ? {} : { iss }) });
  } finally {
    if (client.isRefused) await authorization.locked(serverUrl, () => known.forget(serverUrl));
  }
  const { grant } = client;
  if (grant?.tokens === undefined) throw new Failed(reasonOf("sign-in-no-token"));
  await authorization.locked(serverUrl, () => known.save(serverUrl, grant));
}

/** Rejects after a while, because nothing reports that the user has closed the browser's page. */
async function visit(
  page: SignInPage,
  address: URL,
  { signal, userMs = USER_MS }: SignInParts,
): Promise<URL> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(userMs)]);
  let onAbort = () => {};
  const stopped = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Failed(reasonOf("sign-in-unanswered", String(Math.round(userMs / 60_000)))));
    limit.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([page.open(address), stopped]);
  } finally {
    limit.removeEventListener("abort", onAbort);
  }
}

function readAnswer(
  sdk: typeof McpSdk,
  { searchParams }: URL,
  state: string,
  { authorizationServerMetadata }: OAuthDiscoveryState,
): { code: string; iss: string | undefined } {
  // Checked first, because the answer to another request, or from another authorization server, says nothing about this one.
  if (searchParams.get("state") !== state) throw new Failed(reasonOf("sign-in-other-state"));
  const iss = searchParams.get("iss") ?? undefined;
  sdk.validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: authorizationServerMetadata?.issuer,
    issParameterSupported:
      authorizationServerMetadata?.authorization_response_iss_parameter_supported === true,
  });
  const error = searchParams.get("error");
  if (error !== null) {
    const said = quotedValue([error, searchParams.get("error_description") ?? ""].filter(Boolean).join(": "));
    throw new Failed(reasonOf(error === "access_denied" ? "sign-in-denied" : "sign-in-refused", said));
  }
  const code = searchParams.get("code");
  if (code === null) throw new Failed(reasonOf("sign-in-no-code"));
  return { code, iss };
}

/** What the SDK asks of a client during one sign-in. Everything but the result is kept in memory. */
class SignInClient implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadataUrl?: string;
  readonly expectedState = randomBytes(32).toString("base64url");
  address: URL | undefined;
  /** The authorization server does not know the client, so the next sign-in registers another. */
  isRefused = false;
  grant: Grant | undefined;
  readonly #discovery: OAuthDiscoveryState;
  readonly #before: Grant | undefined;
  #client: Grant["client"] | undefined;
  #resource: string | undefined;
  #verifier = "";

  constructor(
    { clientMetadataUrl }: SignInParts,
    discovery: OAuthDiscoveryState,
    page: SignInPage,
    before: Grant | undefined,
  ) {
    this.redirectUrl = page.redirectUrl;
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
    this.#discovery = discovery;
    this.#before = before;
  }

  get clientMetadata() {
    return {
      client_name: "Nekode",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "native" as const,
    };
  }

  state(): string {
    return this.expectedState;
  }

  clientInformation(): Grant["client"] | undefined {
    if (this.#client) return this.#client;
    // A client is registered with the address that it is sent back to.
    return this.#before?.redirectUrl === this.redirectUrl ? this.#before.client : undefined;
  }

  saveClientInformation(client: Grant["client"]): void {
    this.#client = client;
  }

  tokens(): undefined {
    return undefined;
  }

  /** The client itself stays, because the code belongs to it. */
  invalidateCredentials(scope: string): void {
    if (scope === "client") this.isRefused = true;
  }

  saveTokens(tokens: Parameters<OAuthClientProvider["saveTokens"]>[0], ctx?: { issuer: string }): void {
    const client = this.clientInformation();
    if (client === undefined || ctx === undefined) throw new Error("tokens without a client");
    this.grant = {
      issuer: ctx.issuer,
      ...(this.#resource === undefined ? {} : { resource: this.#resource }),
      client,
      redirectUrl: this.redirectUrl,
      tokens: tokensOf(tokens, Date.now()),
    };
  }

  saveResourceUrl(resource: string): void {
    this.#resource = resource;
  }

  redirectToAuthorization(address: URL): void {
    this.address = address;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  discoveryState(): OAuthDiscoveryState {
    return this.#discovery;
  }
}
