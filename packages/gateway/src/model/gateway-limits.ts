/** Limits of the calls of one run. */
export interface ModelGatewayLimits {
  /** Maximum size of a request body, in bytes. Default: 32 MiB. */
  maxRequestBytes: number;
  /**
   * Maximum total size of the request bodies that the gateway holds for a run at the same time, in bytes. Default: 128
   * MiB.
   */
  maxBufferedBytes: number;
  /** Maximum size of a response, in bytes. Default: 64 MiB. */
  maxResponseBytes: number;
  /** Maximum number of requests of a run at the same time. Default: 32. */
  maxConcurrentCalls: number;
  /** Maximum number of connections to the address of a run. Default: 128. */
  maxConnections: number;
  /** Time in which the engine must send a request completely, in milliseconds. Default: 60,000. */
  requestTimeoutMs: number;
  /**
   * Time in which the provider must send the first or the next bytes of a response, in milliseconds. Default: 600,000.
   */
  upstreamTimeoutMs: number;
  /** Time in which the engine must read the next bytes of a response, in milliseconds. Default: 60,000. */
  clientTimeoutMs: number;
}

/** Default limits. */
export const GATEWAY_LIMITS: Readonly<ModelGatewayLimits> = {
  maxRequestBytes: 32 * 1024 * 1024,
  maxBufferedBytes: 128 * 1024 * 1024,
  maxResponseBytes: 64 * 1024 * 1024,
  maxConcurrentCalls: 32,
  maxConnections: 128,
  requestTimeoutMs: 60_000,
  upstreamTimeoutMs: 600_000,
  clientTimeoutMs: 60_000,
};
