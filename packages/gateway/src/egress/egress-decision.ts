/** Reason for a decision about a connection. `allowed` is the only reason of an allowed connection. */
export type EgressReason =
  | "allowed"
  | "host_not_listed"
  | "port_not_listed"
  | "host_invalid"
  | "address_refused"
  | "name_not_found"
  | "connection_failed"
  | "request_invalid"
  | "not_tls"
  | "sni_missing"
  | "sni_mismatch"
  | "encrypted_hello"
  | "hello_malformed"
  | "hello_too_large"
  | "timeout"
  | "too_many_connections"
  | "byte_limit";

/**
 * Decision about one request of an environment. Emitted once per request, and again if an allowed tunnel is refused
 * later.
 */
export interface EgressDecision {
  readonly type: "egress_decision";
  /** How the environment asked: a tunnel (`CONNECT`), or a request in plain HTTP. */
  readonly kind: "tunnel" | "http";
  /** Host, in lower case. For an invalid target: the target as the client sent it, shortened to 256 characters. */
  readonly host: string;
  /** Port. `undefined` if the target is invalid. */
  readonly port: number | undefined;
  /** Whether data may pass. `failed`: the rules allow the host, but no connection could be made. */
  readonly verdict: "allowed" | "refused" | "failed";
  /** Reason for the decision. */
  readonly reason: EgressReason;
  /** Address that the proxy connected to, or the address that was refused. `undefined` if no name was resolved. */
  readonly address: string | undefined;
  /** Explanation for users and agents: what was refused, why, and which option allows it. */
  readonly message: string;
}

/** Target, reason and details of a decision. */
export interface DecisionInput {
  readonly kind: EgressDecision["kind"];
  readonly host: string;
  readonly port?: number | undefined;
  readonly reason: EgressReason;
  readonly address?: string | undefined;
  /** Text that the explanation of some reasons contains: a problem, an address, a server name or the byte limit. */
  readonly detail?: string | undefined;
}

const FAILURES: ReadonlySet<EgressReason> = new Set(["name_not_found", "connection_failed"]);
const MAX_SHOWN = 256;

/** Creates a decision with its explanation. Characters that are not printable ASCII are replaced with `?`. */
export function createDecision({ kind, host, port, reason, address, detail }: DecisionInput): EgressDecision {
  const shown = printable(host);
  const verdict = reason === "allowed" ? "allowed" : FAILURES.has(reason) ? "failed" : "refused";
  const target = port === undefined ? shown : `${shown}:${port}`;
  const explanation = explain(reason, { target, host: shown, port, detail: printable(detail ?? "") });
  return { type: "egress_decision", kind, host: shown, port, verdict, reason, address, message: explanation };
}

function printable(text: string): string {
  return text.slice(0, MAX_SHOWN).replace(/[^\x20-\x7e]/g, "?");
}

interface Explained {
  readonly target: string;
  readonly host: string;
  readonly port: number | undefined;
  readonly detail: string;
}

function explain(reason: EgressReason, { target, host, port, detail }: Explained): string {
  const refused = `The network of this environment refused ${target}`;
  switch (reason) {
    case "allowed":
      return `The network of this environment connected to ${target}.`;
    case "host_not_listed":
      return `${refused}: the host is not in the list of allowed hosts. The option --env-network list:${port === 443 ? host : target} allows it.`;
    case "port_not_listed":
      return `${refused}: the host is allowed, but not on this port. The option --env-network list:${target} allows it.`;
    case "host_invalid":
      return `${refused}: ${detail}. Use the complete name of a host; --env-network list:HOST allows names only.`;
    case "address_refused":
      return `${refused}: the name resolves to ${detail}, which is not a public address. No option of --env-network allows it.`;
    case "name_not_found":
      return `${target} was not reached: its name could not be resolved.`;
    case "connection_failed":
      return `${target} was not reached: ${detail}.`;
    case "request_invalid":
      return `${refused}: ${detail}.`;
    case "not_tls":
      return `${refused}: the tunnel does not start with TLS. Tunnels allow TLS only; for plain HTTP, send the request to the proxy.`;
    case "sni_missing":
      return `${refused}: the TLS handshake does not name a server (SNI). Use a client that sends the host name.`;
    case "sni_mismatch":
      return `${refused}: the TLS handshake names another server (${detail}). The name must equal the host of the tunnel.`;
    case "encrypted_hello":
      return `${refused}: the TLS handshake hides the name of the server (ECH). Turn Encrypted Client Hello off in the client.`;
    case "hello_malformed":
      return `${refused}: the start of the TLS handshake is malformed.`;
    case "hello_too_large":
      return `${refused}: the start of the TLS handshake is too large.`;
    case "timeout":
      return `${refused}: ${detail}.`;
    case "too_many_connections":
      return `${refused}: the environment has too many open connections. Close some of them and retry.`;
    case "byte_limit":
      return `${refused}: the environment has used its data limit of ${detail} bytes.`;
    default:
      return reason satisfies never;
  }
}
