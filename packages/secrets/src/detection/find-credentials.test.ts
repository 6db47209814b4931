import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findCredentials, looksLikeCredential } from "../index.ts";

const ALNUM = "aB3dE5gH7jK9mN1pQ2sT4vW6yZ8bC0fJxLrUoIkMnGhPwSqVtXzYcDeAi";
const HEX = "0123456789abcdef".repeat(8);
const B32 = "ABCDEFGHIJKLMNOP";
const PEM = [
  "-----BEGIN RSA ",
  "PRIVATE KEY-----\n",
  "MIIEpAIBAAKCAQEA7\n".repeat(12),
  "-----END RSA ",
  "PRIVATE KEY-----",
].join("");

/** Test credentials are assembled at run time, so that no text in this file has the format of a credential. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  api_key: [
    ["sk", ALNUM.slice(0, 32)].join("-"),
    ["sk", "ant", "api03", ALNUM].join("-"),
    ["sk", "proj", ALNUM].join("-"),
  ],
  stripe: [["sk", "live", ALNUM.slice(0, 24)].join("_"), ["whsec", ALNUM.slice(0, 32)].join("_")],
  github: [..."pousr"].map((kind) => `gh${kind}_${ALNUM.slice(0, 36)}`).concat(["github", "pat", ALNUM].join("_")),
  gitlab: [["glpat", ALNUM.slice(0, 20)].join("-")],
  google: ["AI", "za", ALNUM.slice(0, 35)].join("").split(" "),
  aws: [`AK${"IA"}${B32}`, `AS${"IA"}${B32}`],
  slack: [..."aboprs"].map((kind) => [`xox${kind}`, "123456789012", ALNUM.slice(0, 24)].join("-")),
  slack_webhook: [
    ["https://hooks.slack", "com/services/T00000000/B00000000", ALNUM.slice(0, 24)].join(".").replace("0.", "0/"),
  ],
  jwt: [["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", ALNUM.slice(0, 43)].join(".")],
  npm: [`npm_${ALNUM.slice(0, 36)}`],
  pypi: [`pypi-${ALNUM}${ALNUM}`],
  hugging_face: [`hf_${ALNUM.slice(0, 34)}`],
  groq: [`gsk_${ALNUM.slice(0, 52)}`],
  sendgrid: [["SG", ALNUM.slice(0, 22), ALNUM.slice(0, 43)].join(".")],
  digitalocean: [`dop_v1_${HEX.slice(0, 64)}`],
  vault: [`hvs.${ALNUM.slice(0, 30)}`],
  azure: [`AccountKey=${Buffer.from(ALNUM).toString("base64")}`],
  connection_string: [
    `Server=db.example;User Id=app;Password=${ALNUM.slice(0, 16)};Encrypt=true`,
    `host=db user=app password=${ALNUM.slice(0, 16)}`,
  ],
  private_key: [PEM],
  basic_auth_url: [
    `https://user:${ALNUM.slice(0, 12)}@host.example/path`,
    `postgres://app:${ALNUM.slice(0, 12)}@db:5432/x`,
  ],
  authorization: [`Authorization: Bearer ${ALNUM.slice(0, 40)}`],
};

describe("credentials are found by their format [custom-strict-6]", () => {
  for (const [kind, samples] of Object.entries(SAMPLES)) {
    test(kind, () => {
      for (const sample of samples) {
        expect(looksLikeCredential(sample), sample.slice(0, 12)).toBe(true);
        const text = `line one\nTOKEN="${sample}"; rest`;
        const found = findCredentials(text);
        expect(found.map((credential) => credential.kind)).toContain(kind);
        for (const { start, end } of found) expect(sample).toContain(text.slice(start, end));
      }
    });
  }
});

test.each(["\\n", "\\t", "\\r", "\\b", "\\f", "\\u001b", "\\\\n", "%0A", "%3d"])(
  "a credential on a separate line is found in escaped text: %s",
  (letters) => {
    for (const sample of [`gh${"p_"}${ALNUM.slice(0, 36)}`, ["sk", ALNUM.slice(0, 36)].join("-"), `AK${"IA"}${B32}`]) {
      const text = `TOKEN=${letters}${sample}${letters}`;
      expect(findCredentials(text).map(({ start, end }) => text.slice(start, end))).toEqual([sample]);
    }
  },
);

test("only the password of an address is the credential", () => {
  const text = `git clone https://me:${ALNUM.slice(0, 14)}@host.example/repo`;
  expect(findCredentials(text).map(({ start, end }) => text.slice(start, end))).toEqual([ALNUM.slice(0, 14)]);
});

test("similar text is not a credential", () => {
  const harmless = [
    "",
    "550e8400-e29b-41d4-a716-446655440000",
    HEX.slice(0, 40),
    HEX.slice(0, 64),
    `sha512-${Buffer.from(HEX).toString("base64")}`,
    `"integrity": "sha512-${Buffer.from(ALNUM).toString("base64")}=="`,
    `h1:${Buffer.from(ALNUM).toString("base64").slice(0, 43)}=`,
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    `AK${"IA"}IOSFODNN7EXAMPLE`,
    "sk-xxxxxxxxxxxxxxxxxxxxxxxx",
    "sk-your-api-key-goes-here-please",
    `gh${"p_"}xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`,
    "https://user:password@host.example/",
    "https://user@host.example/",
    "pwd=/home/user/projects",
    "password=********",
    "password=short",
    "https://host.example:8080/a@b",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the tested text contains a variable reference
    "postgres://user:${DB_PASSWORD}@db/x",
    "task-runner-configuration-for-everything",
    "risk-assessment-of-the-whole-project",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the tested text contains a variable reference
    "Bearer ${TOKEN_FROM_THE_ENVIRONMENT}",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "asset-management_system-number-1234",
    "C:\\new\\task-runner-configuration-for-everything",
  ];
  for (const text of harmless) expect(looksLikeCredential(text), text).toBe(false);
});

test("detection takes linear time for any text", () => {
  const pieces = fc.constantFrom(
    "sk-",
    "eyJ",
    ".",
    "a",
    "://",
    ":",
    "@",
    "-----BEGIN ",
    "PRIVATE KEY-----",
    "AKIA",
    "xoxb-",
    "earer ",
    "=",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      for (const { start, end } of findCredentials(parts.join(""))) expect(end).toBeGreaterThan(start);
    }),
  );
  for (const piece of ["sk-", "eyJa", "a://b:", "-----BEGIN PRIVATE KEY-----", "eyJaaaaaaaaaa.", "x:"]) {
    expect(findCredentials(piece.repeat(20_000)).length).toBeGreaterThanOrEqual(0);
  }
});
