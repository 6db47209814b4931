import type { RedactionRules } from "./redaction-rules.ts";
import type { Span } from "./span.ts";

/** A program that accepts a password as an argument. */
interface PasswordOption {
  /** Name of the program, followed by the subcommand if only a subcommand has the option. */
  readonly program: RegExp;
  /** Pattern for the option's text before its value, for example `--password=`. */
  readonly option: RegExp;
  /** Character that separates a user name from the password. `undefined`: the whole value is the password. */
  readonly separator?: ":" | "%" | undefined;
  /** Documentation of the option. */
  readonly source: string;
}

// Value of an option: quoted, or unquoted up to the next blank or quote.
const VALUE = String.raw`\\{0,4}(?:"(?<double>[^"\r\n]{1,512})"|'(?<single>[^'\r\n]{1,512})'|(?<bare>[^\s"'|;<>\\]{1,512}))`;
const MAX_ARGUMENTS = 400;
/** Maximum number of list items that are treated as the arguments of one command. */
const MAX_LIST = 100;

function program(names: string): RegExp {
  return new RegExp(String.raw`(?<![\w.-])(?:${names})(?=\s)`, "gu");
}

function option(names: string): RegExp {
  return new RegExp(String.raw`(?<=\s)(?:${names})${VALUE}`, "dgu");
}

const PASSWORD_OPTIONS: readonly PasswordOption[] = [
  {
    program: program("(?:mysql|mariadb)(?:-?(?:admin|dump|import|show|check|pump|slap|binlog))?|mycli"),
    option: option("-p"),
    source: "https://dev.mysql.com/doc/refman/8.0/en/connection-options.html#option_general_password",
  },
  {
    program: program("sshpass"),
    option: option(String.raw`-p\s?`),
    source: "https://manpages.ubuntu.com/manpages/oracular/man1/sshpass.1.html",
  },
  {
    program: program("curl"),
    option: option(String.raw`(?:-(?!-)[A-Za-z#]{0,8}?[uU]|--(?:proxy-)?user)[\s=]?`),
    separator: ":",
    source: "https://curl.se/docs/manpage.html#-u",
  },
  {
    program: program("https?|xh"),
    option: option(String.raw`(?:-a|--auth)[\s=]?`),
    separator: ":",
    source: "https://manpages.ubuntu.com/manpages/kinetic/man1/http.1.html",
  },
  {
    program: program("redis-cli|valkey-cli"),
    option: option(String.raw`-a\s`),
    source: "https://redis.io/docs/latest/develop/tools/cli/",
  },
  {
    program: program(String.raw`(?:docker|podman|nerdctl|buildah|skopeo|oras|helm\s{1,4}registry)\s{1,4}login`),
    option: option(String.raw`-p[\s=]?`),
    source: "https://manpages.ubuntu.com/manpages/noble/man1/docker-login.1.html",
  },
  {
    program: program("smbclient|rpcclient"),
    option: option(String.raw`(?:-U|--user)[\s=]?`),
    separator: "%",
    source: "https://www.samba.org/samba/docs/current/man-html/smbclient.1.html",
  },
  {
    program: program("openssl"),
    option: option(String.raw`-pass(?:in|out)?\s\\{0,4}["']?pass:`),
    source: "https://manpages.ubuntu.com/manpages/noble/man1/openssl-passphrase-options.1ssl.html",
  },
  {
    program: program("ldap(?:search|modify|add|delete|passwd|whoami|compare)"),
    option: option(String.raw`-w\s?`),
    source: "https://www.openldap.org/software/man.cgi?query=ldapsearch",
  },
  {
    program: program("sqlcmd"),
    option: option(String.raw`-P\s?`),
    source: "https://learn.microsoft.com/previous-versions/sql/sql-server-2012/ms162773(v=sql.110)",
  },
];

const HAS_PROGRAM =
  /(?<![\w.-])(?:mysql|mariadb|mycli|sshpass|curl|https?|xh|redis-cli|valkey-cli|smbclient|rpcclient|openssl|ldap[a-z]+|sqlcmd|login)/u;
const PLACEHOLDER =
  /^(?:[$<{%*[]|(?:my|your)?[-_]?(?:pass(?:word|wd|phrase)?|pwd|pw|secret|token|api[-_]?key)$|xxx|\.\.\.|…|example|changeme)/iu;
/** Pattern for the separators after which the next command of a command line starts. */
const NEXT_COMMAND = /\s(?:\||&&|\|\|)\s|;\s|[\r\n`]/u;

function argumentsAt(text: string, start: number): string {
  const rest = text.slice(start, start + MAX_ARGUMENTS);
  const end = rest.search(NEXT_COMMAND);
  return end === -1 ? rest : rest.slice(0, end);
}

/**
 * Returns the password in an option's value: the text after the separator. If there is no such text, a long user name
 * counts as the password.
 */
function passwordIn(value: string, separator: string | undefined): Span | undefined {
  if (separator === undefined) return { start: 0, end: value.length };
  const at = value.indexOf(separator);
  if (at === -1) return undefined;
  if (at < value.length - 1) return { start: at + 1, end: value.length };
  return at >= 16 ? { start: 0, end: at } : undefined;
}

function* secretsAt(text: string, start: number, row: PasswordOption): Generator<Span> {
  for (const match of argumentsAt(text, start).matchAll(row.option)) {
    const groups = match.indices?.groups;
    const range = groups?.["double"] ?? groups?.["single"] ?? groups?.["bare"];
    if (range === undefined) continue;
    const value = text.slice(start + range[0], start + range[1]);
    const password = passwordIn(value, row.separator);
    if (password === undefined || PLACEHOLDER.test(value.slice(password.start, password.end))) continue;
    yield { start: start + range[0] + password.start, end: start + range[0] + password.end };
  }
}

/** Finds passwords among the arguments of programs that accept them: `mysql -p…`, `curl -u me:…`. */
export function findCommandSecrets(text: string, rules: Pick<RedactionRules, "marker">): Span[] {
  if (!HAS_PROGRAM.test(text)) return [];
  const found: Span[] = [];
  for (const row of PASSWORD_OPTIONS) {
    for (const { index, 0: name } of text.matchAll(row.program)) {
      for (const span of secretsAt(text, index + name.length, row)) {
        if (!text.slice(span.start, span.end).includes(rules.marker)) found.push(span);
      }
    }
  }
  return found;
}

/** Returns whether an item of a command's argument list contains a password. */
export function isSecretArgument(list: readonly unknown[], index: number): boolean {
  if (index >= MAX_LIST) return false;
  const args = list.slice(0, index + 1).filter((item) => typeof item === "string");
  if (args.length !== index + 1) return false;
  const text = args.map((argument) => argument.replace(/[\s"']/gu, "_")).join(" ");
  const start = text.length - (args.at(-1) ?? "").length;
  return findCommandSecrets(text, { marker: " " }).some(({ end }) => end > start);
}
