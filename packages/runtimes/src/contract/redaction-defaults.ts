/** Replacement for a redacted value. See agent-runtime-package: secret requirements. */
export const REDACTED_VALUE = "[REDACTED]";

/** Keys whose values are always redacted. See agent-runtime-package: homeboy contract adapter. */
export const REDACTED_METADATA_KEYS = ["secret_env_values", "secretEnvValues", "secrets"] as const;

/**
 * Words that make a field secret if its key contains one of them. Keys are compared in lower case with `_` between
 * words.
 */
export const STRUCTURED_SECRET_WORDS = [
  "api_key",
  "apikey",
  "access_key",
  "access_token",
  "auth_token",
  "authorization",
  "bearer",
  "client_secret",
  "connection_string",
  "cookie",
  "credential",
  "nonce",
  "pass_phrase",
  "passphrase",
  "passwd",
  "password",
  "private_key",
  "refresh_token",
  "secret",
  "session_token",
  "token",
] as const;

/**
 * Words that make a field secret if one of them is a complete segment of its key: `auth` matches `auth_header`, but not
 * `author`.
 */
export const STRUCTURED_SECRET_SEGMENTS = [
  "auth",
  "creds",
  "csrf",
  "dsn",
  "hmac",
  "jwt",
  "key",
  "mnemonic",
  "oauth",
  "oauth2",
  "otp",
  "pem",
  "pwd",
  "session",
  "sid",
  "xsrf",
] as const;

/** Keys that contain a secret word but are not secret, because their value is a count or a name. */
export const STRUCTURED_HARMLESS_KEYS = [
  "cache_key",
  "completion_tokens",
  "exclusive_resource_keys",
  "group_key",
  "idempotency_key",
  "input_tokens",
  "max_tokens",
  "output_tokens",
  "prompt_tokens",
  "secret_env",
  "secret_env_names",
  "secret_env_requirements",
  "secret_requirements",
  "token_count",
  "tokens",
  "total_tokens",
] as const;

/**
 * Words that announce a credential in free text. If the last part of a key is such a word, the text after the key is
 * redacted.
 */
export const PROSE_CREDENTIAL_WORDS = [
  "apikey",
  "auth",
  "authorization",
  "cookie",
  "credential",
  "credentials",
  "jwt",
  "key",
  "nonce",
  "otp",
  "passphrase",
  "passwd",
  "password",
  "pwd",
  "secret",
  "session",
  "sessionid",
  "sid",
  "token",
] as const;

/** Endings by which a word in free text announces a credential. Examples of such words: `PGPASSWORD`, `authtoken`. */
export const PROSE_CREDENTIAL_ENDINGS = ["apikey", "passphrase", "passwd", "password", "secret", "token"] as const;

/** Words that may stand between a credential word and the credential in free text: `token id`, `secret value`. */
export const PROSE_QUALIFIERS = ["env", "header", "id", "value"] as const;

/** HTTP authorization schemes that precede a credential. The name of the scheme itself is not redacted. */
export const SCHEME_WORDS = ["Basic", "Bearer", "Token"] as const;
