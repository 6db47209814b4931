import { isSecretName, toUpperSnake } from "../detection/is-secret-name.ts";
import { REDACTED } from "../secret/secret.ts";
import { isAmbiguousSecret } from "./ambiguous-names.ts";

/** Rules of a redactor. Key lists defined by a specification are passed here as data. */
export interface RedactionRules {
  /** Text that replaces a redacted value. */
  readonly marker: string;
  /** Returns whether the value of a field, header or parameter with this name is redacted. */
  isSecretKey(name: string): boolean;
  /** Returns whether the value after this name is redacted in prose. */
  isSecretWord(name: string): boolean;
  /** Returns whether a field is redacted based on name and value, such as a numeric PIN. Default: never. */
  isSecretField?(name: string, item: unknown): boolean;
  /** Returns whether a value is redacted even if it is a number, boolean or structure. Default: never. */
  isDeclared?(name: string): boolean;
  /** True to replace arrays and objects under a secret key as a whole. Default: false. */
  readonly redactsStructures?: boolean | undefined;
  /**
   * True to ignore field names: only texts are redacted, and JSON in a text is treated as prose. For content such as
   * tool call arguments, in which a field `key` may be a key to press. Default: false.
   */
  readonly ignoresFields?: boolean | undefined;
  /**
   * Returns the replacement of a field, for example its unchanged value if it contains bytes. `undefined`: the other
   * rules apply to the field.
   */
  replacementOf?(name: string, item: unknown, owner: object): { readonly replacement: unknown } | undefined;
}

// Last segments of a name that announce a credential.
const PROSE_NAME =
  /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASSCODE|PWD|PASS|PW|CREDENTIALS?|CREDS|AUTHORIZATION|AUTH|COOKIE)(?:_(?:ID|VALUE|HEADER|ENV))?$/;

// Names that contain `key` or `token` but are not secret: keys of tables, caches and requests, and page tokens.
const OTHER_KEY =
  /(?:^|_)(?:PAGE|PAGINATION|CONTINUATION|CURSOR)_TOKEN$|(?:^|_)(?:IDEMPOTENCY|CACHE|PRIMARY|FOREIGN|SORT|PARTITION|GROUP|PUBLIC|ROUTING|OBJECT|ROW|SHARD|HOT|SHORTCUT)_KEY$/;

const PASSWORD_NAME = /(?:PASSWORD|PASSWD|PASSPHRASE|PASSCODE|PIN)$/;

/** Returns whether a field is a numeric PIN or password, or a secret under an ambiguous name. */
function isSecretField(name: string, item: unknown): boolean {
  if (typeof item === "number") return PASSWORD_NAME.test(toUpperSnake(name)) && /^\d{4,}$/.test(`${item}`);
  return typeof item === "string" && isAmbiguousSecret(name, item);
}

/** Default rules: {@link isSecretName}, and the common marker of maskers. */
export const DEFAULT_RULES: RedactionRules = {
  marker: REDACTED,
  isSecretKey: isSecretName,
  isSecretField,
  isSecretWord: (name) =>
    isSecretName(name) && PROSE_NAME.test(toUpperSnake(name)) && !OTHER_KEY.test(toUpperSnake(name)),
};
