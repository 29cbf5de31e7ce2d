/** Signing in to a server, with an authorization server that plays every fault. */
import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { Interrupt, SignInNeeded, ToolError } from "../../../../src/core/errors.ts";
import type { Secrets, ServerConnection, ServerLaunch } from "../../../../src/core/ports/servers.ts";
import { failureOf } from "../../../../src/core/servers/server-error.ts";
import { Grants } from "../../../../src/node/servers/auth/grants.ts";
import { loopbackSignIn } from "../../../../src/node/servers/auth/loopback-sign-in.ts";
import { answerOfQuery, type SignInUi } from "../../../../src/node/servers/auth/sign-in-ui.ts";
import type { Fault } from "../../../../src/shared/reason.ts";
import { reasonInEnglish } from "../../../../src/shared/words/reasons/reasons.ts";
import { type Faults, startAuthorizationServer } from "../../../support/authorization-server.ts";
import { browser, options, REDIRECT, SECRET, setting } from "./sign-in-support.ts";
import { connector, memorySecrets, neverAborted, recordedEvents } from "./support.ts";

async function secretOf(connection: ServerConnection): Promise<unknown> {
  onTestFinished(() => connection.close());
  return (await connection.callTool("secret", {}, options)).content[0];
}

describe("signing in", () => {
  it("is needed first, then gives access, also after a restart", async () => {
    const secrets = memorySecrets();
    const { server, launch, own, ui, signIn, connect } = await setting({}, { secrets });
    await expect(connect()).rejects.toBeInstanceOf(SignInNeeded);
    expect(await own.isSignedIn(server.url)).toBe(false);
    await signIn();
    expect(await own.isSignedIn(server.url)).toBe(true);
    expect(await secretOf(await connect())).toEqual(SECRET);
    const [address] = ui.visited;
    expect(Object.fromEntries(address?.searchParams ?? [])).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      redirect_uri: REDIRECT,
      resource: server.url,
      scope: "read",
    });
    const again = await connector({ secrets });
    expect(await secretOf(await again.connect("sample", launch, recordedEvents(), options))).toEqual(SECRET);
    // No token is kept under a readable name, and signing out forgets all.
    await own.signOut(server.url);
    expect([...secrets.entries]).toEqual([]);
    expect(await own.isSignedIn(server.url)).toBe(false);
    await expect(connect()).rejects.toBeInstanceOf(SignInNeeded);
  });

  it("is not offered where the user configured a token", async () => {
    const { server, own } = await setting();
    const launch: ServerLaunch = { type: "http", url: server.url, headers: { authorization: "Bearer own" } };
    await expect(own.connect("sample", launch, recordedEvents(), options)).rejects.toThrow(
      "MCP server sample: the server does not accept the configured Authorization header",
    );
    await expect(own.signIn("sample", launch, neverAborted)).rejects.toBeInstanceOf(ToolError);
    expect(server.count("/authorize")).toBe(0);
  });

  it("registers once for the same authorization server", async () => {
    const { server, signIn } = await setting();
    await signIn();
    await signIn();
    expect(server.count("/register")).toBe(1);
  });

  it("uses a document that describes the client where the authorization server supports that", async () => {
    const clientMetadataUrl = "https://nekode.example/client.json";
    const { server, ui, signIn } = await setting({ clientMetadataDocuments: true }, { clientMetadataUrl });
    await signIn();
    expect(server.count("/register")).toBe(0);
    expect(ui.visited[0]?.searchParams.get("client_id")).toBe(clientMetadataUrl);
  });

  it("takes the next way back if the authorization server does not accept the first", async () => {
    const custom = browser("vscode://nekode.nekode/mcp-signed-in");
    const local = browser();
    const { signIn, connect } = await setting(
      { registration: "custom-schemes-refused" },
      { signIn: [custom, local] },
    );
    await signIn();
    expect([custom.visited.length, local.visited.length]).toEqual([0, 1]);
    expect(await secretOf(await connect())).toEqual(SECRET);
  });

  it("works over an address of this machine, which ends with the sign-in", async () => {
    const foreign: number[] = [];
    let page = "";
    const ui = loopbackSignIn({
      doneText: "Done <now>.",
      async show(address) {
        const redirect = new URL(address.searchParams.get("redirect_uri") ?? "");
        for (const query of ["", "?state=wrong&code=1"]) {
          foreign.push((await fetch(`${redirect.href}${query}`)).status);
        }
        page = redirect.href;
        // As a browser does, after the user said yes.
        void fetch(address).then(async (response) => {
          page = await response.text();
        });
      },
    });
    const { signIn, connect } = await setting({}, { signIn: [ui] });
    await signIn();
    expect(foreign).toEqual([404, 404]);
    await expect.poll(() => page).toContain("Done &lt;now>.");
    expect(await secretOf(await connect())).toEqual(SECRET);
  });

  it.each<[string, Faults, Fault["code"], RegExp?]>([
    [
      "metadata of another issuer",
      { issuer: "https://evil.example" },
      "sign-in-other-metadata",
      /^http:\/\/127/,
    ],
    ["metadata of another resource", { resource: "https://other.example/mcp" }, "sign-in-other-resource"],
    ["metadata of the resource that is not JSON", { garbage: "resource" }, "sign-in-invalid", /JSON/],
    ["metadata of the server that is not JSON", { garbage: "server" }, "sign-in-invalid", /JSON/],
    ["no metadata", { noMetadata: true }, "sign-in-no-metadata", /^http:\/\/127/],
    ["no PKCE", { noPkce: true }, "sign-in-no-pkce", /^http:\/\/127/],
    [
      "a registration that is refused",
      { registration: "refused" },
      "sign-in-not-registered",
      /^400: .*invalid_redirect_uri/,
    ],
    ["no registration", { registration: "none" }, "sign-in-no-registration"],
    [
      "metadata that cannot be read",
      { failing: "/.well-known/oauth-authorization-server" },
      "sign-in-status",
      /^500$/,
    ],
    [
      "an insecure token endpoint",
      { tokenEndpoint: "http://auth.example/token" },
      "sign-in-insecure",
      /^http:\/\/auth.example$/,
    ],
    [
      "an insecure page",
      { authorizationEndpoint: "http://auth.example/authorize" },
      "sign-in-insecure",
      /auth/,
    ],
    ["a page that is a script", { authorizationEndpoint: "javascript:alert(1)" }, "sign-in-invalid", /./],
    [
      "an answer from another issuer",
      { answer: { iss: "https://evil.example" } },
      "sign-in-other-issuer",
      /^http:\/\/127/,
    ],
    [
      "a refusal from another issuer",
      { answer: { iss: "https://evil.example", error: "access_denied" } },
      "sign-in-other-issuer",
      /^http:\/\/127/,
    ],
    ["an answer to another request", { answer: { state: "wrong" } }, "sign-in-other-state"],
    [
      "an answer that refuses",
      { answer: { error: "access_denied" } },
      "sign-in-denied",
      /^access_denied: The user said no\.$/,
    ],
    ["an answer without a code", { answer: { code: "none" } }, "sign-in-no-code"],
    [
      "a code that is refused",
      { token: { grant: "authorization_code", error: "invalid_grant" } },
      "sign-in-code-refused",
      /^invalid_grant/,
    ],
    [
      "a token endpoint that fails",
      { token: { grant: "authorization_code", error: "server_error", status: 500 } },
      "sign-in-refused",
      /^server_error/,
    ],
  ])("fails with %s", async (_, faults, code, value = /^$/) => {
    const secrets = memorySecrets();
    const { signIn, connect } = await setting(faults, { secrets });
    const error = await signIn().catch((each: unknown) => each);
    expect(error).toBeInstanceOf(ToolError);
    expect(String(error)).toMatch(/^ToolError: Signing in to MCP server sample failed: /);
    const { reason } = failureOf(error);
    expect(reason.code).toBe(code);
    expect(reason.values[0] ?? "").toMatch(value);
    expect(String(error)).toContain(`failed: ${reasonInEnglish(reason)}.`);
    // Nothing of an answer that may be an attacker's is shown.
    expect(String(error)).not.toContain("evil");
    expect([...secrets.entries]).toEqual([]);
    await expect(connect()).rejects.toBeInstanceOf(SignInNeeded);
  });

  it("sends neither code nor tokens to where the token endpoint redirects", async () => {
    const seen: string[] = [];
    const other = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.end("{}");
    }).listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = typeof address === "object" ? address?.port : 0;
    const { signIn } = await setting({ tokenRedirect: `http://127.0.0.1:${port}/token` });
    await expect(signIn()).rejects.toThrow(/^Signing in to MCP server sample failed/);
    expect(seen).toEqual([]);
  });

  it("stops when the caller stops, and when the user starts again", async () => {
    const opened: (() => void)[] = [];
    const patient: SignInUi = {
      begin: async () => ({
        redirectUrl: REDIRECT,
        open: () => {
          for (const tell of opened.splice(0)) tell();
          return new Promise<URL>(() => {});
        },
        close: () => {},
      }),
    };
    const isOpen = () => new Promise<void>((resolve) => opened.push(resolve));
    const { launch, own } = await setting({}, { signIn: [patient] });
    const first = isOpen();
    const replaced = own.signIn("sample", launch, neverAborted);
    replaced.catch(() => {});
    await first;
    const second = isOpen();
    const stop = new AbortController();
    const stopped = own.signIn("sample", launch, stop.signal);
    stopped.catch(() => {});
    await expect(replaced).rejects.toBeInstanceOf(Interrupt);
    await second;
    stop.abort();
    await expect(stopped).rejects.toBeInstanceOf(Interrupt);
  });

  it("stops at an authorization server that does not answer", async () => {
    const { launch, own, server } = await setting({ silent: "/.well-known/oauth-authorization-server" });
    const stop = new AbortController();
    const signing = own.signIn("sample", launch, stop.signal);
    signing.catch(() => {});
    await expect.poll(() => server.count("/.well-known/oauth-authorization-server")).toBe(1);
    stop.abort();
    await expect(signing).rejects.toBeInstanceOf(Interrupt);
  });

  it("is needed again for a call that requires more, and then asks for that", async () => {
    const { ui, signIn, connect } = await setting({ callScope: "write" });
    await signIn();
    const connection = await connect();
    onTestFinished(() => connection.close());
    await expect(connection.callTool("secret", {}, options)).rejects.toBeInstanceOf(SignInNeeded);
    await signIn();
    expect(ui.visited[1]?.searchParams.get("scope")).toBe("read write");
    expect((await connection.callTool("secret", {}, options)).content).toEqual([SECRET]);
  });
});

it("a sign-in at another authorization server replaces the one before", async () => {
  const secrets = memorySecrets();
  const grants = new Grants(secrets);
  const client = { client_id: "one" };
  const url = "https://mcp.example/v1";
  for (const issuer of ["https://first.example", "https://second.example"])
    await grants.save(url, { issuer, client, tokens: { access_token: `of ${issuer}` } });
  expect([...secrets.entries.values()].join()).not.toContain("of https://first.example");
  expect((await grants.current(url))?.tokens?.access_token).toBe("of https://second.example");
  await grants.forget(url);
  expect([...secrets.entries]).toEqual([]);
});

it("an answer that an editor has decoded is read as it is", () => {
  const { searchParams } = answerOfQuery("windowId=1&code=a+b/c==&state=x%20y&iss=https://auth.example");
  expect(Object.fromEntries(searchParams)).toEqual({
    windowId: "1",
    code: "a+b/c==",
    state: "x%20y",
    iss: "https://auth.example",
  });
});

describe("a token", () => {
  it("that has expired is refreshed before it is sent", async () => {
    const { server, signIn, connect } = await setting({ expiresIn: 0 });
    await signIn();
    server.faults.expiresIn = 3600;
    expect(await secretOf(await connect())).toEqual(SECRET);
    expect(server.requests.filter(({ body }) => body.includes("grant_type=refresh_token"))).toHaveLength(1);
    // It is for this server, as the first one was.
    const refresh = server.requests.find(({ body }) => body.includes("grant_type=refresh_token"));
    expect(new URLSearchParams(refresh?.body).get("resource")).toBe(server.url);
  });

  it("that the server no longer accepts is refreshed once", async () => {
    const { server, signIn, connect } = await setting();
    await signIn();
    const connection = await connect();
    server.revokeAccess();
    expect(await secretOf(connection)).toEqual(SECRET);
    expect(server.count("/token")).toBe(2);
  });

  it("that cannot be refreshed any more is forgotten, and signing in is needed", async () => {
    const secrets = memorySecrets();
    const { server, own, signIn, connect } = await setting({}, { secrets });
    await signIn();
    const connection = await connect();
    onTestFinished(() => connection.close());
    server.revokeAccess();
    server.revokeRefresh();
    await expect(connection.callTool("secret", {}, options)).rejects.toBeInstanceOf(SignInNeeded);
    expect([...secrets.entries.values()].join()).not.toContain("access_token");
    expect(await own.isSignedIn(server.url)).toBe(false);
    const before = server.count("/token");
    await expect(connection.callTool("secret", {}, options)).rejects.toBeInstanceOf(SignInNeeded);
    expect(server.count("/token")).toBe(before);
  });

  it("of a client that the authorization server has forgotten leads to another registration", async () => {
    const { server, signIn, connect } = await setting();
    await signIn();
    const connection = await connect();
    onTestFinished(() => connection.close());
    server.revokeAccess();
    server.faults.token = { grant: "refresh_token", error: "invalid_client", status: 401 };
    await expect(connection.callTool("secret", {}, options)).rejects.toBeInstanceOf(SignInNeeded);
    await signIn();
    expect(server.count("/register")).toBe(2);
  });

  it("stays if the authorization server fails for a while", async () => {
    const { server, signIn, connect } = await setting();
    await signIn();
    const connection = await connect();
    onTestFinished(() => connection.close());
    server.revokeAccess();
    server.faults.token = { grant: "refresh_token", error: "server_error", status: 503 };
    const failing = connection.callTool("secret", {}, options);
    await expect(failing).rejects.toThrow("The sign-in to MCP server sample could not be renewed");
    await expect(failing).rejects.not.toBeInstanceOf(SignInNeeded);
    delete server.faults.token;
    expect((await connection.callTool("secret", {}, options)).content).toEqual([SECRET]);
  });

  it("is sent to its own server only", async () => {
    const secrets: Secrets = memorySecrets();
    const { signIn, own } = await setting({}, { secrets });
    await signIn();
    const other = await startAuthorizationServer();
    onTestFinished(() => other.close());
    const launch: ServerLaunch = { type: "http", url: other.url, headers: { "x-own": "1" } };
    await expect(own.connect("sample", launch, recordedEvents(), options)).rejects.toBeInstanceOf(
      SignInNeeded,
    );
    expect(other.requests.map(({ authorization }) => authorization).filter(Boolean)).toEqual([]);
  });
});
