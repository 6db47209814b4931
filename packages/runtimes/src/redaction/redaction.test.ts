import fc from "fast-check";
import { expect, test } from "vitest";
import { extendRedactedMetadataKeys, redactData, redactProse } from "../index.ts";

test.each([
  ["api_key=abc123", "api_key=[REDACTED]"],
  ["the token: abc123, next", "the token: [REDACTED], next"],
  ['"client_secret": "s p a c e"', '"client_secret": "[REDACTED]"'],
  ["Authorization: Bearer abc.def-123", "Authorization: Bearer [REDACTED]"],
  ["sent Bearer aB3dE5gH7jK9", "sent Bearer [REDACTED]"],
  [
    "https://me:hunter2@host.example/x?token=abc&page=2",
    "https://me:[REDACTED]@host.example/x?token=[REDACTED]&page=2",
  ],
  ["acme --api-key abc123 --verbose", "acme --api-key [REDACTED] --verbose"],
  ["acme --api-key=abc123 run", "acme --api-key=[REDACTED] run"],
  ["token_id=abc", "token_id=[REDACTED]"],
])("only the credential in %s is redacted [runtime-secrets-10, runtime-secrets-12]", (text, expected) => {
  expect(redactProse(text)).toBe(expected);
});

test.each([
  ...["3 secrets scanned", "tests: 12, failures: 3", "tokens: 1234", "token_count=7", "max_tokens: 4096"],
  ...["the password is required", "key: 12", "a bearer of news", "secret_scanner: passed", "token: missing"],
  ...[
    "author: me",
    "monkey: banana",
    "session: started",
    "otp: missing",
    "<token>…</token>",
    "<key>a b</key>",
    "see https://host.example:8080/path?page=2",
  ],
])("%s is not redacted: it is a count or an ordinary word [runtime-secrets-10]", (text) => {
  expect(redactProse(text)).toBe(text);
});

test("values are redacted by what their structured keys contain, and counts are not [runtime-secrets-10, runtime-secrets-6]", () => {
  const data = {
    ...{ my_api_key_2: "x", "Client-Secret": "x", accessToken: ["x"], headers: { authorization: "Bearer x" } },
    ...{ total_tokens: 12, token_count: 3, has_password: true, secret_env: ["NAME"], empty_token: "" },
  };
  expect(redactData(data)).toEqual({
    ...data,
    ...{ my_api_key_2: "[REDACTED]", "Client-Secret": "[REDACTED]", accessToken: "[REDACTED]" },
    headers: { authorization: "[REDACTED]" },
  });
});

const VALUE = ["Zk3v9Qp2", "Lm8sXy41"].join("");

test.each([
  `error: token=${VALUE}`,
  `see https://h/?access_token=${VALUE}`,
  `--setting=password=${VALUE}`,
  `note: api_key: ${VALUE}`,
  `https://h/?nonce=${VALUE}&page=2`,
  `--setting-json={"refresh_token":"${VALUE}","safe":"ok"}`,
  `PGPASSWORD=${VALUE} psql`,
  `authtoken=${VALUE}`,
  `nonce=${VALUE}`,
  `session_id=${VALUE}`,
  `jwt: ${VALUE}`,
  `otp=${VALUE}`,
  `<settings><password>${VALUE}</password></settings>`,
  `Authorization: ApiKey ${VALUE}`,
])("%s loses its credential, whatever precedes it [runtime-secrets-10]", (text) => {
  const redacted = redactProse(text);
  expect(redacted).not.toContain(VALUE);
  expect(redacted).toContain("[REDACTED]");
});

test.each([
  ...["auth", "authHeader", "proxy_auth_settings", "session_id", "nonce", "sid", "sessionId", "x-wp-nonce"],
  ...["oauth2", "csrf", "jwt", "otp", "dsn", "connectionString", "passPhrase"],
  ...["to\u200bken", "AUTH", "Proxy-Auth-Settings", "apiKey", "signing-key", "set-cookie", "X-CSRF-Token"],
])("the value under the key %s is redacted [runtime-secrets-10]", (key) => {
  expect(redactData({ deep: [{ [key]: VALUE, other: "x" }] })).toEqual({ deep: [{ [key]: "[REDACTED]", other: "x" }] });
  expect(redactData({ [key]: { nested: VALUE } })).toEqual({ [key]: "[REDACTED]" });
  expect(redactData({ [key]: 3 })).toEqual({ [key]: 3 });
});

test.each(["author", "monkey", "keyboard", "inside", "authority_url", "keys", "obsession"])(
  "the value under the key %s is not redacted [runtime-secrets-10]",
  (key) => {
    expect(redactData({ [key]: "abc" })).toEqual({ [key]: "abc" });
  },
);

test("the argument after a secret flag is redacted in a list [runtime-secrets-12]", () => {
  expect(redactData({ argv: ["acme", "--token", "abc", "--page", "2"] })).toEqual({
    argv: ["acme", "--token", "[REDACTED]", "--page", "2"],
  });
});

test("declared keys are added to the standard ones, without duplicates [runtime-adapter-2, runtime-secrets-7]", () => {
  expect(extendRedactedMetadataKeys(["acme", "secrets"], "acme", "more")).toEqual([
    ...["secret_env_values", "secretEnvValues", "secrets"],
    ...["acme", "more"],
  ]);
  expect(redactData({ acme: 7, other: 7 }, { keys: ["acme"] })).toEqual({ acme: "[REDACTED]", other: 7 });
});

test("redaction is idempotent [runtime-secrets-11]", () => {
  const piece = fc.constantFrom(
    ...[
      "token",
      "=",
      ": ",
      "Bearer ",
      "abc123",
      '"',
      "'",
      "--api-key ",
      "https://a:",
      "@",
      " ",
      "[REDACTED]",
      "&",
      ",",
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const once = redactProse(pieces.join(""));
      expect(redactProse(once)).toBe(once);
    }),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const once = redactData({ value, token: value });
      expect(redactData(once)).toEqual(once);
    }),
  );
});

test("redaction takes linear time", () => {
  const started = performance.now();
  for (const part of ["token=", "Bearer ", "https://a:", '"', "--a-", "a".repeat(50)]) redactProse(part.repeat(20_000));
  expect(performance.now() - started).toBeLessThan(60_000);
});
