/** What an address says about where its server runs. */

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
