/** The network addresses that pages may be fetched from: only public ones. */
import { BlockList, isIP } from "node:net";

/** Networks that are not public, with the bits of their prefixes. */
const CLOSED_NETWORKS = {
  ipv4: [
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
    ["172.16.0.0", 12],
    ["192.0.0.0", 24],
    ["192.0.2.0", 24],
    ["192.88.99.0", 24],
    ["192.168.0.0", 16],
    ["198.18.0.0", 15],
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
    ["224.0.0.0", 4],
    ["240.0.0.0", 4],
  ],
  ipv6: [
    ["::", 96],
    // Translated, tunneled and mapped addresses reach an IPv4 address of the sender's choice.
    ["::ffff:0:0", 96],
    ["64:ff9b::", 96],
    ["64:ff9b:1::", 48],
    ["100::", 64],
    ["2001::", 23],
    ["2001:db8::", 32],
    ["2002::", 16],
    ["fc00::", 7],
    ["fe80::", 10],
    ["fec0::", 10],
    ["ff00::", 8],
  ],
} as const;

/**
 * The same networks as ranges such as `10.0.0.0/8`. An address is compared with the ranges of its own family, because
 * some programs, Chromium among them, take every IPv4 address for one of the IPv6 range of mapped addresses.
 */
export const CLOSED_RANGES: Readonly<Record<keyof typeof CLOSED_NETWORKS, readonly string[]>> = {
  ipv4: CLOSED_NETWORKS.ipv4.map(([network, bits]) => `${network}/${bits}`),
  ipv6: CLOSED_NETWORKS.ipv6.map(([network, bits]) => `${network}/${bits}`),
};

/** Two lists for the same reason, made for the first address. */
let closed: Readonly<Record<keyof typeof CLOSED_NETWORKS, BlockList>> | undefined;

function closedLists(): NonNullable<typeof closed> {
  if (closed) return closed;
  closed = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const [network, bits] of CLOSED_NETWORKS.ipv4) closed.ipv4.addSubnet(network, bits, "ipv4");
  for (const [network, bits] of CLOSED_NETWORKS.ipv6) closed.ipv6.addSubnet(network, bits, "ipv6");
  return closed;
}

/** Whether the text is a public IP address, without brackets or zone. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  const kind = family === 6 ? "ipv6" : "ipv4";
  return !closedLists()[kind].check(address, kind);
}
