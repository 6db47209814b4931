import { EngineError } from "@switchyard/contracts";
import { isSecret, type Secret } from "@switchyard/secrets";
import type { HttpServerConfig, McpOAuthConfig, McpServerConfig, StdioServerConfig } from "./mcp-server-config.ts";
import type { ResolvedOAuth } from "./resolve-oauth.ts";

/** Values of environment variables, by name. */
export type EnvironmentRecord = Readonly<Record<string, string | undefined>>;

/** A server's configuration with resolved references. Must not be stored. */
export type ResolvedServer =
  | {
      readonly kind: "stdio";
      readonly argv: readonly string[];
      readonly variables: Readonly<Record<string, string>>;
      readonly cwd: string | undefined;
    }
  | {
      readonly kind: "http";
      readonly url: URL;
      readonly headers: Readonly<Record<string, string>>;
      readonly transport: "http" | "sse" | undefined;
      readonly oauth?: ResolvedOAuth | undefined;
    };

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** Returns the names of the variables that a text refers to. */
export function referencesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(REFERENCE), ([, name = ""]) => name);
}

function invalid(field: string, problem: string): EngineError {
  return new EngineError("config.invalid", { field, problem });
}

/** Resolves the references in a text. An empty variable counts as unset if there is a default. */
function resolveText(value: string | Secret, field: string, env: EnvironmentRecord): string {
  // A value wrapped in `Secret` is literal: references in it are not resolved.
  if (isSecret(value)) return value.reveal();
  return value.replace(REFERENCE, (_, name: string, fallback: string | undefined) => {
    const found = Object.hasOwn(env, name) ? env[name] : undefined;
    if (found !== undefined && (found !== "" || fallback === undefined)) return found;
    if (fallback !== undefined) return fallback;
    throw invalid(field, `the variable ${name} is not set`);
  });
}

function resolveRecord(
  record: Readonly<Record<string, string | Secret>>,
  field: string,
  env: EnvironmentRecord,
): Record<string, string> {
  const entries = Object.entries(record);
  return Object.fromEntries(entries.map(([key, value]) => [key, resolveText(value, `${field}.${key}`, env)]));
}

function resolveStdio(config: StdioServerConfig, field: string, env: EnvironmentRecord): ResolvedServer {
  const { command, args = [], cwd } = config;
  return {
    kind: "stdio",
    argv: [
      resolveText(command, `${field}.command`, env),
      ...args.map((argument, index) => resolveText(argument, `${field}.args[${index}]`, env)),
    ],
    variables: resolveRecord(config.env ?? {}, `${field}.env`, env),
    cwd: cwd === undefined ? undefined : resolveText(cwd, `${field}.cwd`, env),
  };
}

function resolveOAuth(
  { grant = "authorization_code", ...texts }: McpOAuthConfig,
  field: string,
  env: EnvironmentRecord,
): ResolvedOAuth {
  const { clientId, clientSecret, scope, issuer } = texts;
  const resolve = (value: string | Secret | undefined, name: string): string | undefined =>
    value === undefined ? undefined : resolveText(value, `${field}.${name}`, env);
  return {
    grant,
    clientId: resolve(clientId, "clientId"),
    clientSecret: resolve(clientSecret, "clientSecret"),
    scope: resolve(scope, "scope"),
    issuer: resolve(issuer, "issuer"),
  };
}

function resolveHttp(config: HttpServerConfig, field: string, env: EnvironmentRecord): ResolvedServer {
  const address = resolveText(config.url, `${field}.url`, env);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw invalid(`${field}.url`, "it is not an http or https address");
  const headers = resolveRecord(config.headers ?? {}, `${field}.headers`, env);
  try {
    new Headers(headers);
  } catch (error) {
    throw new EngineError(
      "config.invalid",
      { field: `${field}.headers`, problem: "a header cannot be sent" },
      { cause: error },
    );
  }
  const oauth = config.oauth === undefined ? undefined : resolveOAuth(config.oauth, `${field}.oauth`, env);
  return { kind: "http", url, headers, transport: config.transport, oauth };
}

/** Resolves the references in a server's configuration. Throws `config.invalid`. */
export function resolveServerConfig(name: string, config: McpServerConfig, env: EnvironmentRecord): ResolvedServer {
  const field = `mcpServers.${name}`;
  return "url" in config ? resolveHttp(config, field, env) : resolveStdio(config, field, env);
}
