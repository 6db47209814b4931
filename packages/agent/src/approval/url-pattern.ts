import { EngineError } from "@switchyard/contracts";
import { matchesWildcard } from "./match-wildcard.ts";
import type { Fit } from "./rule-match.ts";

/** Whether an address is one that a rule is about. */
export type UrlPattern = (address: URL | undefined) => Fit;

/** Parts of a pattern; what is unset may be anything. */
interface Parts {
  readonly scheme?: string | undefined;
  readonly host: string;
  readonly port?: string | undefined;
  readonly path?: string | undefined;
}

const PATTERN = /^(?:(https?):\/\/)?(\[[0-9a-f:.]+\]|[^/:@?#[\]\s]+)(?::(\d{1,5}))?(\/[^#\s]*)?$/iu;
/** What a server may read as other characters than are written. */
const RESPELLED = /%|\/\/|\\|;/;

/** A host as URLs have it: lower case, other scripts in their ASCII form, no dot at the end. */
function toHost(host: string): string {
  // Wildcards are no part of a host name; a label takes their place meanwhile.
  const asUrl = `http://${host.replaceAll("*", "xwildcardx")}/`;
  const name = URL.canParse(asUrl) ? new URL(asUrl).hostname : host.toLowerCase();
  return name.replaceAll("xwildcardx", "*").replace(/\.$/, "");
}

function parsePattern(pattern: string): Parts {
  const found = PATTERN.exec(pattern.trim());
  if (found === null) {
    const problem = "it is no address; write a host, such as *.example.org, or https://example.org/docs/*";
    throw new EngineError("config.invalid", { field: `approval rule url ${JSON.stringify(pattern)}`, problem });
  }
  const [, scheme, host = "", port, path] = found;
  return { scheme: scheme?.toLowerCase(), host: toHost(host), port, path: path === "/" ? undefined : path };
}

/** A rule that allows means the usual port where it names none, one that forbids any. */
function matchesPort({ port, scheme }: Parts, address: URL, isAllowing: boolean): boolean {
  if (port === undefined) return !isAllowing || address.port === "";
  const usual = (scheme ?? address.protocol.slice(0, -1)) === "https" ? "443" : "80";
  return port === (address.port === "" ? usual : address.port);
}

function matchPath(path: string | undefined, { pathname, search }: URL): Fit {
  if (path === undefined) return "yes";
  // Where a server may see another path than is written, nobody can tell.
  if (RESPELLED.test(pathname)) return "maybe";
  return matchesWildcard(path, pathname) || matchesWildcard(path, pathname + search) ? "yes" : "no";
}

/**
 * Compiles a pattern for addresses; `isAllowing` when it belongs to a rule that allows. What is no address of the web
 * may be any. Throws `config.invalid`.
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

/** An address of the web; nothing where it is none, or where nobody can tell. */
export function toAddress(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === "http:" || url.protocol === "https:" ? url : undefined;
}
