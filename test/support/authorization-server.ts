/**
 * An MCP server over HTTP that requires signing in, and its authorization server, both on one port of this machine. `faults` says
 * what goes wrong.
 */
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { answered } from "./answered.ts";

export interface Faults {
  /** The issuer in the metadata. */
  issuer?: string;
  /** The resource in the metadata. */
  resource?: string;
  /** The metadata of the resource, or of the authorization server, is not JSON. */
  garbage?: "resource" | "server";
  noPkce?: boolean;
  noMetadata?: boolean;
  registration?: "refused" | "custom-schemes-refused" | "none";
  tokenEndpoint?: string;
  authorizationEndpoint?: string;
  /** What the user's browser is sent back with. */
  answer?: { state?: string; iss?: string; error?: string; code?: "none" };
  /** Status and error of the token endpoint. */
  token?: { grant: "authorization_code" | "refresh_token"; error: string; status?: number };
  /** The token endpoint redirects there. */
  tokenRedirect?: string;
  /** Seconds that tokens are valid; 0: they are expired at once. */
  expiresIn?: number;
  /** Requests to this path are never answered. */
  silent?: string;
  /** Requests to this path are answered with status 500. */
  failing?: string;
  clientMetadataDocuments?: boolean;
  /** A scope that calls require besides signing in. */
  callScope?: string;
}

export interface AuthorizationServer {
  /** Of the MCP server. */
  url: string;
  origin: string;
  faults: Faults;
  /** Requests by path, with their bodies. */
  requests: { path: string; body: string; authorization: string | undefined }[];
  /** Requests to a path. */
  count(path: string): number;
  /** All access tokens stop being valid. */
  revokeAccess(): void;
  /** All refresh tokens stop being valid. */
  revokeRefresh(): void;
  close(): void;
}

interface Code {
  challenge: string;
  redirect: string;
  resource: string | null;
  scope: string;
}

export async function startAuthorizationServer(faults: Faults = {}): Promise<AuthorizationServer> {
  const codes = new Map<string, Code>();
  const access = new Map<string, { scope: string; until: number }>();
  const refresh = new Map<string, string>();
  const requests: AuthorizationServer["requests"] = [];
  const server = createServer(answered(handle));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  const origin = `http://127.0.0.1:${address.port}`;
  const url = `${origin}/mcp`;

  const json = (response: ServerResponse, status: number, value: unknown, headers = {}): ServerResponse => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    return response.end(JSON.stringify(value));
  };

  function handle(request: IncomingMessage, response: ServerResponse, body: string): unknown {
    const asked = new URL(request.url ?? "/", origin);
    const { authorization } = request.headers;
    requests.push({ path: asked.pathname, body, authorization });
    if (asked.pathname === self.faults.silent) return undefined;
    if (asked.pathname === self.faults.failing) return json(response, 500, {});
    switch (asked.pathname) {
      case "/mcp":
        return resource(request, response, body);
      case "/.well-known/oauth-protected-resource/mcp":
        if (self.faults.garbage === "resource") return response.end("<html>");
        return json(response, 200, {
          resource: self.faults.resource ?? url,
          authorization_servers: [origin],
          scopes_supported: ["read"],
        });
      case "/.well-known/oauth-authorization-server":
        if (self.faults.noMetadata) return json(response, 404, {});
        if (self.faults.garbage === "server") return response.end("<html>");
        return json(response, 200, metadata());
      case "/register":
        return register(response, body);
      case "/authorize":
        return authorize(response, asked);
      case "/token":
        return token(response, new URLSearchParams(body));
      default:
        return json(response, 404, {});
    }
  }

  function metadata() {
    return {
      issuer: self.faults.issuer ?? origin,
      authorization_endpoint: self.faults.authorizationEndpoint ?? `${origin}/authorize`,
      token_endpoint: self.faults.tokenEndpoint ?? `${origin}/token`,
      ...(self.faults.registration === "none" ? {} : { registration_endpoint: `${origin}/register` }),
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["none"],
      authorization_response_iss_parameter_supported: true,
      ...(self.faults.noPkce ? {} : { code_challenge_methods_supported: ["S256"] }),
      ...(self.faults.clientMetadataDocuments ? { client_id_metadata_document_supported: true } : {}),
    };
  }

  function register(response: ServerResponse, body: string): ServerResponse {
    const asked: { redirect_uris: string[] } = JSON.parse(body);
    const isCustom = asked.redirect_uris.some((uri) => !uri.startsWith("http"));
    const refused =
      self.faults.registration === "refused" ||
      (self.faults.registration === "custom-schemes-refused" && isCustom);
    if (refused) return json(response, 400, { error: "invalid_redirect_uri" });
    return json(response, 201, { ...asked, client_id: randomUUID() });
  }

  function authorize(response: ServerResponse, asked: URL): ServerResponse {
    const { searchParams } = asked;
    const code = randomUUID();
    const redirect = searchParams.get("redirect_uri") ?? "";
    codes.set(code, {
      challenge: searchParams.get("code_challenge") ?? "",
      redirect,
      resource: searchParams.get("resource"),
      scope: searchParams.get("scope") ?? "",
    });
    const { answer = {} } = self.faults;
    const back = new URL(redirect);
    back.searchParams.set("state", answer.state ?? searchParams.get("state") ?? "");
    back.searchParams.set("iss", answer.iss ?? origin);
    if (answer.error === undefined) {
      if (answer.code !== "none") back.searchParams.set("code", code);
    } else {
      back.searchParams.set("error", answer.error);
      back.searchParams.set("error_description", "The user said no.");
    }
    return response.writeHead(302, { location: back.href }).end();
  }

  function token(response: ServerResponse, asked: URLSearchParams): ServerResponse {
    const { token: fault, tokenRedirect } = self.faults;
    if (tokenRedirect !== undefined) {
      return response.writeHead(307, { location: tokenRedirect }).end();
    }
    const grant = asked.get("grant_type");
    if (fault && fault.grant === grant) return json(response, fault.status ?? 400, { error: fault.error });
    if (grant === "refresh_token") {
      const old = asked.get("refresh_token") ?? "";
      const scope = refresh.get(old);
      // Each refresh token is valid once, as OAuth 2.1 requires of public clients.
      refresh.delete(old);
      return scope === undefined
        ? json(response, 400, { error: "invalid_grant" })
        : json(response, 200, issue(scope));
    }
    const code = codes.get(asked.get("code") ?? "");
    codes.delete(asked.get("code") ?? "");
    const verifier = createHash("sha256")
      .update(asked.get("code_verifier") ?? "")
      .digest("base64url");
    const isValid =
      code?.challenge === verifier &&
      code.redirect === asked.get("redirect_uri") &&
      asked.get("resource") === url &&
      code.resource === url;
    return isValid ? json(response, 200, issue(code.scope)) : json(response, 400, { error: "invalid_grant" });
  }

  function issue(scope: string) {
    const { expiresIn = 3600 } = self.faults;
    const [access_token, refresh_token] = [randomUUID(), randomUUID()];
    // An expired token is one whose end passed; the client only looks at `expires_in`.
    access.set(access_token, { scope, until: Date.now() + Math.max(expiresIn, 60) * 1000 });
    refresh.set(refresh_token, scope);
    return { access_token, refresh_token, token_type: "Bearer", expires_in: expiresIn, scope };
  }

  function resource(request: IncomingMessage, response: ServerResponse, body: string): ServerResponse {
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const granted = access.get(bearer);
    const where = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
    if (!granted || granted.until < Date.now())
      return json(response, 401, {}, { "www-authenticate": `Bearer ${where}, scope="read"` });
    if (request.method !== "POST") return json(response, 405, {});
    const message: { id?: number; method: string; params?: { name?: string } } = JSON.parse(body);
    if (message.id === undefined) return response.writeHead(202).end();
    const { callScope } = self.faults;
    if (message.method === "tools/call" && callScope && !granted.scope.split(" ").includes(callScope)) {
      const challenge = `Bearer ${where}, error="insufficient_scope", scope="${callScope}"`;
      return json(response, 403, {}, { "www-authenticate": challenge });
    }
    const result = RESULTS[message.method];
    const { id } = message;
    const reply = result ? { result } : { error: { code: -32601, message: "Method not found" } };
    return json(response, 200, { jsonrpc: "2.0", id, ...reply });
  }

  const self: AuthorizationServer = {
    url,
    origin,
    faults,
    requests,
    count: (path) => requests.filter((request) => request.path === path).length,
    revokeAccess: () => access.clear(),
    revokeRefresh: () => refresh.clear(),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return self;
}

const RESULTS: Record<string, unknown> = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "guarded", version: "1.0.0" },
  },
  "tools/list": { tools: [{ name: "secret", inputSchema: { type: "object" } }] },
  "tools/call": { content: [{ type: "text", text: "the secret" }] },
};
