import type { AuthProvider, OAuthClientProvider } from "@modelcontextprotocol/client";
import { EngineError } from "@switchyard/contracts";
import type { ResolvedServer } from "../config/resolve-server-config.ts";
import { boundedFetch, type Fetch } from "../transport/bounded-fetch.ts";
import type { McpSdk } from "../transport/mcp-sdk.ts";
import { LoginProvider } from "./login-provider.ts";
import { loginAddress, type McpLogin, type McpLogins, secretsOfLogin } from "./mcp-login.ts";

/** Maximum size of an authorization server's response, in bytes. A larger response is rejected. */
export const MAX_AUTHORIZATION_BYTES: number = 1024 * 1024;

/** Options for accessing a server. */
export interface ServerAccessOptions {
  /** Name of the server, for messages. */
  readonly name: string;
  /** The MCP SDK. */
  readonly sdk: McpSdk;
  /** Function that performs the HTTP requests. */
  readonly fetch: Fetch;
  /** Store of logins. `undefined`: no logins. */
  readonly logins: McpLogins | undefined;
  /** Called with every token before its first use, so that it can be masked in logs and reports. */
  readonly onSecret: (value: string) => void;
}

type HttpServer = Extract<ResolvedServer, { kind: "http" }>;

/** Redirect address that the SDK requires. It is never used, because refreshing tokens needs no browser. */
const NOWHERE = "http://127.0.0.1/callback";

/** Provides the access token of the user's stored login, and refreshes the token while that is possible. */
class StoredAccess implements AuthProvider {
  readonly #server: HttpServer;
  readonly #options: ServerAccessOptions;
  readonly #logins: McpLogins;
  #last: string | undefined;
  #refreshing: Promise<void> | undefined;

  constructor(server: HttpServer, options: ServerAccessOptions, logins: McpLogins) {
    this.#server = server;
    this.#options = options;
    this.#logins = logins;
  }

  async token(): Promise<string | undefined> {
    const known = await this.#load();
    // Another process may have refreshed the access token since the run started.
    if (known !== undefined && known.accessToken !== this.#last) this.#reportSecrets(known);
    this.#last = known?.accessToken;
    return this.#last;
  }

  /** Refreshes the access token. Requests that are rejected at the same time share one refresh. */
  onUnauthorized(): Promise<void> {
    this.#refreshing ??= this.#refreshAlone(this.#last).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** Refreshes under the lock, because other runs may do so at the same time. */
  async #refreshAlone(refused: string | undefined): Promise<void> {
    const refresh = (): Promise<void> => this.#refresh(refused);
    await (this.#logins.exclusive?.(loginAddress(this.#server.url), refresh) ?? refresh());
  }

  #reportSecrets(login: McpLogin): void {
    for (const value of secretsOfLogin(login)) this.#options.onSecret(value);
  }

  #load(): Promise<McpLogin | undefined> {
    return this.#logins.load(loginAddress(this.#server.url));
  }

  #loginNeeded(cause?: unknown): EngineError {
    return new EngineError("mcp.sign_in_needed", { server: this.#options.name }, { cause });
  }

  async #refresh(refused: string | undefined): Promise<void> {
    const known = await this.#load();
    // Another process has refreshed the token, or the user has logged in again, while this process waited for the lock.
    if (known !== undefined && known.accessToken !== refused) return;
    if (known?.refreshToken === undefined) throw this.#loginNeeded();
    const { sdk, fetch } = this.#options;
    const provider = new LoginProvider({
      ...{ oauth: this.#server.oauth ?? { grant: "authorization_code" }, redirectUrl: NOWHERE, state: "", known },
      onAddress: () => {
        throw this.#loginNeeded();
      },
      onLogin: (login) => {
        this.#reportSecrets(login);
        return this.#logins.save(loginAddress(this.#server.url), login);
      },
    });
    const fetchFn = boundedFetch(fetch, MAX_AUTHORIZATION_BYTES);
    try {
      await sdk.auth(provider, { serverUrl: this.#server.url, fetchFn });
    } catch (error) {
      throw this.#loginNeeded(error);
    }
  }
}

/**
 * Returns how requests to a server are authorized: by its stored login, or by client credentials. `undefined` if the
 * configuration has an authorization header, or logins are not available.
 */
export function accessTo(
  server: HttpServer,
  options: ServerAccessOptions,
): AuthProvider | OAuthClientProvider | undefined {
  const { oauth, headers } = server;
  if (new Headers(headers).has("authorization")) return undefined;
  if (oauth?.grant !== "client_credentials") {
    return options.logins === undefined ? undefined : new StoredAccess(server, options, options.logins);
  }
  const { clientId = "", clientSecret = "", scope, issuer } = oauth;
  const provider = new options.sdk.ClientCredentialsProvider({
    ...{ clientId, clientSecret, clientName: "Switchyard" },
    ...(scope === undefined ? {} : { scope }),
    ...(issuer === undefined ? {} : { expectedIssuer: issuer }),
  });
  const save = provider.saveTokens.bind(provider);
  provider.saveTokens = (tokens) => {
    options.onSecret(tokens.access_token);
    save(tokens);
  };
  return provider;
}
