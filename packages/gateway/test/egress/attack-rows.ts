import { clientHello, extension, helloMessage, record, serverName, WITHOUT_KEY } from "./client-hello-bytes.ts";

/** Rules of the proxy that the rows attack. */
export const RULES =
  "list:good.example,good.example:80,*.wild.example,*.listed.example,*.listed.example:80,keyed.example";
/** Value of the credential that the proxy adds for `keyed.example`. */
export const CREDENTIAL = "Bearer sesame-open-1234";

/** An attack on the proxy: bytes that a client sends, and how the servers show that it succeeded. */
export interface AttackRow {
  readonly name: string;
  /**
   * What the client sends. The second and later parts follow when the proxy has answered. A mark in the bytes makes
   * what arrives recognisable: 16 letters and digits.
   */
  send(mark: string): readonly (string | Buffer)[];
  /** Text that must not arrive at any server. Default: the mark. */
  readonly leak?: string | RegExp;
}

const head = (...lines: string[]): string => `${lines.join("\r\n")}\r\n\r\n`;
const connectTo = (authority: string, host = authority): string =>
  head(`CONNECT ${authority} HTTP/1.1`, `Host: ${host}`);
const GOOD = "good.example:443";

/** Opens a tunnel and sends a ClientHello with the name of the tunnel's host. */
export const tunnelTo = (authority: string): AttackRow => ({
  name: `tunnel to ${JSON.stringify(authority).slice(0, 60)}`,
  send: (mark) => [connectTo(authority), clientHello(mark, authority.replace(/:\d+$/, ""))],
});
/** Sends a request in plain HTTP whose path contains the mark. */
export const getFrom = (authority: string): AttackRow => ({
  name: `http request to ${JSON.stringify(authority).slice(0, 60)}`,
  send: (mark) => [head(`GET http://${authority}/${mark} HTTP/1.1`, `Host: ${authority}`)],
});
/** Opens a tunnel to a listed host and sends other bytes than a proper ClientHello. */
const inTunnel = (name: string, bytes: (mark: string) => Buffer | string): AttackRow => ({
  name: `in a tunnel: ${name}`,
  send: (mark) => [connectTo(GOOD), bytes(mark)],
});
const request = (name: string, text: (mark: string) => string, leak?: string | RegExp): AttackRow => ({
  name: `http request: ${name}`,
  send: (mark) => [text(mark)],
  ...(leak === undefined ? {} : { leak }),
});

/** Addresses of this machine, of private networks and of metadata services, in notations that resolvers accept. */
const NOTATIONS = [
  "127.0.0.1",
  "127.1",
  "127.0.1",
  "2130706433",
  "0x7f000001",
  "0x7f.0.0.1",
  "0177.0.0.1",
  "017700000001",
  "0x7f.1",
  "0",
  "0.0.0.0",
  "169.254.169.254",
  "0xa9fea9fe",
  "2852039166",
  "169.16689662",
  "0251.0376.0251.0376",
  "168.63.129.16",
  "100.100.100.200",
  "10.0.0.1",
  "192.168.1.1",
  "172.16.0.1",
  "93.184.216.34",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:a9fe:a9fe]",
  "[::ffff:0:127.0.0.1]",
  "[64:ff9b::a9fe:a9fe]",
  "[64:ff9b:1::7f00:1]",
  "[2002:7f00:1::]",
  "[2001:0:7f00:1::]",
  "[fd00:ec2::254]",
  "[fe80::1%25lo]",
  "[2606:2800:220:1:248:1893:25c8:1946]",
];

const DISGUISED = [
  "localhost.",
  "127.0.0.1.",
  "%31%32%37.0.0.1",
  "①②⑦.⓪.⓪.①",
  "127。0。0。1",
  "evil.example",
  "EVIL.example",
  "good.example.",
  "good.example.evil.example",
  "evilgood.example",
  "wild.example",
  "evilwild.example",
  "[good.example]",
  "gооd.example",
  "evil.example%00.wild.example",
  "evil.example%2f.wild.example",
  "evil.example%23.wild.example",
  "good.example@evil.example",
];

/** Listed names that resolve to addresses which must not be reached. */
const RESOLVED = [
  "at-127-0-0-1",
  "at-127-8-8-8",
  "at-0-0-0-0",
  "at-10-1-2-3",
  "at-172-31-255-255",
  "at-192-168-0-1",
  "at-169-254-169-254",
  "at-168-63-129-16",
  "at-100-64-0-1",
  "at-100-100-100-200",
  "at-192-0-0-192",
  "at-198-18-0-1",
  "at-192-0-2-1",
  "at-240-0-0-1",
  "at6-0-0-0-0-0-0-0-1",
  "at6-0-0-0-0-0-ffff-7f00-1",
  "at6-64-ff9b-0-0-0-0-7f00-1",
  "at6-2002-7f00-1-0-0-0-0-1",
  "at6-2001-0-7f00-1-0-0-0-1",
  "at6-fd00-ec2-0-0-0-0-0-254",
  "at6-fec0-0-0-0-0-0-0-1",
  "mixed-127-0-0-1",
  "mixed-169-254-169-254",
  "mixed6-fd00-0-0-0-0-0-0-1",
];

const port = (authority: string): AttackRow => tunnelTo(authority);

/** The first ClientHello is proper, and asks for a HelloRetryRequest. */
const RETRIED = record(helloMessage("", [serverName(["good.example"]), ...WITHOUT_KEY]));
const CHANGE_CIPHER = record(Buffer.from([1]), 20);
const inSecondHello = (name: string, bytes: (mark: string) => Buffer): AttackRow => ({
  name: `in the second ClientHello: ${name}`,
  send: (mark) => [connectTo(GOOD), RETRIED, bytes(mark)],
});

const SECOND_HELLOS: readonly AttackRow[] = [
  inSecondHello("another server name", (mark) => clientHello(mark, "evil.example")),
  inSecondHello("another server name after a change of the cipher", (mark) =>
    Buffer.concat([CHANGE_CIPHER, clientHello(mark, "evil.example")]),
  ),
  inSecondHello("another server name after early data", (mark) =>
    Buffer.concat([record(Buffer.alloc(600), 23), clientHello(mark, "evil.example")]),
  ),
  inSecondHello("no server name", (mark) => clientHello(mark)),
  inSecondHello("an encrypted hello", (mark) =>
    record(helloMessage(mark, [serverName(["good.example"]), extension(0xfe0d, Buffer.alloc(8))])),
  ),
  inTunnel("a second ClientHello with another server name, sent with the first one", (mark) =>
    Buffer.concat([RETRIED, CHANGE_CIPHER, clientHello(mark, "evil.example")]),
  ),
];

const TUNNELS: readonly AttackRow[] = [
  ...SECOND_HELLOS,
  ...["good.example:22", "good.example:8443", "a.wild.example:8080", "good.example:2375"].map(port),
  inTunnel("another server name", (mark) => clientHello(mark, "evil.example")),
  inTunnel("a server name below the host", (mark) => clientHello(mark, "a.good.example")),
  inTunnel("a server name with a dot at its end", (mark) => clientHello(mark, "good.example.")),
  inTunnel("a server name with a NUL byte", (mark) => clientHello(mark, "good.example\0.evil.example")),
  inTunnel("an IP address as server name", (mark) => clientHello(mark, "127.0.0.1")),
  inTunnel("no server name", (mark) => clientHello(mark)),
  inTunnel("no server name among extensions", (mark) => record(helloMessage(mark, [extension(16, Buffer.alloc(2))]))),
  inTunnel("two names", (mark) => record(helloMessage(mark, [serverName(["good.example", "evil.example"])]))),
  inTunnel("two extensions", (mark) =>
    record(helloMessage(mark, [serverName(["good.example"]), serverName(["evil.example"])])),
  ),
  inTunnel("an unknown type of name", (mark) => record(helloMessage(mark, [serverName(["good.example"], 1)]))),
  inTunnel("an encrypted hello", (mark) =>
    record(helloMessage(mark, [serverName(["good.example"]), extension(0xfe0d, Buffer.alloc(8))])),
  ),
  inTunnel("ESNI", (mark) =>
    record(helloMessage(mark, [serverName(["good.example"]), extension(0xffce, Buffer.alloc(8))])),
  ),
  inTunnel("a name that is split over records", (mark) => {
    const message = helloMessage(mark, [serverName(["evil.example"])]);
    return Buffer.concat([record(message.subarray(0, 60)), record(message.subarray(60))]);
  }),
  inTunnel("a second message in the record", (mark) =>
    record(
      Buffer.concat([
        helloMessage(mark, [serverName(["good.example"])]),
        helloMessage(mark, [serverName(["evil.example"])]),
      ]),
    ),
  ),
  inTunnel("an SSL 2 hello", (mark) => Buffer.concat([Buffer.from([0x80, 0x20, 1, 3, 1]), Buffer.from(mark)])),
  inTunnel("plain HTTP", (mark) => head(`GET /${mark} HTTP/1.1`, "Host: evil.example")),
  inTunnel("SSH", (mark) => `SSH-2.0-${mark}\r\n`),
  inTunnel("binary data", (mark) => Buffer.concat([Buffer.from([0, 1, 2]), Buffer.from(mark)])),
  {
    name: "tunnel: TLS for another host behind the request, before the proxy answers",
    send: (mark) => [Buffer.concat([Buffer.from(connectTo(GOOD)), clientHello(mark, "evil.example")])],
  },
  {
    name: "tunnel: the Host header names a listed host",
    send: (mark) => [connectTo("evil.example:443", GOOD), clientHello(mark, "evil.example")],
  },
  {
    name: "tunnel: the Host header names another host",
    send: (mark) => [connectTo(GOOD, "evil.example:443"), clientHello(mark, "good.example")],
  },
  {
    name: "tunnel: two Host headers",
    send: (mark) => [
      head(`CONNECT ${GOOD} HTTP/1.1`, `Host: ${GOOD}`, "Host: evil.example"),
      clientHello(mark, "good.example"),
    ],
  },
  { name: "tunnel: no port", send: (mark) => [connectTo("good.example"), clientHello(mark, "good.example")] },
  {
    name: "tunnel: a port with a zero",
    send: (mark) => [connectTo("good.example:0443"), clientHello(mark, "good.example")],
  },
  { name: "tunnel: a URL", send: (mark) => [connectTo("https://good.example:443"), clientHello(mark, "good.example")] },
];

const REQUESTS: readonly AttackRow[] = [
  request("the Host header names another host", (mark) =>
    head(`GET http://good.example/${mark} HTTP/1.1`, "Host: evil.example"),
  ),
  request("two Host headers", (mark) =>
    head(`GET http://good.example/${mark} HTTP/1.1`, "Host: good.example", "Host: evil.example"),
  ),
  request("no Host header", (mark) => head(`GET http://good.example/${mark} HTTP/1.1`, "Accept: */*")),
  request("a listed host as user name", (mark) =>
    head(`GET http://good.example:80@evil.example/${mark} HTTP/1.1`, "Host: evil.example"),
  ),
  request("a path instead of a URL", (mark) => head(`GET /${mark} HTTP/1.1`, "Host: good.example")),
  request("an unlisted port", (mark) =>
    head(`GET http://good.example:8080/${mark} HTTP/1.1`, "Host: good.example:8080"),
  ),
  request("a backslash in the URL", (mark) =>
    head(`GET http://evil.example\\.wild.example/${mark} HTTP/1.1`, "Host: good.example"),
  ),
  request("a fragment in the URL", (mark) =>
    head(`GET http://good.example#@evil.example/${mark} HTTP/1.1`, "Host: good.example"),
  ),
  request("the scheme https", (mark) => head(`GET https://good.example/${mark} HTTP/1.1`, "Host: good.example")),
  request("the scheme ftp", (mark) => head(`GET ftp://good.example/${mark} HTTP/1.1`, "Host: good.example")),
  request(
    "a length and chunks",
    (mark) =>
      `${head("POST http://good.example/ HTTP/1.1", "Host: good.example", "Content-Length: 6", "Transfer-Encoding: chunked")}0\r\n\r\nGET /${mark} HTTP/1.1\r\n\r\n`,
  ),
  request(
    "two lengths",
    (mark) =>
      `${head("POST http://good.example/ HTTP/1.1", "Host: good.example", "Content-Length: 0", "Content-Length: 44")}GET /${mark} HTTP/1.1\r\n\r\n`,
  ),
  request(
    "two different codings",
    (mark) =>
      `${head("POST http://good.example/ HTTP/1.1", "Host: good.example", "Transfer-Encoding: x", "Transfer-Encoding: chunked")}0\r\n\r\nGET /${mark} HTTP/1.1\r\n\r\n`,
  ),
  request(
    "an unknown coding before chunks",
    (mark) =>
      `${head("POST http://good.example/ HTTP/1.1", "Host: good.example", "Transfer-Encoding: gzip, chunked")}4\r\n${mark.slice(0, 4)}\r\n0\r\n\r\n`,
    /gzip, chunked/,
  ),
  request(
    "a line end without carriage return",
    (mark) => `GET http://good.example/${mark} HTTP/1.1\nHost: good.example\n\n`,
  ),
  request("a folded header", (mark) =>
    head(`GET http://good.example/${mark} HTTP/1.1`, "Host: good.example", "X-One: 1", " two"),
  ),
  request(
    "a space before the colon",
    (mark) =>
      `${head("POST http://good.example/ HTTP/1.1", "Host: good.example", "Content-Length : 44")}GET /${mark} HTTP/1.1\r\n\r\n`,
  ),
  request(
    "a second request behind the first, to another host",
    (mark) =>
      `${head("GET http://good.example/ HTTP/1.1", "Host: good.example")}${head(`GET http://evil.example/${mark} HTTP/1.1`, "Host: evil.example")}`,
  ),
  request("headers for the proxy are not forwarded", (mark) =>
    head(
      "GET http://good.example/ HTTP/1.1",
      "Host: good.example",
      `Proxy-Authorization: Basic ${mark}`,
      "Connection: close",
    ),
  ),
  request("headers that Connection names are not forwarded", (mark) =>
    head("GET http://good.example/ HTTP/1.1", "Host: good.example", `X-Hop: ${mark}`, "Connection: close, X-Hop"),
  ),
  request(
    "the length is not removed by Connection",
    (mark) =>
      `${head("GET http://good.example/ HTTP/1.1", "Host: good.example", "Content-Length: 44", "Connection: close, Content-Length")}GET /${mark}X HTTP/1.1\r\nHost: good.ex\r\n`,
    /^(?![\s\S]*content-length: 44)[\s\S]*X HTTP\/1\.1\r\nHost: good\.ex\r\n/i,
  ),
  request("an upgrade to another protocol", (mark) =>
    head(`GET http://good.example/ HTTP/1.1`, "Host: good.example", "Connection: Upgrade", `Upgrade: ${mark}`),
  ),
  request("the method TRACE", (mark) =>
    head(`TRACE http://good.example/${mark} HTTP/1.1`, "Host: good.example", "Connection: close"),
  ),
  request(
    "a credential is not sent without TLS",
    () => head("GET http://keyed.example/ HTTP/1.1", "Host: keyed.example"),
    CREDENTIAL,
  ),
  request("headers above the limit", (mark) =>
    head(`GET http://good.example/${mark} HTTP/1.1`, "Host: good.example", `X-Big: ${"x".repeat(20_000)}`),
  ),
];

/** All attacks. */
export const ATTACK_ROWS: readonly AttackRow[] = [
  ...NOTATIONS.map((host) => tunnelTo(`${host}:443`)),
  ...NOTATIONS.map(getFrom),
  ...DISGUISED.map((host) => tunnelTo(`${host}:443`)),
  ...DISGUISED.map(getFrom),
  ...RESOLVED.map((label) => tunnelTo(`${label}.listed.example:443`)),
  ...RESOLVED.slice(0, 8).map((label) => getFrom(`${label}.listed.example`)),
  ...TUNNELS,
  ...REQUESTS,
];
