import { isIPv4, isIPv6 } from "node:net";

/** Number of 16-bit groups of an IPv6 address that identify a network: providers assign a /64 to each customer. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/**
 * Returns the key under which the connections of a client address are counted. For IPv4 (including IPv4-mapped IPv6),
 * it is the address itself; for IPv6, its /64 network. Returns `unknown` if the socket no longer has an address.
 */
export function addressKey(address: string | undefined): string {
  const plain = (address ?? "").replace(/%.*$/u, "").toLowerCase();
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/u.exec(plain) ?? [];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  if (isIPv4(plain)) return plain;
  return isIPv6(plain) ? networkOf(plain) : "unknown";
}

function networkOf(address: string): string {
  const [head = "", tail] = address.split("::");
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: Math.max(0, GROUPS - before.length - after.length) }, () => "0");
  const groups = [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16).toString(16));
  // An IPv4-mapped address in hexadecimal notation is an IPv4 address too.
  if (groups.slice(0, 6).join(":") === "0:0:0:0:0:ffff") return dotted(groups.slice(6));
  return `${groups.slice(0, NETWORK_GROUPS).join(":")}::/64`;
}

/** Returns the 16-bit groups of a section of an IPv6 address. A trailing dotted IPv4 notation counts as two groups. */
function groupsOf(part: string): string[] {
  if (part === "") return [];
  return part.split(":").flatMap((group) => {
    if (!isIPv4(group)) return [group];
    const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
    return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
  });
}

function dotted(groups: readonly string[]): string {
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((value) => [value >> 8, value & 255])
    .join(".");
}
