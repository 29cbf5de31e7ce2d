/** The result of signing in to a server: the tokens, and the client that they were issued to. Stored by issuer and server. */
import { createHash } from "node:crypto";
import type { Secrets } from "../../../core/ports/servers.ts";
import { addressKey } from "../../../core/servers/server-identity.ts";
import * as z from "../../../shared/zod.ts";

const tokensSchema = z.object({
  access_token: z.string().check(z.minLength(1)),
  refresh_token: z.optional(z.string().check(z.minLength(1))),
  /** Milliseconds since 1970; undefined: the authorization server did not say. */
  expiresAt: z.optional(z.number()),
  scope: z.optional(z.string()),
});
export type Tokens = z.infer<typeof tokensSchema>;

const grantSchema = z.object({
  /** The authorization server. */
  issuer: z.string(),
  /** The resource that the tokens are for, as the server names itself. */
  resource: z.optional(z.string()),
  /** The client that signed in. It belongs to the authorization server and is not sent to any other. */
  client: z.looseObject({ client_id: z.string(), client_secret: z.optional(z.string()) }),
  /** Where the registered client is sent back to; undefined: the client was not registered. */
  redirectUrl: z.optional(z.string()),
  /** undefined: the user has to sign in. */
  tokens: z.optional(tokensSchema),
});
export type Grant = z.infer<typeof grantSchema>;

const PREFIX = "mcp-server";

export class Grants {
  readonly #secrets: Secrets;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** The grant of the authorization server that the user last signed in at for this server. */
  async current(serverUrl: string): Promise<Grant | undefined> {
    const issuer = await this.#secrets.get(issuerName(serverUrl));
    return issuer === undefined ? undefined : this.of(serverUrl, issuer);
  }

  /** A grant that cannot be read counts as missing. */
  async of(serverUrl: string, issuer: string): Promise<Grant | undefined> {
    const text = await this.#secrets.get(grantName(serverUrl, issuer));
    if (text === undefined) return undefined;
    try {
      const grant = grantSchema.safeParse(JSON.parse(text)).data;
      return grant?.issuer === issuer ? grant : undefined;
    } catch {
      return undefined;
    }
  }

  async save(serverUrl: string, grant: Grant): Promise<void> {
    const before = await this.#secrets.get(issuerName(serverUrl));
    await this.#secrets.set(grantName(serverUrl, grant.issuer), JSON.stringify(grant));
    await this.#secrets.set(issuerName(serverUrl), grant.issuer);
    // Deletes it, because nothing would refer to it any more.
    if (before !== undefined && before !== grant.issuer)
      await this.#secrets.delete(grantName(serverUrl, before));
  }

  /** Forgets the tokens and the client. */
  async forget(serverUrl: string): Promise<void> {
    const issuer = await this.#secrets.get(issuerName(serverUrl));
    if (issuer !== undefined) await this.#secrets.delete(grantName(serverUrl, issuer));
    await this.#secrets.delete(issuerName(serverUrl));
  }
}

/** The tokens of a response, which says how long they are valid from now on. */
export function tokensOf(
  response: {
    access_token: string;
    refresh_token?: string | undefined;
    expires_in?: number | undefined;
    scope?: string | undefined;
  },
  now: number,
): Tokens {
  const { access_token, refresh_token, expires_in, scope } = response;
  return tokensSchema.parse({
    access_token,
    refresh_token,
    scope,
    ...(expires_in === undefined ? {} : { expiresAt: now + expires_in * 1000 }),
  });
}

function issuerName(serverUrl: string): string {
  return `${PREFIX}-issuer:${addressKey(serverUrl)}`;
}

function grantName(serverUrl: string, issuer: string): string {
  const id = createHash("sha256")
    .update(`${issuer}\n${addressKey(serverUrl)}`)
    .digest("hex");
  return `${PREFIX}-grant:${id}`;
}
