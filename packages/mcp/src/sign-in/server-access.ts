import type { AuthProvider, OAuthClientProvider } from "@modelcontextprotocol/client";
import { EngineError } from "@switchyard/contracts";
import type { ResolvedServer } from "../config/resolve-server-config.ts";
import { boundedFetch, type Fetch } from "../transport/bounded-fetch.ts";
import type { McpSdk } from "../transport/mcp-sdk.ts";
import { type McpSignIn, type McpSignIns, secretsOfSignIn, signInAddress } from "./mcp-sign-in.ts";
import { SignInProvider } from "./sign-in-provider.ts";

/** Most bytes of an answer of an authorization server. */
export const MAX_AUTHORIZATION_BYTES: number = 1024 * 1024;

/** With what a server is accessed. */
export interface ServerAccessOptions {
  /** Its name, for messages. */
  readonly name: string;
  /** The SDK. */
  readonly sdk: McpSdk;
  /** Makes the HTTP requests. */
  readonly fetch: Fetch;
  /** Where sign-ins are kept; nobody signs in without it. */
  readonly signIns: McpSignIns | undefined;
  /** Told of every token before it is used first. */
  readonly onSecret: (value: string) => void;
}

type HttpServer = Extract<ResolvedServer, { kind: "http" }>;

/** Where nobody comes back to: what is refreshed needs no browser, and there is none for anything else. */
const NOWHERE = "http://127.0.0.1/callback";

/** The access that a person gave by signing in, as long as it can be refreshed. */
class KeptAccess implements AuthProvider {
  readonly #server: HttpServer;
  readonly #options: ServerAccessOptions;
  readonly #signIns: McpSignIns;
  #last: string | undefined;
  #refreshing: Promise<void> | undefined;

  constructor(server: HttpServer, options: ServerAccessOptions, signIns: McpSignIns) {
    this.#server = server;
    this.#options = options;
    this.#signIns = signIns;
  }

  async token(): Promise<string | undefined> {
    const known = await this.#load();
    // Another process may have refreshed it since the run began.
    if (known !== undefined && known.accessToken !== this.#last) this.#tell(known);
    this.#last = known?.accessToken;
    return this.#last;
  }

  /** Refreshes the access, once for all requests that were refused. */
  onUnauthorized(): Promise<void> {
    this.#refreshing ??= this.#refreshAlone(this.#last).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** Other runs may want the same at the same time. */
  async #refreshAlone(refused: string | undefined): Promise<void> {
    const refresh = (): Promise<void> => this.#refresh(refused);
    await (this.#signIns.exclusive?.(signInAddress(this.#server.url), refresh) ?? refresh());
  }

  #tell(signIn: McpSignIn): void {
    for (const value of secretsOfSignIn(signIn)) this.#options.onSecret(value);
  }

  #load(): Promise<McpSignIn | undefined> {
    return this.#signIns.load(signInAddress(this.#server.url));
  }

  #signInNeeded(cause?: unknown): EngineError {
    return new EngineError("mcp.sign_in_needed", { server: this.#options.name }, { cause });
  }

  async #refresh(refused: string | undefined): Promise<void> {
    const known = await this.#load();
    // Somebody else has refreshed it, or signed in, meanwhile.
    if (known !== undefined && known.accessToken !== refused) return;
    if (known?.refreshToken === undefined) throw this.#signInNeeded();
    const { sdk, fetch } = this.#options;
    const provider = new SignInProvider({
      ...{ oauth: this.#server.oauth ?? { grant: "authorization_code" }, redirectUrl: NOWHERE, state: "", known },
      onAddress: () => {
        throw this.#signInNeeded();
      },
      onSignIn: (signIn) => {
        this.#tell(signIn);
        return this.#signIns.save(signInAddress(this.#server.url), signIn);
      },
    });
    const fetchFn = boundedFetch(fetch, MAX_AUTHORIZATION_BYTES);
    try {
      await sdk.auth(provider, { serverUrl: this.#server.url, fetchFn });
    } catch (error) {
      throw this.#signInNeeded(error);
    }
  }
}

/**
 * How requests to a server are allowed: by the sign-in that is kept for it, or by the client's own credentials; nothing
 * where its configuration says that itself, with a header, or where nobody can sign in.
 */
export function accessTo(
  server: HttpServer,
  options: ServerAccessOptions,
): AuthProvider | OAuthClientProvider | undefined {
  const { oauth, headers } = server;
  if (new Headers(headers).has("authorization")) return undefined;
  if (oauth?.grant !== "client_credentials") {
    return options.signIns === undefined ? undefined : new KeptAccess(server, options, options.signIns);
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
