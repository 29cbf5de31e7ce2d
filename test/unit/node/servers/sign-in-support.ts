/** A server that one has to sign in to, and a user who says yes. */
import { onTestFinished } from "vitest";
import type { ServerConnection, ServerConnector, ServerLaunch } from "../../../../src/core/ports/servers.ts";
import type { SignInUi } from "../../../../src/node/servers/auth/sign-in-ui.ts";
import type { ConnectorOptions } from "../../../../src/node/servers/connector.ts";
import {
  type AuthorizationServer,
  type Faults,
  startAuthorizationServer,
} from "../../../support/authorization-server.ts";
import { temporaryFolder } from "../support.ts";
import { connector, neverAborted, recordedEvents } from "./support.ts";

export const REDIRECT = "http://127.0.0.1:1/signed-in";

export const options = { signal: neverAborted, timeoutMs: 20_000 };

/** A user who says yes to everything: visits the address and is sent back. */
export function browser(redirectUrl = REDIRECT): SignInUi & { visited: URL[] } {
  const visited: URL[] = [];
  return {
    visited,
    begin: async () => ({
      redirectUrl,
      async open(address) {
        visited.push(address);
        const response = await fetch(address, { redirect: "manual" });
        return new URL(response.headers.get("location") ?? "");
      },
      close: () => {},
    }),
  };
}

export interface Setting {
  server: AuthorizationServer;
  launch: ServerLaunch;
  own: ServerConnector;
  ui: ReturnType<typeof browser>;
  signIn(): Promise<void>;
  connect(): Promise<ServerConnection>;
}

export async function setting(faults: Faults = {}, more: Partial<ConnectorOptions> = {}): Promise<Setting> {
  const server = await startAuthorizationServer(faults);
  onTestFinished(() => server.close());
  const ui = browser();
  const dataDir = await temporaryFolder();
  const own = await connector({ signIn: [ui], dataDir, ...more });
  const launch: ServerLaunch = { type: "http", url: server.url, headers: {} };
  return {
    server,
    launch,
    own,
    ui,
    signIn: () => own.signIn("sample", launch, neverAborted),
    connect: () => own.connect("sample", launch, recordedEvents(), options),
  };
}

export const SECRET = { type: "text", text: "the secret" };
