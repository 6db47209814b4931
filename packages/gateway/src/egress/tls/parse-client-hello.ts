import { ByteReader } from "./byte-reader.ts";

const SERVER_NAME = 0;
const HOST_NAME = 0;
/** Encrypted Client Hello, and its predecessor ESNI. Both hide the name of the server from the proxy. */
const ENCRYPTED_NAME: ReadonlySet<number> = new Set([0xfe0d, 0xffce, 0xfe09, 0xfe0a]);
const RANDOM_BYTES = 32;

/** Server name of a ClientHello, or the reason why the ClientHello is refused. */
export type ParsedHello =
  | { readonly serverName: string }
  | { readonly problem: "sni_missing" | "encrypted_hello" | "hello_malformed" };

/**
 * Parses the body of a TLS ClientHello message (RFC 8446, 4.1.2). Refuses a message without exactly one host name, with
 * an encrypted name, with an extension that occurs twice, or with bytes after its end.
 */
export function parseClientHello(body: Uint8Array): ParsedHello {
  const reader = new ByteReader(body);
  const start = [reader.bytes(2), reader.bytes(RANDOM_BYTES), reader.vector(1), reader.vector(2), reader.vector(1)];
  if (start.includes(undefined)) return { problem: "hello_malformed" };
  if (reader.isAtEnd) return { problem: "sni_missing" };
  const extensions = readExtensions(reader.vector(2));
  if (extensions === undefined || !reader.isAtEnd) return { problem: "hello_malformed" };
  if ([...extensions.keys()].some((type) => ENCRYPTED_NAME.has(type))) return { problem: "encrypted_hello" };
  const names = extensions.get(SERVER_NAME);
  if (names === undefined) return { problem: "sni_missing" };
  const serverName = readServerName(names);
  return serverName === undefined ? { problem: "hello_malformed" } : { serverName };
}

/** Returns the extensions by type. `undefined` if they are malformed or an extension occurs twice. */
function readExtensions(bytes: Uint8Array | undefined): ReadonlyMap<number, Uint8Array> | undefined {
  if (bytes === undefined) return undefined;
  const reader = new ByteReader(bytes);
  const extensions = new Map<number, Uint8Array>();
  while (!reader.isAtEnd) {
    const type = reader.number(2);
    const content = reader.vector(2);
    if (type === undefined || content === undefined || extensions.has(type)) return undefined;
    extensions.set(type, content);
  }
  return extensions;
}

/** Returns the lower-case host name of the extension `server_name`. `undefined` if it is malformed (RFC 6066, 3). */
function readServerName(content: Uint8Array): string | undefined {
  const outer = new ByteReader(content);
  const list = outer.vector(2);
  if (list === undefined || !outer.isAtEnd) return undefined;
  const reader = new ByteReader(list);
  const type = reader.number(1);
  const name = reader.vector(2);
  if (type !== HOST_NAME || name === undefined || name.length === 0 || !reader.isAtEnd) return undefined;
  // Each byte becomes one character, so bytes outside ASCII never equal a listed host.
  return Buffer.from(name).toString("latin1").toLowerCase();
}
