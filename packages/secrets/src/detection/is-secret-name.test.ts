import { expect, test } from "vitest";
import { isSecretName } from "../index.ts";

test("names that match the specification's patterns are secret, in any case [loop-4.2-7]", () => {
  for (const name of ["OPENAI_API_KEY", "my_secret", "Github_Token", "DB_PASSWORD", "AWS_CREDENTIAL", "acme_api_key"]) {
    expect(isSecretName(name), name).toBe(true);
  }
});

test("names that those patterns miss are secret too", () => {
  const names = [
    "AWS_SECRET_ACCESS_KEY",
    "AWS_ACCESS_KEY_ID",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "PGPASSWORD",
    "MYSQL_PWD",
    "DATABASE_URL",
    "REDIS_URL",
    "MONGODB_URI",
    "POSTGRES_PRISMA_URL",
    "npm_config_//registry.example.org/:_authToken",
    "npm_config__auth",
    "NPM_CONFIG_OTHER__PASSWORD",
    "SSH_AUTH_SOCK",
    "KUBECONFIG",
    "SENTRY_DSN",
    "GH_PAT",
    "GITHUB_PAT",
    "SSH_PASSPHRASE",
    "OP_SESSION_team",
    "BW_SESSION",
    "OTEL_EXPORTER_OTLP_HEADERS",
    "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
    "SLACK_WEBHOOK_URL",
    "AZURE_STORAGE_CONNECTION_STRING",
    "TOKEN",
    "KEY",
    "PASSWD",
  ];
  for (const name of names) expect(isSecretName(name), name).toBe(true);
});

test("names of fields and headers are matched however their words are joined [custom-strict-3]", () => {
  for (const name of [
    "apiKey",
    "api-key",
    "x-api-key",
    "Authorization",
    "accessToken",
    "dbPassword",
    "client_secret",
    "privateKey",
  ]) {
    expect(isSecretName(name), name).toBe(true);
  }
});

test("ordinary names are not secret", () => {
  const names = [
    ...["PATH", "HOME", "USER", "SHELL", "LANG", "TERM", "TMPDIR", "GOPATH", "CARGO_HOME", "NVM_DIR", "PWD", "OLDPWD"],
    ...["NODE_ENV", "CI", "COLORTERM", "EDITOR", "GIT_AUTHOR_NAME", "XDG_SESSION_ID", "MAX_TOKENS", "max_tokens"],
    ...[
      "KEYBOARD_LAYOUT",
      "MONKEY",
      "tokenizer",
      "secretary",
      "author",
      "AUTHOR_EMAIL",
      "PUBLIC_URL",
      "BASE_URL",
      "npm_config_cache",
    ],
    ...["npm_package_name", "HTTP_PROXY", "passenger_count", "bypass", "COMPASS"],
  ];
  for (const name of names) expect(isSecretName(name), name).toBe(false);
});

test("invisible characters and compatibility forms do not hide a secret name", () => {
  for (const name of [
    "to\u200bken",
    "pass\u00adword",
    "\u206aapi_key",
    "sec\u{e0041}ret",
    "ｔｏｋｅｎ",
    "api\u0000key",
  ]) {
    expect(isSecretName(name), name).toBe(true);
  }
});
