import { domainToASCII } from "node:url";
import { EngineError } from "@switchyard/contracts";
import { NAMED_LISTS } from "./named-lists.ts";
import { parseHost, parsePort } from "./parse-host.ts";

const PREFIX = "list:";
const MAX_ENTRIES = 256;
const HTTPS_PORT = 443;

/** Hosts and a port that an environment may connect to. */
export interface EgressRule {
  /** Lower-case host name, without `*.`. */
  readonly host: string;
  /** True if the rule allows every host below `host`, at any depth, but not `host` itself. */
  readonly isWildcard: boolean;
  /** The only port that the rule allows. */
  readonly port: number;
}

/** Returns whether the value of a network setting is a list of hosts, as opposed to the name of a network. */
export function isEgressList(text: string): boolean {
  return text.startsWith(PREFIX);
}

/**
 * Parses a network setting of the form `list:ENTRY,…`. An entry is one of these:
 *
 * - `HOST` or `HOST:PORT` allows one port of one host. Default port: 443.
 * - `*.DOMAIN` or `*.DOMAIN:PORT` allows one port of every host below a domain, at any depth, but not of the domain.
 * - `registries` and `git-hosts` allow the hosts of a named list.
 *
 * Letter case does not matter. IP addresses are not allowed. Throws `config.invalid`, with the entry and the problem,
 * for an invalid or empty list, and for more than 256 entries.
 */
export function parseEgressRules(text: string): readonly EgressRule[] {
  if (!isEgressList(text)) throw invalid(`it does not start with \`${PREFIX}\``);
  const entries = text
    .slice(PREFIX.length)
    .split(",")
    .map((entry) => entry.trim());
  if (entries.every((entry) => entry === "")) throw invalid("the list contains no host; use `none` for no network");
  if (entries.length > MAX_ENTRIES) throw invalid(`the list has more than ${MAX_ENTRIES} entries`);
  return entries.flatMap(parseEntry);
}

function parseEntry(entry: string): readonly EgressRule[] {
  if (isListName(entry)) return NAMED_LISTS[entry].map(parseHostEntry);
  return [parseHostEntry(entry)];
}

function isListName(entry: string): entry is keyof typeof NAMED_LISTS {
  return Object.hasOwn(NAMED_LISTS, entry);
}

function parseHostEntry(entry: string): EgressRule {
  if (entry === "") throw invalid("the list contains an empty entry");
  if (/[/@\\?#]/.test(entry)) throw invalid(`\`${entry}\` is not a host: an entry has no scheme, user or path`);
  const isWildcard = entry.startsWith("*.");
  const [name = "", port, ...rest] = (isWildcard ? entry.slice(2) : entry).split(":");
  if (isWildcard && !name.includes(".")) throw invalid(`\`${entry}\` allows a whole top-level domain`);
  const parsed = parseHost(name);
  if ("problem" in parsed || rest.length > 0) throw invalid(describe(entry, name, parsed));
  const number = port === undefined ? HTTPS_PORT : parsePort(port);
  if (number === undefined) throw invalid(`the port of \`${entry}\` is not a number from 1 to 65535`);
  return { host: parsed.host, isWildcard, port: number };
}

function describe(entry: string, name: string, parsed: ReturnType<typeof parseHost>): string {
  const ascii = domainToASCII(name);
  // A Unicode host name may look like the name of another host. The user must therefore write the ASCII form, which
  // shows which host is meant.
  if (/[^\x20-\x7e]/.test(name) && ascii !== "") return `\`${entry}\` is not ASCII; if you mean it, write \`${ascii}\``;
  if (!name.includes(".") && /^[a-z-]+$/i.test(name)) {
    return `\`${entry}\` is neither a host nor a named list (${Object.keys(NAMED_LISTS).join(", ")})`;
  }
  return `\`${entry}\` cannot be allowed: ${"problem" in parsed ? parsed.problem : "it contains several colons"}`;
}

function invalid(problem: string): EngineError {
  return new EngineError("config.invalid", { field: "env_network", problem });
}
