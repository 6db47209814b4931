const vector = (size: 1 | 2 | 3, content: Buffer): Buffer => {
  const length = Buffer.alloc(size);
  length.writeUIntBE(content.length, 0, size);
  return Buffer.concat([length, content]);
};

/** Returns a TLS extension. */
export function extension(type: number, content: Buffer): Buffer {
  const start = Buffer.alloc(2);
  start.writeUInt16BE(type);
  return Buffer.concat([start, vector(2, content)]);
}

/** Returns the extension `server_name` with names, each of the type `host_name` unless given. */
export function serverName(names: readonly string[], type = 0): Buffer {
  const entries = names.map((name) => Buffer.concat([Buffer.from([type]), vector(2, Buffer.from(name, "latin1"))]));
  return extension(0, vector(2, Buffer.concat(entries)));
}

/** Returns one TLS record. */
export function record(content: Buffer, type = 22): Buffer {
  return Buffer.concat([Buffer.from([type, 3, 1]), vector(2, content)]);
}

/** Returns a ClientHello message whose session id contains a text of at most 32 characters. */
export function helloMessage(sessionId: string, extensions: readonly Buffer[] | undefined): Buffer {
  const suites = vector(2, Buffer.from([0x13, 0x01, 0xc0, 0x2f]));
  const start = [Buffer.from([3, 3]), Buffer.alloc(32), vector(1, Buffer.from(sessionId)), suites, Buffer.from([1, 0])];
  const end = extensions === undefined ? [] : [vector(2, Buffer.concat(extensions))];
  return Buffer.concat([Buffer.from([1]), vector(3, Buffer.concat([...start, ...end]))]);
}

/** Extensions with which a TLS 1.3 server asks for a second ClientHello: P-256 is supported, but no key is sent. */
export const WITHOUT_KEY: readonly Buffer[] = [
  extension(10, vector(2, Buffer.from([0, 23]))),
  extension(13, vector(2, Buffer.from([4, 3, 8, 4]))),
  extension(43, vector(1, Buffer.from([3, 4]))),
  extension(51, vector(2, Buffer.alloc(0))),
];

/** Returns a ClientHello in one record, with a server name if one is given. */
export function clientHello(sessionId: string, name?: string): Buffer {
  return record(helloMessage(sessionId, name === undefined ? undefined : [serverName([name])]));
}
