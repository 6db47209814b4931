import type { RedactionRules } from "./redaction-rules.ts";
import type { Span } from "./span.ts";

const USER_INFO =
  /[a-z][a-z0-9+.-]{0,30}:\/\/(?<user>[^\s/?#:@"'<>\\]{0,256})(?::(?<password>[^\s/?#@"'<>]{1,512}))?@/dgi;
// A query parameter: a name and its value. The parts of the pattern cannot overlap, so matching takes linear time.
const PARAMETER = /[?&;#](?:amp;)?(?<name>[A-Za-z0-9_.~%[\]-]{1,200})=(?<value>[^\s&;#"'<>`\\]{1,4096})/dg;
/** A percent-encoded query parameter, as in a URL inside another URL, or a percent-encoded JSON member. */
const NESTED_PARAMETER =
  /(?:(?<![A-Za-z0-9_.~%-])|%(?:25){0,4}(?:3f|26|3b|23|22|27|20|0a))(?<name>[A-Za-z0-9_.~-]{1,128})%(?:25){0,4}(?:3d|2[27]%(?:25){0,4}3a)(?:%(?:25){0,4}2[027])*(?<value>(?:(?!%(?:25){0,4}(?:26|3b|22|27|7d|2c))[^\s&;#"'<>`\\]){1,4096})/dgi;
/** Secret parameters of signed URLs and login redirects whose names contain no secret word. */
const SIGNATURE =
  /^(?:sig|sign|signature|hmac|code|ticket|policy|awsaccesskeyid|googleaccessid|x-(?:amz|goog|oss|cos|obs|ms)-(?:signature|credential|security-token|token))$/i;
const MIN_TOKEN_LENGTH = 20;

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Returns whether a value was probably generated: it is long, has no separators, and mixes letters and digits. */
function looksLikeToken(value: string): boolean {
  if (value.length < MIN_TOKEN_LENGTH || !/^[A-Za-z0-9_.~+/=%-]+$/.test(value)) return false;
  // The value is a URL with parameters, which are checked separately.
  if (/%(?:25){0,4}(?:3f|26)/i.test(value)) return false;
  return /\d/.test(value) && /[A-Za-z]/.test(value) && countWords(value) < 3;
}

/** Returns the number of alphabetic words separated by dashes or similar. Titles and dates have many, tokens none. */
function countWords(value: string): number {
  return value.split(/[-_.%+/]/).filter((part) => /^[A-Za-z]{2,}$/.test(part)).length;
}

const PLACEHOLDER_USER = /^(?:pass|password|passwd|pw|pwd|secret|token|xxx+|\$\{?[A-Za-z_]+\}?|<.*>|\*+)$/i;

function findUserInfo(text: string, rules: RedactionRules): Span[] {
  const found: Span[] = [];
  for (const match of text.matchAll(USER_INFO)) {
    const { user = "", password } = match.groups ?? {};
    const range = match.indices?.groups?.[password === undefined ? "user" : "password"];
    const value = password ?? user;
    // In a URL without a password, the user name is secret if it looks like a token, unlike that in `git@host`.
    const isSecret = password === undefined ? looksLikeToken(value) : !PLACEHOLDER_USER.test(value);
    if (range !== undefined && isSecret && !value.includes(rules.marker))
      found.push({ start: range[0], end: range[1] });
  }
  return found;
}

function findParameters(text: string, pattern: RegExp, rules: RedactionRules): Span[] {
  const found: Span[] = [];
  for (const match of text.matchAll(pattern)) {
    const { name = "", value = "" } = match.groups ?? {};
    const range = match.indices?.groups?.["value"];
    const decoded = decodeName(name);
    const isSecret = rules.isSecretKey(decoded) || SIGNATURE.test(decoded) || looksLikeToken(value);
    if (range === undefined || !isSecret || value.includes(rules.marker) || /^[${<(]/.test(value)) continue;
    found.push({ start: range[0], end: range[1] });
  }
  return found;
}

/** Finds passwords, secret parameters and signatures in the URLs of a text. */
export function findAddressParts(text: string, rules: RedactionRules): Span[] {
  const found: Span[] = [];
  if (text.includes("://")) found.push(...findUserInfo(text, rules));
  if (text.includes("=")) found.push(...findParameters(text, PARAMETER, rules));
  if (text.includes("%")) found.push(...findParameters(text, NESTED_PARAMETER, rules));
  return found;
}
