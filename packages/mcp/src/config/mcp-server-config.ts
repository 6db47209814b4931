import type { Secret } from "@switchyard/secrets";

/** How long things may take with one server, in milliseconds. */
export interface McpTimeouts {
  /** From the start of the process, or of the first request, until the server has introduced itself; 30,000 by default. */
  readonly startMs?: number | undefined;
  /** Until it has listed its tools; 10,000 by default. */
  readonly listMs?: number | undefined;
  /** Until it has answered a call, or said how far it is; 60,000 by default. */
  readonly callMs?: number | undefined;
  /** Until it has answered a call whose progress it tells; 600,000 by default. */
  readonly callTotalMs?: number | undefined;
}

/** What is said about a server, however it is reached. */
export interface McpServerSettings {
  /** Names of the tools that are offered, as the server calls them, `*` for any text; all of them when unset. */
  readonly includeTools?: readonly string[] | undefined;
  /** Names of tools that are not offered, whatever `includeTools` says. */
  readonly excludeTools?: readonly string[] | undefined;
  /**
   * Whether to believe the server about which of its tools change nothing or may be repeated; every call counts as
   * unsafe otherwise. architecture: decision 18.
   */
  readonly trustAnnotations?: boolean | undefined;
  /** Whether runs fail to start when the server is not ready in time. Default: `false`. */
  readonly required?: boolean | undefined;
  /** How long things may take. */
  readonly timeouts?: McpTimeouts | undefined;
}

/** A server that is a program: it is started in the run's environment and spoken to over its standard streams. */
export interface StdioServerConfig extends McpServerSettings {
  /** The program. */
  readonly command: string;
  /** Its arguments. */
  readonly args?: readonly string[] | undefined;
  /** Variables it sees beside the core ones (`PATH`, `HOME` and the like). architecture: decision 19. */
  readonly env?: Readonly<Record<string, string | Secret>> | undefined;
  /** Folder to run in, inside the workspace; the workspace by default. */
  readonly cwd?: string | undefined;
}

/** How access to a server is got that wants OAuth. */
export interface McpOAuthConfig {
  /** `authorization_code` (default): a person signs in once, beforehand. `client_credentials`: the client by itself. */
  readonly grant?: "authorization_code" | "client_credentials" | undefined;
  /** Id of the client; the authorization server is asked to register one where it is unset. */
  readonly clientId?: string | undefined;
  /** Its secret. */
  readonly clientSecret?: string | Secret | undefined;
  /** Scopes to ask for, with spaces between them; those that the server names by default. */
  readonly scope?: string | undefined;
  /** The only authorization server that the client's secret is sent to. */
  readonly issuer?: string | undefined;
}

/** A server that is reached over HTTP. */
export interface HttpServerConfig extends McpServerSettings {
  /** Its address. */
  readonly url: string;
  /** Sent with every request; redirects are only followed within the address's origin. */
  readonly headers?: Readonly<Record<string, string | Secret>> | undefined;
  /** How access is got; without it by signing in, where the server asks for that and `headers` have no `Authorization`. */
  readonly oauth?: McpOAuthConfig | undefined;
  /**
   * `http` is streamable HTTP, `sse` the older way with two addresses; without it, `http` and then `sse` where the
   * server refuses the first.
   */
  readonly transport?: "http" | "sse" | undefined;
}

/** How a server is reached. Texts may refer to variables as `${NAME}` or `${NAME:-default}`. */
export type McpServerConfig = StdioServerConfig | HttpServerConfig;

/** Servers by name. */
export type McpServers = Readonly<Record<string, McpServerConfig>>;
