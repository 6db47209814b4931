import { EngineError } from "@switchyard/contracts";
import { matchesWildcard } from "./match-wildcard.ts";
import type { MatchResult } from "./rule-match.ts";

/** Returns whether a URL matches the pattern. The parameter is `undefined` if the call's target is not a web URL. */
export type UrlPattern = (address: URL | undefined) => MatchResult;

/** Components of a pattern. An `undefined` component matches anything. */
interface Parts {
  readonly scheme?: string | undefined;
  readonly host: string;
  readonly port?: string | undefined;
  readonly path?: string | undefined;
}

const PATTERN = /^(?:(https?):\/\/)?(\[[0-9a-f:.]+\]|[^/:@?#[\]\s]+)(?::(\d{1,5}))?(\/[^#\s]*)?$/iu;
/** Characters that a server may decode differently than this program, so that the two see different paths. */
const RESPELLED = /%|\/\/|\\|;/;

/** Normalises a host as URLs do: lower case, Punycode for other scripts, no trailing dot. */
function toHost(host: string): string {
  // Wildcards are not valid in a host name, so a placeholder label replaces them during parsing.
  const asUrl = `http://${host.replaceAll("*", "xwildcardx")}/`;
  const name = URL.canParse(asUrl) ? new URL(asUrl).hostname : host.toLowerCase();
  return name.replaceAll("xwildcardx", "*").replace(/\.$/, "");
}

function parsePattern(pattern: string): Parts {
  const found = PATTERN.exec(pattern.trim());
  if (found === null) {
    const problem = "it is not a valid address; write a host, such as *.example.org, or https://example.org/docs/*";
    throw new EngineError("config.invalid", { field: `approval rule url ${JSON.stringify(pattern)}`, problem });
  }
  const [, scheme, host = "", port, path] = found;
  return { scheme: scheme?.toLowerCase(), host: toHost(host), port, path: path === "/" ? undefined : path };
}

/**
 * Matches the port. If the pattern has no port, an allow rule matches only the default port, and other rules match any
 * port.
 */
function matchesPort({ port, scheme }: Parts, address: URL, isAllowing: boolean): boolean {
  if (port === undefined) return !isAllowing || address.port === "";
  const usual = (scheme ?? address.protocol.slice(0, -1)) === "https" ? "443" : "80";
  return port === (address.port === "" ? usual : address.port);
}

function matchPath(path: string | undefined, { pathname, search }: URL): MatchResult {
  if (path === undefined) return "yes";
  // The server may decode the URL's path to another path, so the match is uncertain.
  if (RESPELLED.test(pathname)) return "maybe";
  return matchesWildcard(path, pathname) || matchesWildcard(path, pathname + search) ? "yes" : "no";
}

/**
 * Compiles a URL pattern. `isAllowing` is true for allow rules. For a target that is not a web URL, the result is
 * `maybe`; the pattern `*` of a deny or ask rule matches it with certainty. Throws `config.invalid`.
 */
export function compileUrlPattern(pattern: string, isAllowing: boolean): UrlPattern {
  if (pattern.trim() === "*") return (address) => (address === undefined && isAllowing ? "maybe" : "yes");
  const parts = parsePattern(pattern);
  return (address) => {
    if (address === undefined) return "maybe";
    const isScheme = parts.scheme === undefined || address.protocol === `${parts.scheme}:`;
    const host = address.hostname.replace(/\.$/, "");
    if (!isScheme || !matchesWildcard(parts.host, host) || !matchesPort(parts, address, isAllowing)) return "no";
    return matchPath(parts.path, address);
  };
}

/** Parses an `http` or `https` URL. `undefined` if the text is not one. */
export function toAddress(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === "http:" || url.protocol === "https:" ? url : undefined;
}
