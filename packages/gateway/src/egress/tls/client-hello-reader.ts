import { type ParsedHello, parseClientHello } from "./parse-client-hello.ts";

const HANDSHAKE_RECORD = 22;
const TLS_MAJOR_VERSION = 3;
const CLIENT_HELLO = 1;
const RECORD_HEADER = 5;
const MESSAGE_HEADER = 4;
/**
 * Records that may precede a second ClientHello: `change_cipher_spec`, `alert`, and early data. RFC 8446, D.4 and
 * 4.2.10.
 */
const SKIPPED_RECORDS: ReadonlySet<number | undefined> = new Set([20, 21, 23]);
const MAX_RECORD = 16_384;
/** Maximum number of bytes that encryption adds to a record. */
const MAX_EXPANSION = 256;
/** Maximum size of a ClientHello, in bytes. One with keys for post-quantum cryptography has about 2 KiB. */
const MAX_CLIENT_HELLO = 32_768;
/**
 * Number of bytes, including record headers, within which the ClientHello must be complete. Otherwise it is refused.
 */
const MAX_RECEIVED = 2 * MAX_CLIENT_HELLO;

/** Result of reading a ClientHello. */
export type HelloResult = ParsedHello | { readonly problem: "not_tls" | "hello_too_large" };

/** Reads a ClientHello from the start of a connection, in chunks of any size. */
export interface ClientHelloReader {
  /** Adds received bytes. Returns `undefined` until the result is known; must not be called again after that. */
  read(chunk: Uint8Array): HelloResult | undefined;
  /** All bytes that were added, in order. */
  received(): Uint8Array;
  /** Number of bytes up to the end of the ClientHello. */
  readonly end: number;
}

/** Options that say which ClientHello of a connection is read: the first or the second. */
export interface ClientHelloReaderOptions {
  /**
   * True for the ClientHello that follows a HelloRetryRequest. Other records may precede this ClientHello. Default:
   * false.
   */
  readonly isSecond?: boolean | undefined;
}

/**
 * Creates a reader for the ClientHello at the start of a connection. The message may be split over several TLS records.
 * The reader refuses other records between them, empty records, and bytes after the message in its last record.
 */
export function createClientHelloReader({ isSecond = false }: ClientHelloReaderOptions = {}): ClientHelloReader {
  const chunks: Uint8Array[] = [];
  const state: ReaderState = {
    ...{ header: Buffer.alloc(0), left: 0, message: Buffer.alloc(MAX_CLIENT_HELLO), length: 0 },
    ...{ isSecond, isSkipped: false, consumed: 0 },
  };
  let size = 0;
  return {
    read(chunk) {
      chunks.push(chunk);
      size += chunk.length;
      return readChunk(state, chunk) ?? (size > MAX_RECEIVED ? { problem: "hello_too_large" } : undefined);
    },
    received: () => Buffer.concat(chunks),
    get end() {
      return state.consumed;
    },
  };
}

interface ReaderState {
  /** Received bytes of an incomplete record header. */
  header: Buffer;
  /** Number of bytes of the current record that have not arrived yet. */
  left: number;
  /** Buffer of the message, of which `length` bytes are received. */
  readonly message: Buffer;
  length: number;
  /** True if the ClientHello follows a HelloRetryRequest. */
  readonly isSecond: boolean;
  /** True if the current record is not part of the ClientHello. */
  isSkipped: boolean;
  /** Number of bytes that were read. */
  consumed: number;
}

function readChunk(state: ReaderState, chunk: Uint8Array): HelloResult | undefined {
  let rest = chunk;
  while (rest.length > 0) {
    const count = state.left === 0 ? RECORD_HEADER - state.header.length : state.left;
    const part = rest.subarray(0, count);
    rest = rest.subarray(part.length);
    state.consumed += part.length;
    const result = state.left === 0 ? addToHeader(state, part) : addToMessage(state, part);
    if (result !== undefined) return result;
  }
  return undefined;
}

function addToHeader(state: ReaderState, part: Uint8Array): HelloResult | undefined {
  const header = Buffer.concat([state.header, part]);
  const [type, major] = header;
  const isSkipped = state.isSecond && state.length === 0 && SKIPPED_RECORDS.has(type);
  const isStrange = (type !== HANDSHAKE_RECORD && !isSkipped) || (major !== undefined && major !== TLS_MAJOR_VERSION);
  if (isStrange) return { problem: state.length === 0 ? "not_tls" : "hello_malformed" };
  const isComplete = header.length === RECORD_HEADER;
  state.header = isComplete ? Buffer.alloc(0) : header;
  if (!isComplete) return undefined;
  state.isSkipped = isSkipped;
  state.left = header.readUInt16BE(3);
  return state.left === 0 || state.left > MAX_RECORD + (isSkipped ? MAX_EXPANSION : 0)
    ? { problem: "hello_malformed" }
    : undefined;
}

function addToMessage(state: ReaderState, part: Uint8Array): HelloResult | undefined {
  if (state.isSkipped) {
    state.left -= part.length;
    return undefined;
  }
  if (state.length + part.length > MAX_CLIENT_HELLO) return { problem: "hello_too_large" };
  state.message.set(part, state.length);
  state.length += part.length;
  state.left -= part.length;
  const { message, length } = state;
  if (message[0] !== CLIENT_HELLO) return { problem: "hello_malformed" };
  if (length < MESSAGE_HEADER) return undefined;
  const end = MESSAGE_HEADER + message.readUIntBE(1, 3);
  if (end > MAX_CLIENT_HELLO) return { problem: "hello_too_large" };
  if (length < end) return undefined;
  // Bytes after the message in the same record would be a second message, which the check would not cover.
  if (length > end || state.left > 0) return { problem: "hello_malformed" };
  return parseClientHello(message.subarray(MESSAGE_HEADER, end));
}
