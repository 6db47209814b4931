/** OAuth settings with resolved references. Must not be stored. */
export interface ResolvedOAuth {
  /** OAuth grant: the user logs in, or the program authenticates itself. */
  readonly grant: "authorization_code" | "client_credentials";
  /** Client id. `undefined`: the client registers itself. */
  readonly clientId?: string | undefined;
  /** Client secret. */
  readonly clientSecret?: string | undefined;
  /** Scopes to request. */
  readonly scope?: string | undefined;
  /** The only authorization server that may receive the client secret. */
  readonly issuer?: string | undefined;
}
