// An internet inside a network namespace in which every address is local: servers on all addresses record what they
// receive, and a DNS server answers every query. Nothing outside the namespace is reachable.
import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, createServer, type ListenOptions, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answerQuery } from "./fake-names.ts";

/** Ports on which servers listen, on every address. */
const PORTS = [22, 80, 443, 2375, 8080, 8443] as const;

/** First byte of a TLS connection. */
const TLS_HANDSHAKE = 22;

/** Ports on which datagrams are received, on every address. */
const UDP_PORTS = [53, 123, 443, 5353] as const;
/** Unix socket without a file, which belongs to a network namespace. */
export const ABSTRACT_SOCKET = "\0fake-internet";

/** What a server received on one connection, or the DNS server in one query. */
export interface Contact {
  readonly address: string;
  readonly port: number;
  /** Received bytes, in Latin-1. */
  received: string;
}

/** Servers of the fake internet, and everything that reached them. */
export interface FakeInternet {
  readonly contacts: Contact[];
  /** Certificate authority that signed the certificates of all servers, in PEM format. */
  readonly ca: string;
  /** Called after each received chunk. */
  onContact: () => void;
}

/** Starts the servers. `respond` answers requests in HTTP, with and without TLS. */
export async function startFakeInternet(respond: RequestListener): Promise<FakeInternet> {
  const contacts: Contact[] = [];
  const folder = mkdtempSync(join(tmpdir(), "fake-internet-"));
  const { key, cert } = makeCertificate(folder);
  const internet: FakeInternet = { contacts, ca: cert, onContact: () => {} };
  const http = createHttpServer({ insecureHTTPParser: true, requireHostHeader: false }, respond);
  const https = createHttpsServer({ key, cert, ecdhCurve: "X25519:P-256" }, respond);
  const [plain, encrypted] = [join(folder, "http"), join(folder, "https")];
  await Promise.all([listen(http, plain), listen(https, encrypted)]);
  const serve = (port: number) => (client: Socket) => {
    const contact: Contact = { address: (client.localAddress ?? "").replace(/^::ffff:/, ""), port, received: "" };
    contacts.push(contact);
    internet.onContact();
    client.on("error", () => {});
    client.once("data", (first: Buffer) => {
      const server = connect(first[0] === TLS_HANDSHAKE ? encrypted : plain);
      server.on("error", () => client.destroy());
      const record = (chunk: Buffer): void => {
        contact.received += chunk.toString("latin1");
        internet.onContact();
      };
      record(first);
      server.write(first);
      client.on("data", record).pipe(server).pipe(client);
    });
  };
  await Promise.all(
    PORTS.map((port) => listen(createServer({ allowHalfOpen: true }, serve(port)), { port, host: "::" })),
  );
  const receive = (port: number) => (received: string) => {
    contacts.push({ address: "udp", port, received });
    internet.onContact();
  };
  await startNames(receive(53));
  await Promise.all(UDP_PORTS.map((port) => receiveDatagrams(port, receive(port))));
  const abstract = createServer((socket) => {
    socket.on("data", (data) => receive(0)(data.toString("latin1"))).on("error", () => {});
  });
  await listen(abstract, ABSTRACT_SOCKET);
  return internet;
}

function listen(server: Server, place: string | ListenOptions): Promise<void> {
  server.unref();
  return new Promise((resolve) => server.listen(place, () => resolve()));
}

function receiveDatagrams(port: number, onMessage: (received: string) => void): Promise<void> {
  const socket = createSocket({ type: "udp6", reuseAddr: true });
  socket.unref();
  socket.on("message", (message) => onMessage(message.toString("latin1")));
  return new Promise((resolve) => socket.bind(port, "::", resolve));
}

function startNames(onQuery: (name: string) => void): Promise<void> {
  const socket = createSocket({ type: "udp4", reuseAddr: true });
  socket.unref();
  socket.on("message", (message, from) => {
    const { name, answer } = answerQuery(message);
    onQuery(name);
    socket.send(answer, from.port, from.address);
  });
  return new Promise((resolve) => socket.bind(53, "127.0.0.53", resolve));
}

function makeCertificate(folder: string): { readonly key: string; readonly cert: string } {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const names = ["good.example", "*.wild.example", "keyed.example", "packages.example", "git.example"];
  const subject = ["-subj", "/CN=fake", "-addext", `subjectAltName=${names.map((name) => `DNS:${name}`).join()}`];
  const files = ["-keyout", key, "-out", cert, "-days", "2"];
  const algorithm = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  execFileSync("openssl", ["req", "-x509", ...algorithm, ...files, ...subject], { stdio: "ignore" });
  return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
}
