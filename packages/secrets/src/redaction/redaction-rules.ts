import { isSecretName, toUpperSnake } from "../detection/is-secret-name.ts";
import { REDACTED } from "../secret/secret.ts";
import { isAmbiguousSecret } from "./ambiguous-names.ts";

/** Rules of a redactor. Lists of keys that a specification defines are passed here as data. */
export interface RedactionRules {
  /** Text that replaces a redacted value. */
  readonly marker: string;
  /** True if the value of a field, header or parameter with this name is redacted. */
  isSecretKey(name: string): boolean;
  /** True if the value after this name is redacted when both stand in prose. */
  isSecretWord(name: string): boolean;
  /**
   * True if a field is redacted because of its name together with its value, such as a PIN of digits. Default: never.
   */
  isSecretField?(name: string, item: unknown): boolean;
  /** True if the value is redacted even if it is a number, a boolean or a structure. Default: never. */
  isDeclared?(name: string): boolean;
  /** True if arrays and objects under a secret key are replaced as a whole, not text by text. Default: false. */
  readonly redactsStructures?: boolean | undefined;
  /**
   * True if names of fields say nothing about their values: only texts are redacted, and JSON in a text is read as prose.
   * For content such as arguments of tool calls, where `key` may be a key to press. Default: false.
   */
  readonly ignoresFields?: boolean | undefined;
  /** Returns the replacement of a field, such as bytes that stay as they are; `undefined` if the other rules decide. */
  replacementOf?(name: string, item: unknown, owner: object): { readonly replacement: unknown } | undefined;
}

// Segments that, as the last one of a name, announce a credential.
const PROSE_NAME =
  /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASSCODE|PWD|PASS|PW|CREDENTIALS?|CREDS|AUTHORIZATION|AUTH|COOKIE)(?:_(?:ID|VALUE|HEADER|ENV))?$/;

// Keys of tables, caches and requests, and tokens of pages.
const OTHER_KEY =
  /(?:^|_)(?:PAGE|PAGINATION|CONTINUATION|CURSOR)_TOKEN$|(?:^|_)(?:IDEMPOTENCY|CACHE|PRIMARY|FOREIGN|SORT|PARTITION|GROUP|PUBLIC|ROUTING|OBJECT|ROW|SHARD|HOT|SHORTCUT)_KEY$/;

const PASSWORD_NAME = /(?:PASSWORD|PASSWD|PASSPHRASE|PASSCODE|PIN)$/;

/** PINs and passwords of digits, and values of names that are ambiguous by themselves. */
function isSecretField(name: string, item: unknown): boolean {
  if (typeof item === "number") return PASSWORD_NAME.test(toUpperSnake(name)) && /^\d{4,}$/.test(`${item}`);
  return typeof item === "string" && isAmbiguousSecret(name, item);
}

/** Default rules: names by {@link isSecretName}, the marker of every masker. */
export const DEFAULT_RULES: RedactionRules = {
  marker: REDACTED,
  isSecretKey: isSecretName,
  isSecretField,
  isSecretWord: (name) =>
    isSecretName(name) && PROSE_NAME.test(toUpperSnake(name)) && !OTHER_KEY.test(toUpperSnake(name)),
};
