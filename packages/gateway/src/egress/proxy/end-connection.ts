import type { Duplex } from "node:stream";

/** Time that a client has to read the last bytes of a connection, in milliseconds. */
const LAST_READ_MS = 2000;

/**
 * Sends last bytes to a client and closes the connection. What the client still sends is discarded, and a client that
 * does not read or close is disconnected.
 */
export function endConnection(client: Duplex, last: string | Uint8Array): void {
  const timer = setTimeout(() => client.destroy(), LAST_READ_MS);
  timer.unref();
  client.once("close", () => clearTimeout(timer));
  client.resume();
  client.end(last);
}
