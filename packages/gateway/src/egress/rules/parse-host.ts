const MAX_NAME = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/**
 * Matches the last label of a text that an operating system may parse as an IPv4 address, such as `0x7f.1` or
 * `2130706433`.
 */
const NUMBER = /^(?:\d+|0x[0-9a-f]*)$/;
const PORT = /^[1-9]\d{0,4}$/;
const MAX_PORT = 65_535;

/** A host name, or the reason why a text is not one. */
export type ParsedHost = { readonly host: string } | { readonly problem: string };

/**
 * Parses the name of a host and converts it to lower case. Accepts only complete names in ASCII letters, digits,
 * hyphens and dots. Rejects IP addresses in every notation, names without a dot, a dot at the end, and names in
 * Unicode.
 */
export function parseHost(text: string): ParsedHost {
  const host = text.toLowerCase();
  if (text === "") return { problem: "the host name is empty" };
  if (text.length > MAX_NAME) return { problem: `the host name is longer than ${MAX_NAME} characters` };
  if (!/^[\x21-\x7e]+$/.test(text)) return { problem: "the host name contains a character that is not ASCII" };
  if (text.includes(":") || /[[\]]/.test(text)) return { problem: "the host is an IPv6 address, not a name" };
  if (host.endsWith(".")) return { problem: "the host name ends with a dot" };
  const labels = host.split(".");
  if (NUMBER.test(labels.at(-1) ?? "")) return { problem: "the host is an IP address, not a name" };
  if (!labels.every((label) => LABEL.test(label))) return { problem: "the host name is malformed" };
  if (labels.length === 1) return { problem: "the host name has no domain" };
  return { host };
}

/** A host name and a port, or the reason why a text does not contain both. */
export type ParsedAuthority = { readonly host: string; readonly port: number } | { readonly problem: string };

/** Parses `HOST:PORT`. Without a port, `defaultPort` applies; if that is `undefined`, the port is required. */
export function parseAuthority(text: string, defaultPort: number | undefined): ParsedAuthority {
  if (text.includes("@")) return { problem: "the host contains a user name" };
  if (text.includes("[")) return { problem: "the host is an IPv6 address, not a name" };
  const colon = text.indexOf(":");
  const parsed = parseHost(colon === -1 ? text : text.slice(0, colon));
  if ("problem" in parsed) return parsed;
  const port = colon === -1 ? defaultPort : parsePort(text.slice(colon + 1));
  return port === undefined ? { problem: "the port is not a number from 1 to 65535" } : { ...parsed, port };
}

/** Parses a port: a decimal number from 1 to 65535 without leading zeros. Returns `undefined` for any other text. */
export function parsePort(text: string): number | undefined {
  const port = PORT.test(text) ? Number(text) : 0;
  return port >= 1 && port <= MAX_PORT ? port : undefined;
}
