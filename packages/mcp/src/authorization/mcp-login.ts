/** Client registration and tokens for the authorization server of an MCP server. Treat all fields as secret. */
export interface McpLogin {
  /** Client id, as configured or as registered by the authorization server. */
  readonly clientId: string;
  /** Client secret. `undefined` if the client has none. */
  readonly clientSecret?: string | undefined;
  /**
   * Address of the authorization server. The registration and tokens are never sent to another authorization server.
   */
  readonly issuer?: string | undefined;
  /** Access token, sent with each request to the MCP server. */
  readonly accessToken: string;
  /** Token type, usually `Bearer`. */
  readonly tokenType: string;
  /** Refresh token. `undefined` if the authorization server issued none. */
  readonly refreshToken?: string | undefined;
  /** Scope of the token. */
  readonly scope?: string | undefined;
}

/**
 * Store of logins by the address of the MCP server. Contract: outside any workspace, readable by the owner only,
 * written atomically.
 */
export interface McpLogins {
  /** Resolves with the login for an address. `undefined` if there is none. */
  load(address: string): Promise<McpLogin | undefined>;
  /** Stores a login and replaces an earlier login for the same address. */
  save(address: string, login: McpLogin): Promise<void>;
  /** Removes a login. Resolves with true if the login existed. */
  remove(address: string): Promise<boolean>;
  /**
   * Runs a function under an exclusive lock for an address, across processes. Many servers accept a refresh token only
   * once, and using it twice invalidates the login. If `exclusive` is not implemented, refreshes run without a lock.
   */
  exclusive?<T>(address: string, work: () => Promise<T>): Promise<T>;
}

/** Returns the secret values of a login. */
export function secretsOfLogin({ accessToken, refreshToken, clientSecret }: McpLogin): readonly string[] {
  return [accessToken, refreshToken, clientSecret].flatMap((value) => value || []);
}

/** Returns the key under which a server's login is stored: its address without query and fragment. */
export function loginAddress(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
