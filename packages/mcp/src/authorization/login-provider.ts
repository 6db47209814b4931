import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { ResolvedOAuth } from "../config/resolve-oauth.ts";
import type { McpLogin } from "./mcp-login.ts";

/** Options of a login provider. */
export interface LoginProviderOptions {
  /** Configured OAuth settings. */
  readonly oauth: ResolvedOAuth;
  /** Redirect address. */
  readonly redirectUrl: string;
  /** Value of the OAuth parameter `state` that the redirect must contain. */
  readonly state: string;
  /** Stored login. */
  readonly known: McpLogin | undefined;
  /** Called with the URL of the authorization server, which the user must open in a browser. */
  readonly onAddress: (address: URL) => void;
  /** Stores a completed login. */
  readonly onLogin: (login: McpLogin) => Promise<void>;
}

function clientOf({ oauth, known }: LoginProviderOptions): StoredOAuthClientInformation | undefined {
  const { clientId, clientSecret, issuer } = oauth.clientId === undefined ? (known ?? {}) : oauth;
  if (clientId === undefined) return undefined;
  return {
    client_id: clientId,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
    ...(issuer === undefined ? {} : { issuer }),
  };
}

function tokensOf(known: McpLogin | undefined): StoredOAuthTokens | undefined {
  if (known === undefined) return undefined;
  const { accessToken, tokenType, refreshToken, scope, issuer } = known;
  return {
    access_token: accessToken,
    token_type: tokenType,
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    ...(scope === undefined ? {} : { scope }),
    ...(issuer === undefined ? {} : { issuer }),
  };
}

/**
 * Implements the SDK's interface for OAuth for one login: the authorization code flow with PKCE, and refreshing the
 * tokens.
 */
export class LoginProvider implements OAuthClientProvider {
  readonly #options: LoginProviderOptions;
  #client: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #verifier = "";
  #discovered: OAuthDiscoveryState | undefined;

  /** Creates a provider from the stored login. */
  constructor(options: LoginProviderOptions) {
    this.#options = options;
    this.#client = clientOf(options);
    this.#tokens = tokensOf(options.known);
  }

  get redirectUrl(): string {
    return this.#options.redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scope, clientSecret } = this.#options.oauth;
    return {
      client_name: "Switchyard",
      redirect_uris: [this.#options.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: clientSecret === undefined ? "none" : "client_secret_basic",
      ...(scope === undefined ? {} : { scope }),
    };
  }

  state(): string {
    return this.#options.state;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.#client;
  }

  saveClientInformation(client: StoredOAuthClientInformation, context?: OAuthClientInformationContext): void {
    const issuer = client.issuer ?? context?.issuer;
    this.#client = issuer === undefined ? client : { ...client, issuer };
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#tokens;
  }

  async saveTokens(tokens: StoredOAuthTokens, context?: OAuthClientInformationContext): Promise<void> {
    this.#tokens = tokens;
    const { client_id: clientId = "", client_secret: clientSecret } = this.#client ?? {};
    await this.#options.onLogin({
      ...{ clientId, clientSecret, issuer: tokens.issuer ?? context?.issuer ?? this.#client?.issuer },
      ...{ accessToken: tokens.access_token, tokenType: tokens.token_type, scope: tokens.scope },
      // A server may omit the refresh token from its response if the previous one stays valid.
      refreshToken: tokens.refresh_token ?? this.#options.known?.refreshToken,
    });
  }

  redirectToAuthorization(address: URL): void {
    this.#options.onAddress(address);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  /** The code must be sent to the authorization server that the user was directed to. */
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }

  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    if (scope === "all" || scope === "discovery") this.#discovered = undefined;
    if (scope === "all" || scope === "tokens") this.#tokens = undefined;
    // Configured client credentials are never removed, because they could not be registered again.
    if ((scope === "all" || scope === "client") && this.#options.oauth.clientId === undefined) this.#client = undefined;
  }
}
