import { isSecret, isSecretName, looksLikeCredential, type Secret, secret } from "@switchyard/secrets";
import type { McpServerConfig, McpServers } from "./mcp-server-config.ts";
import { type EnvironmentRecord, referencesIn, resolveServerConfig } from "./resolve-server-config.ts";

/** Returns the parts of a value to redact: the value itself, and for a value such as `Bearer TOKEN` also `TOKEN`. */
function partsOf(value: string): string[] {
  const [scheme, ...rest] = value.split(" ");
  return rest.length > 0 && scheme !== undefined && /^[A-Za-z]+$/.test(scheme)
    ? [value, rest.join(" ").trim()]
    : [value];
}

/**
 * Returns whether a value must be redacted, based on the name of its variable, header or parameter, or on its format.
 */
function isHidden(name: string, value: string): boolean {
  const plain = name.replaceAll("-", "_").toUpperCase();
  return (
    /^(PROXY_)?AUTHORIZATION$|^COOKIE$/.test(plain) || isSecretName(plain) || partsOf(value).some(looksLikeCredential)
  );
}

function hiddenIn(record: Readonly<Record<string, string | Secret>>): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    if (isSecret(value)) return [value.reveal()];
    return isHidden(name, value) ? partsOf(value) : [];
  });
}

/** Returns every text of a configuration that may contain references to variables. */
function textsOf(config: McpServerConfig): string[] {
  const texts =
    "url" in config
      ? [config.url, ...Object.values(config.headers ?? {}), config.oauth?.clientSecret]
      : [config.command, ...(config.args ?? []), ...Object.values(config.env ?? {})];
  return texts.filter((text) => typeof text === "string");
}

function secretsOf(name: string, config: McpServerConfig, env: EnvironmentRecord): string[] {
  const given = Object.values(("url" in config ? config.headers : config.env) ?? {}).filter(isSecret);
  const referred = textsOf(config)
    .flatMap(referencesIn)
    .flatMap((variable) => {
      const value = Object.hasOwn(env, variable) ? env[variable] : undefined;
      return value !== undefined && isHidden(variable, value) ? [value] : [];
    });
  const found = [...given.map((value) => value.reveal()), ...referred];
  try {
    const resolved = resolveServerConfig(name, config, env);
    if (resolved.kind === "stdio") return [...found, ...hiddenIn(resolved.variables)];
    const { password, searchParams } = resolved.url;
    const clientSecret = resolved.oauth?.clientSecret;
    const inAddress = hiddenIn(Object.fromEntries(searchParams));
    return [
      ...found,
      ...hiddenIn(resolved.headers),
      ...inAddress,
      ...(clientSecret === undefined ? [] : [clientSecret]),
      ...(password === "" ? [] : [decodeURIComponent(password)]),
    ];
  } catch {
    // If the configuration cannot be resolved, for example because a variable is not set, the server is never started, so
    // its resolved values need no redaction.
    return found;
  }
}

/**
 * Returns the secret values in the configurations of MCP servers: values wrapped in `Secret`, and values whose name or
 * format indicates a secret. Pass them to every writer of events and reports.
 */
export function mcpSecrets(servers: McpServers, env: EnvironmentRecord = {}): Secret[] {
  const values = new Set(Object.entries(servers).flatMap(([name, config]) => secretsOf(name, config, env)));
  values.delete("");
  return [...values].map((value) => secret(value));
}
