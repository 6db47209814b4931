import type { Secret } from "@switchyard/secrets";
import type { FindAddresses } from "@switchyard/web/address";
import type { EgressDecision } from "../egress-decision.ts";
import type { EgressRule } from "../rules/egress-rules.ts";
import type { EgressLimits } from "./egress-limits.ts";
import type { HostProxy } from "./host-proxy.ts";

/**
 * Credential that the proxy adds to requests in plain HTTP. The proxy sends these requests over TLS, so that the
 * credential is encrypted on its way. Tunnels never contain a credential of the proxy.
 */
export interface EgressCredential {
  /**
   * Host that receives the credential. Requests for its port 80 are sent to its port 443 instead, so the rules must
   * allow port 443. Requests for another port are sent to that port, and the rules must allow it.
   */
  readonly host: string;
  /** Name of the header. A header of that name in the request is replaced. */
  readonly header: string;
  /** Value of the header, for example `Bearer …`. */
  readonly value: Secret;
}

/** Rules, limits and callbacks that all connections of a proxy share. */
export interface EgressContext {
  readonly rules: readonly EgressRule[];
  readonly limits: EgressLimits;
  readonly credentials: readonly EgressCredential[];
  readonly findAddresses: FindAddresses | undefined;
  /** Selects the proxy through which this machine connects to a target. */
  readonly hostProxy: HostProxy;
  /** Certificate authorities that TLS connections of the proxy trust instead of those of Node, in PEM format. */
  readonly ca: string | undefined;
  /** Aborted when the proxy closes. */
  readonly signal: AbortSignal;
  /** Reports a decision. */
  report(decision: EgressDecision): void;
  /** Counts transferred bytes. Returns false if they exceed the limit. */
  count(bytes: number): boolean;
}
