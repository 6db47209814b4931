import { createHash } from "node:crypto";

const HANDSHAKE_RECORD = 22;
const RECORD_HEADER = 5;
const SERVER_HELLO = 2;
/** Value of the field `random` that marks a ServerHello as a HelloRetryRequest. RFC 8446, 4.1.3. */
const RETRY_RANDOM = createHash("sha256").update("HelloRetryRequest").digest();
/** Position of the random field, after the type, length and version of the message. */
const RANDOM_START = 6;
const RANDOM_END = RANDOM_START + RETRY_RANDOM.length;

/**
 * Returns whether a TLS server asks for a second ClientHello, given the first bytes that it sent. Returns `undefined`
 * if more bytes are needed. Fewer than 300 bytes are always sufficient.
 */
export function asksForRetry(received: Uint8Array): boolean | undefined {
  let rest = received;
  let message: Uint8Array = Buffer.alloc(0);
  while (rest.length >= RECORD_HEADER) {
    const [type, , , high = 0, low = 0] = rest;
    const size = high * 256 + low;
    if (type !== HANDSHAKE_RECORD || size === 0) return false;
    message = Buffer.concat([message, rest.subarray(RECORD_HEADER, RECORD_HEADER + size)]);
    const isHello = message.length === 0 || message[0] === SERVER_HELLO;
    if (!isHello) return false;
    if (message.length >= RANDOM_END) return RETRY_RANDOM.equals(message.subarray(RANDOM_START, RANDOM_END));
    rest = rest.subarray(RECORD_HEADER + size);
  }
  return rest.length > 0 && rest[0] !== HANDSHAKE_RECORD ? false : undefined;
}
