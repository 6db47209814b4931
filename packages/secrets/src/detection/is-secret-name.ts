// Words that indicate a secret if they are a complete segment of a name, in singular or plural.
const SECRET_SEGMENT =
  /(?:^|_)(?:API_?KEYS?|ACCESS_?KEYS?|KEY|TOKEN|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|PASSCODE|CREDENTIALS?|CREDS|AUTHORIZATION|AUTH|BEARER|JWT|PAT|DSN|COOKIES?|WEBHOOK|CONNECTION_STRING|CONN_STR)(?:_|$)/;
// Endings of secret names that lack a separator, such as PGPASSWORD and AUTHTOKEN. SSHKEY would be too vague.
const SECRET_ENDING =
  /(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|AUTHTOKEN|ACCESSTOKEN|APIKEY|ACCESSKEY|PRIVATEKEY|SECRETKEY|CREDENTIALS?)$/;
const PASSWORD_SHORTHAND = /.(?:^|_)(?:PWD|PASS|PW)$/;
// Names of variables that contain the URL of a data store, because such a URL usually contains a password.
const STORE_ADDRESS =
  /(?:^|_)(?:DATABASE|DB|POSTGRES(?:QL)?|PG|MYSQL|MARIADB|MONGO(?:DB)?|REDIS|AMQP|RABBITMQ|CLOUDAMQP|CLICKHOUSE|MSSQL|ELASTIC(?:SEARCH)?|NATS|KAFKA|SMTP)(?:_[A-Z0-9]+)?_(?:URL|URI)S?$/;
const AGENTS_AND_FILES =
  /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|KUBECONFIG|DOCKER_CONFIG|DOCKER_AUTH_CONFIG|NETRC|VAULT_ADDR_AUTH)$/;
// Variables with session keys of password managers, or with headers of telemetry exporters.
const SESSIONS_AND_HEADERS = /^(?:OP_SESSION(?:_.*)?|BW_SESSION|OTEL_EXPORTER_OTLP_(?:[A-Z]+_)?HEADERS)$/;
const PACKAGE_MANAGER_AUTH =
  /^(?:NPM|PNPM|YARN|BUN|PIP|UV|CARGO|POETRY)_.*(?:AUTH|TOKEN|PASSWORD|USERNAME|_KEY|INDEX_URL)/;
// Variable names that contain a word such as `key` or `pass`, but whose values are not secret.
const HARMLESS =
  /^(?:PWD|OLDPWD|INIT_CWD|GIT_ASKPASS|SSH_ASKPASS|SSH_ASKPASS_REQUIRE|SUDO_ASKPASS|XAUTHORITY|KEY_PATH_DISABLED)$/;

// Name of a scoped package such as `@scope/token`, which occurs as a key in dependency lists.
const SCOPED_PACKAGE = /^@[a-z0-9._-]+\/[a-z0-9._-]+$/;
// Invisible characters. They are removed, because they could otherwise disguise a secret name.
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}]+/gu;

/**
 * Normalises a name: `apiKey`, `api-key` and `API_KEY` become `API_KEY`. Invisible characters are dropped, and
 * compatibility characters such as full-width letters become ordinary letters.
 */
export function toUpperSnake(name: string): string {
  return name
    .replace(INVISIBLE, "")
    .normalize("NFKC")
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toUpperCase();
}

/**
 * Returns whether the name of a variable, field, header or parameter indicates a secret value. Case and word separators
 * are ignored. See loop: §4.2; custom-engine: masking.
 */
export function isSecretName(name: string): boolean {
  if (SCOPED_PACKAGE.test(name)) return false;
  const upper = toUpperSnake(name);
  if (HARMLESS.test(upper)) return false;
  return (
    SECRET_SEGMENT.test(upper) ||
    SECRET_ENDING.test(upper) ||
    PASSWORD_SHORTHAND.test(upper) ||
    STORE_ADDRESS.test(upper) ||
    AGENTS_AND_FILES.test(upper) ||
    SESSIONS_AND_HEADERS.test(upper) ||
    PACKAGE_MANAGER_AUTH.test(upper)
  );
}
