import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { execa } from "execa";
import { onTestFinished } from "vitest";

/** A host of a test network: a network namespace. */
export interface NetworkHost {
  /** Words with which a command begins that runs on this host. */
  readonly prefix: readonly string[];
  /** Disconnects the host: its packets are dropped, and connections stay open. */
  cut(): Promise<void>;
  /** Connects the host again. */
  restore(): Promise<void>;
}

/** Network of hosts that are connected to this machine by a bridge. */
export interface TestNetwork {
  /** Address of this machine in the network. */
  readonly address: string;
  readonly addHost: () => Promise<NetworkHost>;
}

async function ip(...words: string[]): Promise<void> {
  await execa("ip", words);
}

/** Program that ends with the exit code 0 if it can connect to a port of an address. */
const CONNECT = `
  const [port, address] = process.argv.slice(1);
  require("node:net").connect(port, address).on("connect", () => process.exit(0)).setTimeout(3000, () => process.exit(1));
`;

/** Returns whether a host of the network can connect to this machine. A firewall may prevent that. */
async function canConnect({ prefix }: NetworkHost, address: string): Promise<boolean> {
  const server = createServer().listen(0, address);
  await once(server, "listening");
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? String(bound.port) : "";
  const [program = "", ...words] = [...prefix, process.execPath, "--eval", CONNECT, port, address];
  const { exitCode } = await execa(program, words, { reject: false });
  server.close();
  return exitCode === 0;
}

/** Creates a network for the duration of a test. `undefined` if this machine allows no network namespaces. */
export async function openNetwork(): Promise<TestNetwork | undefined> {
  const id = `sw${randomBytes(3).toString("hex")}`;
  const subnet = `10.213.${randomInt(256)}`;
  const hosts: string[] = [];
  const addHost = async (): Promise<NetworkHost> => {
    const number = hosts.length;
    const [host, outer, inner] = [`${id}-${number}`, `${id}o${number}`, `${id}i${number}`];
    await ip("netns", "add", host);
    hosts.push(host);
    await ip("link", "add", outer, "type", "veth", "peer", "name", inner, "netns", host);
    await ip("link", "set", outer, "master", id, "up");
    await ip("-n", host, "addr", "add", `${subnet}.${number + 2}/24`, "dev", inner);
    for (const device of ["lo", inner]) await ip("-n", host, "link", "set", device, "up");
    return {
      prefix: ["ip", "netns", "exec", host],
      cut: () => ip("link", "set", outer, "down"),
      restore: () => ip("link", "set", outer, "up"),
    };
  };
  onTestFinished(async () => {
    for (const host of hosts) await ip("netns", "del", host).catch(() => undefined);
    await ip("link", "del", id).catch(() => undefined);
  });
  const address = `${subnet}.1`;
  try {
    await ip("link", "add", id, "type", "bridge");
    await ip("addr", "add", `${address}/24`, "dev", id);
    await ip("link", "set", id, "up");
    return (await canConnect(await addHost(), address)) ? { address, addHost } : undefined;
  } catch {
    return undefined;
  }
}
