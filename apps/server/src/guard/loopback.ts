import { BlockList, isIP } from "node:net";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/**
 * Returns whether an address to listen on is reachable from this machine only. Returns false for names other than
 * `localhost`, because they may resolve to any address.
 */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === "localhost";
  return LOOPBACK.check(host, family === 4 ? "ipv4" : "ipv6");
}
