/** Loads the ACP SDK, which is a bundle of its own. */

export type AcpSdk = typeof import("./acp-sdk.ts");

export function loadAcpSdk(): Promise<AcpSdk> {
  return import("./acp-sdk.ts");
}
