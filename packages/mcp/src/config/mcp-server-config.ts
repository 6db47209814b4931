import type { Secret } from "@switchyard/secrets";

/** Time limits for one server, in milliseconds. */
export interface McpTimeouts {
  /**
   * Time limit for initialising the server, counted from the start of its process. Over HTTP, it is counted from the
   * first request. Default: 30,000.
   */
  readonly startMs?: number | undefined;
  /** Time limit for listing the server's tools, in milliseconds. Default: 10,000. */
  readonly listMs?: number | undefined;
  /** Time limit for a response or progress report of a call. Default: 60,000. */
  readonly callMs?: number | undefined;
  /** Total time limit for a tool call that reports progress, in milliseconds. Default: 600,000. */
  readonly callTotalMs?: number | undefined;
}

/** Settings of a server, independent of its transport. */
export interface McpServerSettings {
  /** Names of the tools to offer, as the server calls them; `*` matches any text. Default: all. */
  readonly includeTools?: readonly string[] | undefined;
  /** Names of tools not to offer. Takes precedence over `includeTools`. */
  readonly excludeTools?: readonly string[] | undefined;
  /**
   * True to trust the server's annotations of read-only and idempotent tools. Otherwise every call counts as unsafe.
   * Default: false. See architecture: decision 18.
   */
  readonly trustAnnotations?: boolean | undefined;
  /** Whether runs fail to start when the server is not ready in time. Default: `false`. */
  readonly required?: boolean | undefined;
  /** Time limits. */
  readonly timeouts?: McpTimeouts | undefined;
}

/** A server started as a program in the run's environment, which communicates over its standard streams. */
export interface StdioServerConfig extends McpServerSettings {
  /** Program to start. */
  readonly command: string;
  /** Its arguments. */
  readonly args?: readonly string[] | undefined;
  /**
   * Environment variables for the program, in addition to core variables such as `PATH` and `HOME`. See architecture:
   * decision 19.
   */
  readonly env?: Readonly<Record<string, string | Secret>> | undefined;
  /** Working folder, inside the workspace. Default: the workspace. */
  readonly cwd?: string | undefined;
}

/** OAuth settings of a server. */
export interface McpOAuthConfig {
  /**
   * `authorization_code`: the user logs in once, before the runs. `client_credentials`: the client authenticates
   * itself. Default: `authorization_code`.
   */
  readonly grant?: "authorization_code" | "client_credentials" | undefined;
  /** Client id. Default: the client registers itself with the authorization server. */
  readonly clientId?: string | undefined;
  /** Client secret. */
  readonly clientSecret?: string | Secret | undefined;
  /** Space-separated scopes to request. Default: those named by the server. */
  readonly scope?: string | undefined;
  /** The only authorization server to which the client secret is sent. */
  readonly issuer?: string | undefined;
}

/** A server accessed over HTTP. */
export interface HttpServerConfig extends McpServerSettings {
  /** Address of the server. */
  readonly url: string;
  /** Headers sent with every request. Redirects are followed within the address's origin only. */
  readonly headers?: Readonly<Record<string, string | Secret>> | undefined;
  /** OAuth settings. Default: interactive login, if the server requires it and `headers` has no `Authorization`. */
  readonly oauth?: McpOAuthConfig | undefined;
  /**
   * `http` is streamable HTTP, `sse` the older transport with two addresses. Default: `http`, then `sse` if the server
   * rejects it.
   */
  readonly transport?: "http" | "sse" | undefined;
}

/** Configuration of a server. Texts may refer to variables as `${NAME}` or `${NAME:-default}`. */
export type McpServerConfig = StdioServerConfig | HttpServerConfig;

/** MCP servers, by name. */
export type McpServers = Readonly<Record<string, McpServerConfig>>;
