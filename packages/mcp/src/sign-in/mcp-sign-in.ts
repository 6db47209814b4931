/** Who this program is for the authorization server of an MCP server, and what it got there; all of it is secret. */
export interface McpSignIn {
  /** Id of the client, as configured or as the authorization server registered it. */
  readonly clientId: string;
  /** Its secret, where it has one. */
  readonly clientSecret?: string | undefined;
  /** The authorization server; nothing of this is ever sent to another one. */
  readonly issuer?: string | undefined;
  /** Sent with each request to the MCP server. */
  readonly accessToken: string;
  /** How it is sent, `Bearer` as a rule. */
  readonly tokenType: string;
  /** Gets the next access token, where the authorization server gave one. */
  readonly refreshToken?: string | undefined;
  /** What the token is good for. */
  readonly scope?: string | undefined;
}

/**
 * Keeps sign-ins by the address of the MCP server. Contract: outside of any workspace, readable by their owner only,
 * written whole or not at all.
 */
export interface McpSignIns {
  /** The sign-in at an address; nothing where there is none. */
  load(address: string): Promise<McpSignIn | undefined>;
  /** Keeps one in the place of an earlier one. */
  save(address: string, signIn: McpSignIn): Promise<void>;
  /** Forgets one; says whether it was there. */
  remove(address: string): Promise<boolean>;
  /**
   * Does something while nobody else does for that address, in no other process either: what refreshes a token is good for
   * one time at many servers, and whoever uses it twice loses the sign-in. Done at once where this is missing.
   */
  exclusive?<T>(address: string, work: () => Promise<T>): Promise<T>;
}

/** What of a sign-in must not be shown. */
export function secretsOfSignIn({ accessToken, refreshToken, clientSecret }: McpSignIn): readonly string[] {
  return [accessToken, refreshToken, clientSecret].flatMap((value) => value || []);
}

/** Under what a server's sign-in is kept: its address without what is about a single request. */
export function signInAddress(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
