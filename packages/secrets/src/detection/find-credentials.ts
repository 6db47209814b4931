import { CREDENTIAL_SHAPES, type CredentialShape } from "./credential-shapes.ts";

/** A place in a text that has the form of a credential. */
export interface FoundCredential {
  /** Kind of credential: `github`, `aws`, `jwt`, `private_key`, … */
  readonly kind: string;
  /** Where it begins, in UTF-16 units. */
  readonly start: number;
  /** Where it ends, exclusive. */
  readonly end: number;
}

// What documentation writes in place of a credential: samples of vendors, placeholders, runs of one character.
const PLACEHOLDER =
  /example|placeholder|redacted|changeme|dummy|your[-_]?(?:api|key|token|secret)|x{6,}|\*{3,}|\.{3}|^\$\{?\w+\}?$|^<[^>]*>$|^%\w+%$|^\{\{/i;
const ONE_CHARACTER = /^(.)\1*$/;
// Two words are no password: a vendor's own placeholder in an address, as in `user:password@host`.
const PLACEHOLDER_PASSWORD = /^(?:pass|password|passwd|pw|pwd|secret|token|xxx+)$/i;
// `password=password`, `password=self.password)`: an argument of a call in source code.
const SOURCE_REFERENCE = /^(?:pass|password|passwd|pwd|[A-Za-z_$][A-Za-z_$]*(?:\.[A-Za-z_$]+)+)[(),\]}]*$/i;

function isPlaceholder(kind: string, value: string): boolean {
  if (kind === "private_key")
    return /^-{5}BEGIN [A-Z0-9 ]+-{5}\s*(?:\.{3}|…|<[^>]*>)?\s*(?:-{5}END [A-Z0-9 ]+-{5})?$/.test(value);
  if (kind === "basic_auth_url" && PLACEHOLDER_PASSWORD.test(value)) return true;
  if (kind === "connection_string" && SOURCE_REFERENCE.test(value)) return true;
  return PLACEHOLDER.test(value) || ONE_CHARACTER.test(value);
}

/** Whether a text may hold a credential of a shape; most texts hold none, and this is all they cost. */
function mayHold({ keywords }: CredentialShape, text: string): boolean {
  for (const keyword of keywords) if (text.includes(keyword)) return true;
  return false;
}

function* matchesOf(shape: CredentialShape, text: string): Generator<FoundCredential> {
  for (const match of text.matchAll(shape.pattern)) {
    const [start, end] = match.indices?.groups?.["value"] ?? [match.index, match.index + match[0].length];
    if (!isPlaceholder(shape.kind, text.slice(start, end))) yield { kind: shape.kind, start, end };
  }
}

/**
 * The places of a text that have the form of a credential, in order; places that touch each other's inside are
 * reported once, the longest. Samples of documentation are left alone. Meant for reports and configuration, not for
 * streams: those mask known values.
 */
export function findCredentials(text: string): readonly FoundCredential[] {
  const found: FoundCredential[] = [];
  for (const shape of CREDENTIAL_SHAPES) if (mayHold(shape, text)) found.push(...matchesOf(shape, text));
  found.sort((left, right) => left.start - right.start || right.end - left.end);
  const separate: FoundCredential[] = [];
  for (const credential of found) {
    const last = separate.at(-1);
    if (last === undefined || credential.start >= last.end) separate.push(credential);
  }
  return separate;
}

/** Whether a value has, somewhere in it, the form of a credential, whatever its name. */
export function looksLikeCredential(value: string): boolean {
  for (const shape of CREDENTIAL_SHAPES) {
    if (mayHold(shape, value)) for (const _ of matchesOf(shape, value)) return true;
  }
  return false;
}
