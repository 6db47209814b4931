import { EngineError } from "@switchyard/contracts";
import { isRecord } from "../tool/clean-schema.ts";
import type {
  McpOAuthConfig,
  McpServerConfig,
  McpServerSettings,
  McpServers,
  McpTimeouts,
} from "./mcp-server-config.ts";

type Source = Readonly<Record<string, unknown>>;

function invalid(field: string, problem: string): EngineError {
  return new EngineError("config.invalid", { field, problem });
}

function optionalText(source: Source, key: string, field: string): string | undefined {
  const value = source[key];
  if (value === undefined || typeof value === "string") return value;
  throw invalid(`${field}.${key}`, "it is not a string");
}

function optionalTexts(source: Source, key: string, field: string): readonly string[] | undefined {
  const value = source[key];
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw invalid(`${field}.${key}`, "it is not a list");
  return value.map((item: unknown, index) => {
    if (typeof item !== "string") throw invalid(`${field}.${key}[${index}]`, "it is not a string");
    return item;
  });
}

function optionalRecord(source: Source, key: string, field: string): Readonly<Record<string, string>> | undefined {
  const value = source[key];
  if (value === undefined) return undefined;
  if (!isRecord(value)) throw invalid(`${field}.${key}`, "it is not an object");
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (typeof item === "string") return [name, item];
      if (typeof item === "number" || typeof item === "boolean") return [name, String(item)];
      throw invalid(`${field}.${key}.${name}`, "it is not a string");
    }),
  );
}

function optionalFlag(source: Source, key: string, field: string): boolean | undefined {
  const value = source[key];
  if (value === undefined || typeof value === "boolean") return value;
  throw invalid(`${field}.${key}`, "it is neither true nor false");
}

function optionalMs(source: Source, key: string, field: string): number | undefined {
  const value = source[key];
  if (value === undefined) return undefined;
  if (typeof value === "number" && value > 0 && value <= 2 ** 31 - 1) return value;
  throw invalid(`${field}.${key}`, "it is not a number of milliseconds");
}

/** Parses `timeout`, which many files use for the time limit of a call. */
function parseTimeouts(source: Source, field: string): McpTimeouts | undefined {
  const { timeouts = {} } = source;
  if (!isRecord(timeouts)) throw invalid(`${field}.timeouts`, "it is not an object");
  const within = `${field}.timeouts`;
  const parsed = {
    startMs: optionalMs(timeouts, "startMs", within),
    listMs: optionalMs(timeouts, "listMs", within),
    callMs: optionalMs(timeouts, "callMs", within) ?? optionalMs(source, "timeout", field),
    callTotalMs: optionalMs(timeouts, "callTotalMs", within),
  };
  return Object.values(parsed).some((value) => value !== undefined) ? parsed : undefined;
}

function parseSettings(source: Source, field: string): McpServerSettings {
  return {
    includeTools: optionalTexts(source, "includeTools", field),
    excludeTools: optionalTexts(source, "excludeTools", field),
    trustAnnotations: optionalFlag(source, "trustAnnotations", field),
    required: optionalFlag(source, "required", field),
    timeouts: parseTimeouts(source, field),
  };
}

const TRANSPORTS: Readonly<Record<string, "http" | "sse">> = {
  http: "http",
  "streamable-http": "http",
  streamableHttp: "http",
  sse: "sse",
};

function parseOAuth(source: Source, within: string): McpOAuthConfig | undefined {
  const { oauth } = source;
  if (oauth === undefined) return undefined;
  const field = `${within}.oauth`;
  if (!isRecord(oauth)) throw invalid(field, "it is not an object");
  const grant = optionalText(oauth, "grant", field);
  if (grant !== undefined && grant !== "authorization_code" && grant !== "client_credentials") {
    throw invalid(`${field}.grant`, 'it is not "authorization_code" or "client_credentials"');
  }
  const clientId = optionalText(oauth, "clientId", field);
  const clientSecret = optionalText(oauth, "clientSecret", field);
  if (grant === "client_credentials" && (clientId === undefined || clientSecret === undefined)) {
    throw invalid(field, "client_credentials need a clientId and a clientSecret");
  }
  const [scope, issuer] = [optionalText(oauth, "scope", field), optionalText(oauth, "issuer", field)];
  return { grant, clientId, clientSecret, scope, issuer };
}

function parseServer(source: unknown, field: string): McpServerConfig {
  if (!isRecord(source)) throw invalid(field, "it is not an object");
  const settings = parseSettings(source, field);
  const url = optionalText(source, "url", field);
  const command = optionalText(source, "command", field);
  const type = optionalText(source, "type", field);
  if (url !== undefined && command !== undefined) throw invalid(field, "it has both a command and an url");
  if (url !== undefined) {
    const transport = type === undefined || !Object.hasOwn(TRANSPORTS, type) ? undefined : TRANSPORTS[type];
    if (type !== undefined && transport === undefined) throw invalid(`${field}.type`, `it is not "http" or "sse"`);
    const oauth = parseOAuth(source, field);
    return { ...settings, url, transport, oauth, headers: optionalRecord(source, "headers", field) };
  }
  if (command === undefined || command === "") throw invalid(field, "it has neither a command nor an url");
  if (type !== undefined && type !== "stdio") throw invalid(`${field}.type`, `a server with a command is "stdio"`);
  return {
    ...{ ...settings, command, args: optionalTexts(source, "args", field) },
    ...{ env: optionalRecord(source, "env", field), cwd: optionalText(source, "cwd", field) },
  };
}

function withoutUnset(config: McpServerConfig): McpServerConfig {
  const copy: McpServerConfig = { ...config };
  for (const key of Object.keys(copy)) if (Reflect.get(copy, key) === undefined) Reflect.deleteProperty(copy, key);
  return copy;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new EngineError("config.invalid", { field: "mcpServers", problem: "it is not valid JSON" }, { cause: error });
  }
}

/**
 * Parses servers in the usual format, `{ "mcpServers": { NAME: { command, args, env } | { url, headers } } }`, from
 * JSON text or data. `disabled` servers are skipped and unknown settings ignored. References such as `${NAME}` are
 * resolved when a server starts. Callers that read a workspace's file must first check that the workspace is trusted.
 * Throws `config.invalid`. See architecture: decision 20.
 */
export function parseMcpConfig(source: unknown): McpServers {
  const data = typeof source === "string" ? parseJson(source.replace(/^\ufeff/, "")) : source;
  const servers = isRecord(data) ? data["mcpServers"] : undefined;
  if (!isRecord(servers)) throw invalid("mcpServers", "no object has this name");
  const enabled = Object.entries(servers).filter(
    ([name, server]) => !isRecord(server) || optionalFlag(server, "disabled", `mcpServers.${name}`) !== true,
  );
  return Object.fromEntries(
    enabled.map(([name, server]) => [name, withoutUnset(parseServer(server, `mcpServers.${name}`))]),
  );
}
