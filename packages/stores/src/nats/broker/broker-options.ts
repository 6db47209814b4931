/** A value that is not printed by accident, such as a `Secret`. */
export interface Revealable {
  /** The value itself. */
  reveal(): string;
}

/** What to sign in to a broker with. */
export type BrokerCredentials =
  | { readonly token: Revealable }
  | { readonly user: string; readonly password: Revealable }
  | {
      /** Path of a file with the JWT and the seed of a user, as `nsc` makes it. */
      readonly credsFile: string;
    };

/** Which broker, and how it is reached. */
export interface BrokerOptions {
  /** Addresses of the NATS servers of one cluster, such as `nats://127.0.0.1:4222`; without names or passwords. */
  readonly servers: string | readonly string[];
  /** What to sign in with. */
  readonly credentials?: BrokerCredentials | undefined;
  /** Paths of PEM files, for servers that ask for TLS with a certificate authority or a certificate of their own. */
  readonly tls?: BrokerTls | undefined;
  /** Milliseconds for which a broker that does not answer is asked again; 30,000 by default. */
  readonly patienceMs?: number | undefined;
}

/** Paths of PEM files. */
export interface BrokerTls {
  /** Certificates of the authorities to trust. */
  readonly caFile?: string | undefined;
  /** Certificate of this client. */
  readonly certFile?: string | undefined;
  /** Key of that certificate. */
  readonly keyFile?: string | undefined;
}
