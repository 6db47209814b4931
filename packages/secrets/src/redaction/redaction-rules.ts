import { isSecretName, toUpperSnake } from "../detection/is-secret-name.ts";
import { REDACTED } from "../secret/secret.ts";
import { isAmbiguousSecret } from "./ambiguous-names.ts";

/** Rules of a redactor, which can be adapted, for example to a specification's list of secret keys. */
export interface RedactionRules {
  /** Text that replaces a redacted value. */
  readonly marker: string;
  /** Returns whether the value of a field, header or parameter with this name is redacted. */
  isSecretKey(name: string): boolean;
  /** Returns whether the value that follows this name in prose is redacted. */
  isSecretWord(name: string): boolean;
  /** Returns whether a field is redacted because of its name and its value, such as a numeric PIN. Default: never. */
  isSecretField?(name: string, item: unknown): boolean;
  /**
   * Returns whether a field of this name is redacted even if its value is a number, boolean, array or object. Default:
   * never.
   */
  isDeclared?(name: string): boolean;
  /** True to replace an array or object under a secret key as a whole, instead of each text in it. Default: false. */
  readonly redactsStructures?: boolean | undefined;
  /**
   * True to ignore the names of fields: only texts are searched for credentials, and JSON in a text is treated as
   * prose. Intended for content such as tool call arguments, in which a field `key` may name a keyboard key. Default:
   * false.
   */
  readonly ignoresFields?: boolean | undefined;
  /**
   * Returns the value to use for a field instead of applying the other rules; it may be the field's own value.
   * `undefined`: the other rules apply.
   */
  replacementOf?(name: string, item: unknown, owner: object): { readonly replacement: unknown } | undefined;
}

// Last words of names whose values are credentials.
const PROSE_NAME =
  /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASSCODE|PWD|PASS|PW|CREDENTIALS?|CREDS|AUTHORIZATION|AUTH|COOKIE)(?:_(?:ID|VALUE|HEADER|ENV))?$/;

// Names that contain `key` or `token` but are not secret: keys of tables, caches and requests, and page tokens.
const OTHER_KEY =
  /(?:^|_)(?:PAGE|PAGINATION|CONTINUATION|CURSOR)_TOKEN$|(?:^|_)(?:IDEMPOTENCY|CACHE|PRIMARY|FOREIGN|SORT|PARTITION|GROUP|PUBLIC|ROUTING|OBJECT|ROW|SHARD|HOT|SHORTCUT)_KEY$/;

const PASSWORD_NAME = /(?:PASSWORD|PASSWD|PASSPHRASE|PASSCODE|PIN)$/;

/**
 * Returns whether a field is secret because of both name and value: a numeric PIN or password, or a secret under an
 * ambiguous name.
 */
function isSecretField(name: string, item: unknown): boolean {
  if (typeof item === "number") return PASSWORD_NAME.test(toUpperSnake(name)) && /^\d{4,}$/.test(`${item}`);
  return typeof item === "string" && isAmbiguousSecret(name, item);
}

/** Default rules: names are checked with {@link isSecretName}, and the marker is the one that maskers use. */
export const DEFAULT_RULES: RedactionRules = {
  marker: REDACTED,
  isSecretKey: isSecretName,
  isSecretField,
  isSecretWord: (name) =>
    isSecretName(name) && PROSE_NAME.test(toUpperSnake(name)) && !OTHER_KEY.test(toUpperSnake(name)),
};
