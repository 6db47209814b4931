import ipaddr from "ipaddr.js";

/** Addresses that belong to public ranges but lead to internal services of a cloud, such as Azure's agent. */
const METADATA = new Set(["168.63.129.16"]);
/** IPv6 addresses that embed an IPv4 address (NAT64). RFC 6052. */
const NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
/** Range of globally routed IPv6 addresses. RFC 4291. */
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
 * Returns whether an IP address is public: not local, not private, not a cloud metadata service, in any notation in
 * which IPv6 can embed IPv4. An invalid address is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv4 ? isPublicV4(parsed) : isPublicV6(parsed);
}
