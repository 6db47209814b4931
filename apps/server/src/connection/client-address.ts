import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { EngineError } from "@switchyard/contracts";
import { addressKey } from "./address-key.ts";

/** Addresses of the operator's reverse proxies. */
export interface ProxyList {
  /** Returns whether an address belongs to a trusted proxy. */
  has(address: string | undefined): boolean;
}

/** Returns whether a text is an IP address, or a network in CIDR notation. */
export function isAddressRange(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/u.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/**
 * Parses IP addresses and networks in CIDR notation (`10.0.0.0/8`, `::1`). Throws `config.invalid` for any other text,
 * because a mistyped proxy address must not be ignored.
 */
export function parseProxies(entries: readonly string[]): ProxyList {
  const list = new BlockList();
  for (const entry of entries) {
    if (!isAddressRange(entry)) {
      throw new EngineError("config.invalid", {
        field: "trustedProxies",
        problem: `\`${entry}\` is neither an address nor a network such as 10.0.0.0/8`,
      });
    }
    const [address = "", prefix] = entry.split("/");
    const kind = isIP(address) === 4 ? "ipv4" : "ipv6";
    if (prefix === undefined) list.addAddress(address, kind);
    else list.addSubnet(address, Number(prefix), kind);
  }
  return { has: (address) => isListed(list, address) };
}

function isListed(list: BlockList, address: string | undefined): boolean {
  const plain = unmapped(address);
  const family = isIP(plain);
  return family !== 0 && list.check(plain, family === 4 ? "ipv4" : "ipv6");
}

/** Returns an IP address without its zone. Converts an IPv4-mapped IPv6 address to IPv4. */
function unmapped(address: string | undefined): string {
  const key = addressKey(address);
  return isIP(key) === 4 ? key : (address ?? "").replace(/%.*$/u, "");
}

/**
 * Returns the key under which the connections of the client that sent a request are counted. The client is the peer of
 * the connection. If the peer is a trusted proxy, the client is the last address in `X-Forwarded-For` that is not a
 * trusted proxy. Earlier addresses are ignored, because clients can forge them.
 */
export function clientKeyOf(request: IncomingMessage, proxies: ProxyList): string {
  return addressKey(clientOf(request, proxies));
}

/**
 * Returns the address of the client that sent a request, without its zone. Returns `unknown` if the client has
 * disconnected.
 */
export function clientAddressOf(request: IncomingMessage, proxies: ProxyList): string {
  return unmapped(clientOf(request, proxies)) || "unknown";
}

function clientOf({ socket, headers }: IncomingMessage, proxies: ProxyList): string | undefined {
  const peer = socket.remoteAddress;
  if (!proxies.has(peer)) return peer;
  const header = headers["x-forwarded-for"];
  const hops = String(header ?? "")
    .split(",")
    .map((hop) => addressOf(hop.trim()))
    .reverse();
  const client = hops.find((hop) => !proxies.has(hop));
  return client !== undefined && isIP(client) !== 0 ? client : peer;
}

/** Returns the address in an entry of `X-Forwarded-For`, without port and IPv6 brackets. */
function addressOf(hop: string): string {
  const [, inBrackets] = /^\[([^\]]*)\](?::\d+)?$/u.exec(hop) ?? [];
  if (inBrackets !== undefined) return inBrackets;
  return /^\d+\.\d+\.\d+\.\d+:\d+$/u.test(hop) ? hop.replace(/:\d+$/u, "") : hop;
}
