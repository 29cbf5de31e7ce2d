/**
 * The access tokens of remote servers: kept in the user's secrets, sent to their own server only, and refreshed once by whichever
 * window or host needs it first.
 */
import { createHash } from "node:crypto";
import path from "node:path";
import type { AuthProvider } from "@modelcontextprotocol/client";
import { SignInNeeded, ToolError } from "../../../core/errors.ts";
import type { Secrets } from "../../../core/ports/servers.ts";
import type { Fetch } from "../../../core/ports/web.ts";
import { quotedValue } from "../../../core/servers/server-error.ts";
import { addressKey } from "../../../core/servers/server-identity.ts";
import { reasonOf } from "../../../shared/reason.ts";
import { reasonInEnglish } from "../../../shared/words/reasons/reasons.ts";
import { withLock } from "../../store/process-locks.ts";
import type * as McpSdk from "../mcp-sdk.ts";
import { Failed } from "../server-errors.ts";
import { type Grant, Grants, tokensOf } from "./grants.ts";
import { secureFetch } from "./secure-fetch.ts";
import { signInFault } from "./sign-in-errors.ts";

/** How many milliseconds before its expiry a token is refreshed. */
const EARLY_MS = 30_000;
/** Milliseconds to wait for another window that refreshes the same token. */
const LOCK_MS = 60_000;

export interface AuthorizationOptions {
  secrets: Secrets;
  /** A folder that all windows and hosts of the user share. */
  locksFolder: string;
  fetch: Fetch;
}

/** The challenge in a server's refusal: where its metadata is, and what it requires. */
export interface Challenge {
  resourceMetadataUrl?: URL;
  scope?: string;
}

export class Authorization {
  readonly grants: Grants;
  readonly #options: AuthorizationOptions;
  readonly #challenges = new Map<string, Challenge>();

  constructor(options: AuthorizationOptions) {
    this.#options = options;
    this.grants = new Grants(options.secrets);
  }

  /** The last challenge of the server. */
  challenge(serverUrl: string): Challenge | undefined {
    return this.#challenges.get(addressKey(serverUrl));
  }

  /** Remembers what the next sign-in needs to ask for. */
  remember(serverUrl: string, challenge: Challenge): void {
    const before = this.challenge(serverUrl);
    const scopes = [before?.scope, challenge.scope].flatMap((scope) => scope?.split(" ") ?? []);
    const resourceMetadataUrl = challenge.resourceMetadataUrl ?? before?.resourceMetadataUrl;
    this.#challenges.set(addressKey(serverUrl), {
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      ...(scopes.length > 0 && { scope: [...new Set(scopes)].join(" ") }),
    });
  }

  /** The same `fetch`, which remembers what the server's refusals ask for. */
  listening(sdk: typeof McpSdk, serverUrl: string, fetch: Fetch): Fetch {
    return async (input, init) => {
      const response = await fetch(input, init);
      if (response.status === 403) this.remember(serverUrl, sdk.extractWWWAuthenticateParams(response));
      return response;
    };
  }

  /** Gives the transports of this server its token. Its methods reject with SignInNeeded, and with ToolError. */
  provider(sdk: typeof McpSdk, server: string, serverUrl: string): AuthProvider {
    /** The token of the last request. */
    let sent: string | undefined;
    return {
      token: async () => {
        sent = await this.#token(sdk, server, serverUrl, undefined);
        return sent;
      },
      onUnauthorized: async ({ response }) => {
        this.remember(serverUrl, sdk.extractWWWAuthenticateParams(response));
        // Another window may have signed in or refreshed the token in the meantime.
        const token = await this.#token(sdk, server, serverUrl, sent);
        if (token === undefined) throw new SignInNeeded(server);
      },
    };
  }

  /** Runs `work` while no other window refreshes or replaces this server's tokens. */
  locked<T>(serverUrl: string, work: () => Promise<T>): Promise<T> {
    const name = createHash("sha256").update(addressKey(serverUrl)).digest("hex");
    return withLock(path.join(this.#options.locksFolder, `${name}.lock`), work, LOCK_MS);
  }

  /** A valid token that is not `refused`; undefined: there is none. */
  async #token(
    sdk: typeof McpSdk,
    server: string,
    serverUrl: string,
    refused: string | undefined,
  ): Promise<string | undefined> {
    const usable = (grant: Grant | undefined) => {
      const tokens = grant?.tokens;
      const isValid = tokens && Date.now() < (tokens.expiresAt ?? Number.POSITIVE_INFINITY) - EARLY_MS;
      return isValid && tokens.access_token !== refused ? tokens.access_token : undefined;
    };
    const known = await this.grants.current(serverUrl);
    const token = usable(known);
    if (token !== undefined || known?.tokens === undefined) return token;
    return this.locked(serverUrl, async () => {
      const grant = await this.grants.current(serverUrl);
      const renewed = usable(grant);
      if (renewed !== undefined || grant?.tokens === undefined) return renewed;
      const fresh = await this.#refresh(sdk, { server, serverUrl }, grant);
      await (fresh ? this.grants.save(serverUrl, fresh) : this.grants.forget(serverUrl));
      return fresh?.tokens?.access_token;
    });
  }

  /**
   * The grant with new tokens, or without tokens if the user has to sign in again. undefined: the client has to be registered
   * again too.
   */
  async #refresh(
    sdk: typeof McpSdk,
    { server, serverUrl }: { server: string; serverUrl: string },
    grant: Grant,
  ): Promise<Grant | undefined> {
    const { tokens, ...rest } = grant;
    if (tokens?.refresh_token === undefined) return rest;
    // Continues even if the caller stops, because the authorization server may already have replaced the old token.
    const fetchFn = secureFetch(this.#options.fetch, serverUrl);
    try {
      const metadata = await sdk.discoverAuthorizationServerMetadata(grant.issuer, { fetchFn });
      if (metadata === undefined)
        throw new Failed(reasonOf("sign-in-no-metadata", quotedValue(grant.issuer)));
      const response = await sdk.refreshAuthorization(grant.issuer, {
        metadata,
        clientInformation: grant.client,
        refreshToken: tokens.refresh_token,
        ...(grant.resource === undefined ? {} : { resource: grant.resource }),
        fetchFn,
      });
      const scope = response.scope ?? tokens.scope;
      return { ...grant, tokens: tokensOf({ ...response, scope }, Date.now()) };
    } catch (error) {
      if (error instanceof sdk.OAuthError && error.code === sdk.OAuthErrorCode.InvalidGrant) return rest;
      if (isClientRefused(sdk, error)) return undefined;
      const fault = signInFault(sdk, error);
      throw new ToolError(
        `The sign-in to MCP server ${server} could not be renewed at ${grant.issuer}: ${reasonInEnglish(fault)}.`,
        fault,
      );
    }
  }
}

/** The authorization server does not know the client any more. */
function isClientRefused(sdk: typeof McpSdk, error: unknown): boolean {
  const codes: string[] = [sdk.OAuthErrorCode.InvalidClient, sdk.OAuthErrorCode.UnauthorizedClient];
  return error instanceof sdk.OAuthError && codes.includes(error.code);
}
