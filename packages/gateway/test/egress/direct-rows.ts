import { ABSTRACT_SOCKET } from "./fake-internet.ts";

/** An attempt of a command to reach a server without the proxy. */
export interface DirectRow {
  readonly protocol: "tcp" | "udp" | "unix" | "name";
  readonly address: string;
  readonly port: number;
}

const tcp = (address: string, port: number): DirectRow => ({ protocol: "tcp", address, port });
const udp = (address: string, port: number): DirectRow => ({ protocol: "udp", address, port });

/** Attempts that must fail in a sandbox whose network is a list of hosts. */
export const DIRECT_ROWS: readonly DirectRow[] = [
  tcp("93.184.216.34", 443),
  tcp("93.184.216.34", 80),
  tcp("1.1.1.1", 443),
  tcp("127.0.0.1", 80),
  tcp("127.0.0.1", 2375),
  tcp("127.0.0.53", 22),
  tcp("169.254.169.254", 80),
  tcp("10.0.0.1", 22),
  tcp("0.0.0.0", 8080),
  tcp("::1", 80),
  tcp("::ffff:127.0.0.1", 80),
  tcp("2606:4700:4700::1111", 443),
  tcp("fd00:ec2::254", 80),
  udp("8.8.8.8", 53),
  udp("127.0.0.53", 53),
  udp("93.184.216.34", 443),
  udp("1.1.1.1", 123),
  udp("192.168.1.1", 5353),
  udp("2606:4700:4700::1111", 53),
  { protocol: "name", address: "evil.example", port: 0 },
  { protocol: "unix", address: ABSTRACT_SOCKET, port: 0 },
];

/** Script that makes all attempts at the same time. Its arguments are the rows and their marks, as JSON. */
export const DIRECT_SCRIPT = `
const net = require("node:net"), dgram = require("node:dgram"), dns = require("node:dns");
const rows = JSON.parse(process.argv[1]);
const attempt = ({ protocol, address, port, mark }) => new Promise((done) => {
  setTimeout(done, 1500).unref();
  const hello = "GET /" + mark + " HTTP/1.0\\r\\n\\r\\n";
  if (protocol === "name") return dns.lookup(mark + "." + address, done);
  if (protocol === "udp") {
    const query = Buffer.concat([Buffer.from([0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, mark.length]), Buffer.from(mark), Buffer.from([0, 0, 1, 0, 1])]);
    const socket = dgram.createSocket(net.isIPv6(address) ? "udp6" : "udp4");
    return socket.on("error", done).send(query, port, address, () => done(socket.close()));
  }
  const socket = protocol === "unix" ? net.connect(address) : net.connect(port, address);
  socket.on("connect", () => socket.write(hello)).on("data", done).on("error", done).on("close", done);
});
Promise.all(rows.map(attempt)).then(() => setTimeout(() => process.exit(0), 50));`;
