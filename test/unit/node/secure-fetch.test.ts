/** Which addresses a server may send the sign-in to. */
import { expect, it } from "vitest";
import { requireSecure } from "../../../src/node/servers/auth/secure-fetch.ts";
import { Failed } from "../../../src/node/servers/server-errors.ts";

const REMOTE = "https://mcp.example/mcp";
const HERE = "http://127.0.0.1:3000/mcp";
const NEAR = "https://10.0.0.5/mcp";

function refusal(address: string, server: string): string | undefined {
  try {
    requireSecure(new URL(address), server);
    return undefined;
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    return error.fault?.code;
  }
}

it.each([
  ["https://auth.example/", REMOTE, undefined],
  ["https://93.184.216.34/", REMOTE, undefined],
  ["http://auth.example/", REMOTE, "sign-in-insecure"],
  ["http://auth.example/", HERE, "sign-in-insecure"],
  ["javascript:alert(1)", REMOTE, "sign-in-insecure"],
  ["http://localhost:3001/", HERE, undefined],
  ["https://10.0.0.6/", NEAR, undefined],
  ["http://10.0.0.6/", NEAR, "sign-in-insecure"],
  ["http://localhost/", NEAR, "sign-in-insecure"],
  ...[
    "http://localhost/",
    "https://localhost./",
    "https://127.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://0.0.0.0/",
    "https://169.254.169.254/latest/meta-data",
    "https://192.168.1.1/",
    "https://[fd00::1]/",
    "https://2130706433/",
  ].map((address): [string, string, string] => [address, REMOTE, "sign-in-private"]),
])("%s on behalf of %s: %s", (address, server, expected) => {
  expect(refusal(address, server)).toBe(expected);
});
