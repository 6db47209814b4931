import ipaddr from "ipaddr.js";

/** Public by its number, but answered by the machine's own cloud: Azure's agent. */
const METADATA = new Set(["168.63.129.16"]);
/** Addresses that carry an IPv4 address for a network that only knows IPv6. RFC 6052. */
const NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
/** Where addresses are that the whole Internet reaches. RFC 4291. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === "unicast" && !METADATA.has(address.toString());
}

function isPublicV6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress()) return isPublicV4(address.toIPv4Address());
  if (address.match(NAT64)) return isPublicV4(new ipaddr.IPv4(address.toByteArray().slice(-4)));
  return address.match(GLOBAL_UNICAST) && address.range() === "unicast";
}

/**
 * Whether an IP address is one of the public Internet: not this machine, not its network, not the metadata service of
 * its cloud, in none of the forms in which an IPv6 address can carry an IPv4 one. What is no address is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv4 ? isPublicV4(parsed) : isPublicV6(parsed);
}
