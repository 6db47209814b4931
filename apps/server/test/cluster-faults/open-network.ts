import { randomBytes, randomInt } from "node:crypto";
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

/** Creates a network for the duration of a test. `undefined` if this process may not create network namespaces. */
export async function openNetwork(): Promise<TestNetwork | undefined> {
  const id = `sw${randomBytes(3).toString("hex")}`;
  const subnet = `10.213.${randomInt(256)}`;
  const isPossible = await ip("link", "add", id, "type", "bridge").then(
    () => true,
    () => false,
  );
  if (!isPossible) return undefined;
  const hosts: string[] = [];
  onTestFinished(async () => {
    for (const host of hosts) await ip("netns", "del", host).catch(() => undefined);
    await ip("link", "del", id);
  });
  await ip("addr", "add", `${subnet}.1/24`, "dev", id);
  await ip("link", "set", id, "up");
  return {
    address: `${subnet}.1`,
    addHost: async () => {
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
    },
  };
}
