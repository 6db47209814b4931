import { PassThrough } from "node:stream";
import { connect } from "node:tls";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createClientHelloReader, type HelloResult } from "./client-hello-reader.ts";

/** Returns the bytes that Node sends first in a TLS handshake. */
async function helloOf(servername: string, options: object = {}): Promise<Buffer> {
  const sent = new PassThrough();
  const socket = new (await import("node:stream")).Duplex({
    read() {},
    write(chunk, _, done) {
      sent.write(chunk);
      done();
    },
  });
  const client = connect({ socket, servername, ...options });
  client.on("error", () => {});
  const [first]: Buffer[] = await new Promise((resolve) => sent.once("data", (chunk: Buffer) => resolve([chunk])));
  client.destroy();
  return first ?? Buffer.alloc(0);
}

/** Reads bytes in chunks that end at the given positions. */
function readIn(bytes: Buffer, cuts: readonly number[]): HelloResult | undefined {
  const reader = createClientHelloReader();
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((one, other) => one - other);
  let start = 0;
  for (const end of [...ends, bytes.length]) {
    const result = start === end ? undefined : reader.read(bytes.subarray(start, end));
    start = end;
    if (result !== undefined) return result;
  }
  return undefined;
}

/** Puts one handshake message into several TLS records. */
function inRecords(hello: Buffer, size: number): Buffer {
  const message = hello.subarray(5);
  const records: Buffer[] = [];
  for (let start = 0; start < message.length; start += size) {
    const part = message.subarray(start, start + size);
    records.push(Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]), part);
  }
  return Buffer.concat(records);
}

const vector = (size: 1 | 2 | 3, content: Buffer): Buffer => {
  const length = Buffer.alloc(size);
  length.writeUIntBE(content.length, 0, size);
  return Buffer.concat([length, content]);
};
const extension = (type: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([type >> 8, type & 255]), vector(2, content)]);
const nameEntry = (name: string, type = 0): Buffer =>
  Buffer.concat([Buffer.from([type]), vector(2, Buffer.from(name, "latin1"))]);
const serverName = (...names: Buffer[]): Buffer => extension(0, vector(2, Buffer.concat(names)));
const helloWith = (extensions: Buffer | undefined): Buffer => {
  const start = [
    Buffer.from([3, 3]),
    Buffer.alloc(32),
    vector(1, Buffer.alloc(0)),
    vector(2, Buffer.from([19, 1])),
    vector(1, Buffer.from([0])),
  ];
  const body = Buffer.concat([...start, ...(extensions === undefined ? [] : [vector(2, extensions)])]);
  const message = Buffer.concat([Buffer.from([1]), vector(3, body)]);
  return Buffer.concat([Buffer.from([22, 3, 1]), vector(2, message)]);
};

test("the server name of a real handshake is read, however it is split", async () => {
  const hello = await helloOf("Api.Example.com");
  fc.assert(
    fc.property(fc.array(fc.nat(4000), { maxLength: 30 }), fc.integer({ min: 1, max: 600 }), (cuts, size) => {
      expect(readIn(hello, cuts)).toEqual({ serverName: "api.example.com" });
      expect(readIn(inRecords(hello, size), cuts)).toEqual({ serverName: "api.example.com" });
    }),
    { numRuns: 60 },
  );
  expect(readIn(hello, Array.from(hello.keys()))).toEqual({ serverName: "api.example.com" });
});

test("a handshake that is cut anywhere is incomplete, and its changes never read past its end", async () => {
  const hello = await helloOf("api.example.com");
  for (const end of hello.keys()) {
    if (end > 0) expect(createClientHelloReader().read(hello.subarray(0, end))).toBeUndefined();
  }
  fc.assert(
    fc.property(fc.nat(hello.length - 1), fc.nat(255), (index, value) => {
      const changed = Buffer.from(hello);
      changed[index] = value;
      const result = createClientHelloReader().read(changed);
      if (result !== undefined && "serverName" in result) expect(result.serverName).toHaveLength(15);
    }),
    { numRuns: 200 },
  );
});

test("received bytes are returned unchanged, also those after the handshake", async () => {
  const bytes = Buffer.concat([await helloOf("api.example.com"), Buffer.from([23, 3, 3, 0, 1, 7])]);
  const reader = createClientHelloReader();
  expect(reader.read(bytes.subarray(0, 3))).toBeUndefined();
  expect(reader.read(bytes.subarray(3))).toEqual({ serverName: "api.example.com" });
  expect(Buffer.compare(reader.received(), bytes)).toBe(0);
});

const sni = serverName(nameEntry("a.example"));
test.each<[string, Buffer, string]>([
  ["no extensions", helloWith(undefined), "sni_missing"],
  ["no server name", helloWith(extension(16, Buffer.alloc(2))), "sni_missing"],
  ["an encrypted hello", helloWith(Buffer.concat([sni, extension(0xfe0d, Buffer.alloc(8))])), "encrypted_hello"],
  ["an encrypted hello without a name", helloWith(extension(0xfe0d, Buffer.alloc(8))), "encrypted_hello"],
  ["ESNI", helloWith(Buffer.concat([extension(0xffce, Buffer.alloc(8)), sni])), "encrypted_hello"],
  ["two server name extensions", helloWith(Buffer.concat([sni, sni])), "hello_malformed"],
  ["two server names", helloWith(serverName(nameEntry("a.example"), nameEntry("b.example"))), "hello_malformed"],
  ["an unknown type of name", helloWith(serverName(nameEntry("a.example", 1))), "hello_malformed"],
  ["an empty server name", helloWith(serverName(nameEntry(""))), "hello_malformed"],
  ["an empty list of names", helloWith(serverName()), "hello_malformed"],
  [
    "bytes after the names",
    helloWith(extension(0, Buffer.concat([vector(2, nameEntry("a.example")), Buffer.alloc(1)]))),
    "hello_malformed",
  ],
  ["bytes after the message", Buffer.from([22, 3, 1, 0, 6, 1, 0, 0, 1, 0, 0]), "hello_malformed"],
  ["another message", Buffer.from([22, 3, 1, 0, 4, 2, 0, 0, 0]), "hello_malformed"],
  ["an empty record", Buffer.from([22, 3, 1, 0, 0]), "hello_malformed"],
  ["an alert inside the message", Buffer.from([22, 3, 1, 0, 1, 1, 21, 3, 1, 0, 2]), "hello_malformed"],
  ["a record that is too large", Buffer.from([22, 3, 1, 0xff, 0xff]), "hello_malformed"],
  ["a message that is too large", Buffer.from([22, 3, 1, 0, 4, 1, 1, 0, 0]), "hello_too_large"],
  ["an SSL 2 hello", Buffer.from([0x80, 0x2e, 1, 3, 1]), "not_tls"],
  ["another protocol", Buffer.from("SSH-2.0-x\r\n"), "not_tls"],
])("%s is refused", (_, bytes, problem) => {
  expect(createClientHelloReader().read(bytes)).toEqual({ problem });
  expect(readIn(bytes, Array.from(bytes.keys()))).toEqual({ problem });
});

test("a name with a NUL byte or bytes outside ASCII never equals a host", () => {
  for (const name of ["a.example\0.b.example", "\xe0.example"]) {
    expect(createClientHelloReader().read(helloWith(serverName(nameEntry(name))))).toEqual({ serverName: name });
  }
});

test("tiny records end at the limit of received bytes", () => {
  const reader = createClientHelloReader();
  const start = Buffer.from([22, 3, 1, 0, 4, 1, 0, 0x7f, 0]);
  expect(reader.read(start)).toBeUndefined();
  const record = Buffer.from([22, 3, 1, 0, 1, 0]);
  expect(reader.read(Buffer.concat(Array.from({ length: 11_000 }, () => record)))).toEqual({
    problem: "hello_too_large",
  });
});
