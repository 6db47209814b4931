/** How this program gets access to a server, with the values of all references; keep it nowhere. */
export interface ResolvedOAuth {
  /** Whether a person signs in, or the program by itself. */
  readonly grant: "authorization_code" | "client_credentials";
  /** Id of the client; registered by itself where it is unset. */
  readonly clientId?: string | undefined;
  /** Its secret. */
  readonly clientSecret?: string | undefined;
  /** What is asked for. */
  readonly scope?: string | undefined;
  /** The only authorization server that may see the client's secret. */
  readonly issuer?: string | undefined;
}
