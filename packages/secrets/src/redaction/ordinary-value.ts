import { toUpperSnake } from "../detection/is-secret-name.ts";

/** Context of a name-value pair in a text. */
export interface PairContext {
  /** Name as written. */
  readonly name: string;
  /** Text between the name and the value, such as `=`, `: ` or `" : `. */
  readonly mark: string;
  /** The two characters before the name, or fewer at the start of the text. */
  readonly before: string;
  /** The character after the value. Empty at the end of the text. */
  readonly after: string;
  /**
   * True if the form of the name-value pair also occurs in ordinary sentences. Then only a random-looking value counts
   * as a credential.
   */
  readonly isLoose: boolean;
  /** True if the value is in quotes. */
  readonly isQuoted: boolean;
}

// Words that often follow names such as `token` or `password` but are not credentials: prose, types, settings.
const ORDINARY =
  /^(?:true|false|yes|no|on|off|null|nil|none|undefined|nan|missing|required|optional|invalid|valid|expired|unset|set|empty|unknown|wrong|incorrect|denied|refused|rejected|failed|failure|success|ok|not|is|was|are|has|must|should|cannot|can|the|an?|in|of|for|from|to|with|and|or|if|string|str|number|boolean|bool|int|integer|float|object|any|never|void|bytes?|buffer|text|function|async|await|new|type|typeof|return|const|let|var|keyof|readonly|import|export|public|private|static|enabled|disabled|present|absent|hidden|masked|redacted|example|changeme|placeholder|default|trust|basic|bearer|oauth2?|digest|ntlm|ident|peer)$/i;
const PLACEHOLDER = /^(?:\$|\{|<|%[A-Za-z_]+%|\(|\[|\/[/*]|…|\.{3}|\*{3,}|x{6,}$|-{2,}|={2,}|>)/i;
const TYPE = /^(?:Big)?(?:[Uu]?[Ii]nt|Float)\d{1,2}(?:Clamped)?(?:Array)?$/;
// Member access in source code, such as `config.token`.
const MEMBER = /^[A-Za-z_$][\w$]*(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$]*)+$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const NUMBER = /^[+-]?[\d.,:_]+(?:%|ms|s|k|kb|mb)?$/i;
/** Names whose numeric values are passwords, not counts. */
const PASSWORD = /(?:PASSWORD|PASSWD|PASSPHRASE|PASSCODE|PWD|PIN)(?:_(?:ID|VALUE|HEADER|ENV))?$/;
const STRONG =
  /(?:PASSWORD|PASSWD|PASSPHRASE|PASSCODE|PWD|SECRET|CREDENTIALS?|CREDS|AUTHORIZATION|COOKIE|(?:API|ACCESS|SECRET|PRIVATE|ENCRYPTION|SIGNING|AUTH|CLIENT)_?KEY|[A-Z0-9]_?TOKEN)(?:_(?:ID|VALUE|HEADER|ENV))?$/;

/** Returns whether a text looks random: it contains letters and digits, or is long and mixes cases or punctuation. */
function looksRandom(value: string): boolean {
  if (/\d/.test(value) && /[A-Za-z]/.test(value) && value.length >= 5) return true;
  if (value.length < 12) return false;
  return /[a-z][A-Z]+[a-z]+[A-Z]/.test(value) || /[A-Za-z][+/_=~.!@#$%^*-][A-Za-z].*[+/_=~!@#$%^*-]/.test(value);
}

/** Words with letters and digits that occur in ordinary sentences: algorithms, versions and counts. */
const ORDINARY_WITH_DIGITS =
  /^(?:sha-?\d+|md\d|base\d\d|utf-?\d+|(?:ed|x|curve)\d+|(?:rsa|aes|des|hmac)[-\w]*|[hrep]s\d{3}|oauth2?(?:\.0)?|v\d[\w.-]*|\d+(?:st|nd|rd|th)|\d+-?(?:bits?|bytes?|chars?|characters|days?|hours?|minutes?|seconds?))$/i;

/** Returns whether a value looks random enough to be a credential, even where ordinary sentences have the same form. */
function isClearlyRandom(value: string, snake: string): boolean {
  if (ORDINARY_WITH_DIGITS.test(value)) return false;
  if (/\d/.test(value) && /[A-Za-z]/.test(value)) return value.length >= (PASSWORD.test(snake) ? 6 : 8);
  return STRONG.test(snake) && looksRandom(value);
}

/** Returns whether a text refers to a secret instead of containing it: `${TOKEN}`, `<your token>`, `secret-${id}`. */
export function isReference(value: string): boolean {
  if (/^(?:[A-Z]+_)*(?:TOKEN|KEY|SECRET|PASSWORD)$/.test(value)) return true;
  return /^(?:\$\{?|<|\{\{|%\(|\*{3})/.test(value) || value.includes("${");
}

/**
 * Returns whether a value repeats a word of its name, as error codes and field names do: `secret: "secret_missing"`.
 */
function repeatsName(value: string, name: string): boolean {
  const [keyword = ""] = /(?:key|token|secret|password|auth|cookie|credential)/i.exec(name) ?? [];
  return (
    keyword !== "" &&
    !/\d/.test(value) &&
    /^[A-Za-z_.:/ -]+$/.test(value) &&
    value.toLowerCase().includes(keyword.toLowerCase())
  );
}

/**
 * Returns whether a name is a URL parameter. A `#` alone does not prove it, because `#key` in source code is a private
 * field.
 */
function isParameter(before: string): boolean {
  return /[?&]$|[\w/]#$/.test(before);
}

/** Values that are not credentials: file names, escapes, and values without letters and digits. */
const NO_CREDENTIAL = /^(?:~\/|\.{1,2}\/|\\[ux]|[^A-Za-z0-9]*$)|\.(?:ya?ml|json|pem|txt|env|toml|ts|js|mjs|md)$/;

function isCode(value: string, { name, mark, before, after, isQuoted }: PairContext): boolean {
  if (isQuoted) return false;
  if (after === "(" || after === "[" || after === "`" || after === "<" || /[([]/.test(value)) return true;
  if (MEMBER.test(value) && !/\d{3}/.test(value)) return true;
  if (!IDENTIFIER.test(value)) return false;
  // In `token = token`, `f(key=key)` and `{ token: tokenOf }`, the value is an identifier that resembles the name.
  if (value.toLowerCase().includes(name.toLowerCase()) || name.toLowerCase().includes(value.toLowerCase())) {
    return !isParameter(before);
  }
  return !/\d/.test(value) && (mark.trim() !== mark || /[;,)]/.test(after)) && !isParameter(before);
}

/**
 * Returns whether the value of a pair in prose or source code is not a credential: a count, a word, a type, a reference
 * or a placeholder. After `=`, in quotes or in a URL, the value of a credential-like name counts as a credential unless
 * it clearly is something else. After a colon, a weak name such as `key` requires a value that looks random.
 */
export function isOrdinaryValue(value: string, context: PairContext): boolean {
  const { name, mark, before, isQuoted } = context;
  const snake = toUpperSnake(name);
  if (value === "" || (!isQuoted && PLACEHOLDER.test(value)) || isReference(value) || TYPE.test(value)) return true;
  if (NUMBER.test(value)) return !(PASSWORD.test(snake) && value.length > 3);
  if (isParameter(before)) return false;
  if (NO_CREDENTIAL.test(value)) return true;
  if (isQuoted && repeatsName(value, name)) return true;
  if (ORDINARY.test(value.replace(/[.!?:]+$/, "")) || isCode(value, context)) return true;
  if (context.isLoose && !isQuoted && !isClearlyRandom(value, snake)) return true;
  const isStrong = STRONG.test(snake);
  const isTight = mark.includes("=") && mark.trim() === mark;
  if (isStrong) return isQuoted && /\s/.test(value) && !looksRandom(value) && !/^["']?:|=/.test(mark.trim());
  return isTight && !isQuoted ? false : !looksRandom(value);
}
