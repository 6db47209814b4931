import type { Duplex } from "node:stream";

/** Time that a client has to read the last bytes of a connection, in milliseconds. */
const LAST_READ_MS = 2000;

/**
 * Sends last bytes to a client and closes the connection. Further data from the client is discarded. If the client does
 * not read the bytes and close the connection in time, it is disconnected.
 */
export function endConnection(client: Duplex, last: string | Uint8Array): void {
  const timer = setTimeout(() => client.destroy(), LAST_READ_MS);
  timer.unref();
  client.once("close", () => clearTimeout(timer));
  client.resume();
  client.end(last);
}
