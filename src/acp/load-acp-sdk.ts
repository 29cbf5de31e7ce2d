/**
 * Loads the ACP SDK, which is a bundle of its own. It alone loads on demand: if all of `src/acp` did, the bundler would make
 * every module that it shares with the terminal host initialize on demand, which makes each command start later.
 */

export type AcpSdk = typeof import("./acp-sdk.ts");

export function loadAcpSdk(): Promise<AcpSdk> {
  return import("./acp-sdk.ts");
}
