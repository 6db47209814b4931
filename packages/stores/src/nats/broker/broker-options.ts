/**
 * An object that reveals its value only on request, such as a `Secret`, so that the value is not logged by accident.
 */
export interface Revealable {
  /** Returns the value. */
  reveal(): string;
}

/** Credentials for a broker. */
export type BrokerCredentials =
  | { readonly token: Revealable }
  | { readonly user: string; readonly password: Revealable }
  | {
      /** Path of a file with the JWT and seed of a user, as created by `nsc`. */
      readonly credsFile: string;
    };

/** Options for connecting to a broker. */
export interface BrokerOptions {
  /** URLs of the NATS servers of one cluster, such as `nats://127.0.0.1:4222`, without user names or passwords. */
  readonly servers: string | readonly string[];
  /** Credentials. Default: none. */
  readonly credentials?: BrokerCredentials | undefined;
  /** Paths of PEM files, for servers that require TLS with a private certificate authority or a client certificate. */
  readonly tls?: BrokerTls | undefined;
  /** Maximum time, in milliseconds, for which calls are retried while the broker does not respond. Default: 30,000. */
  readonly retryTimeoutMs?: number | undefined;
}

/** Paths of PEM files. */
export interface BrokerTls {
  /** Path of the certificates of the trusted certificate authorities. */
  readonly caFile?: string | undefined;
  /** Path of the certificate of this client. */
  readonly certFile?: string | undefined;
  /** Path of the private key of the client certificate. */
  readonly keyFile?: string | undefined;
}
