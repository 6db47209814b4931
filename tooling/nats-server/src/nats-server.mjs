// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findProgram, natsServerProblem } from "./find-program.mjs";

/** @import { ChildProcess } from "node:child_process" */

export { natsServerProblem } from "./find-program.mjs";

/**
 * A broker for tests, with a separate folder.
 * @typedef {object} NatsServer
 * @property {string} url Address for clients.
 * @property {string} monitorUrl Address of its monitoring pages.
 * @property {() => number} pid Its process; 0 when there is none.
 * @property {() => Promise<void>} kill Kills it with SIGKILL.
 * @property {() => Promise<void>} start Starts it again with the stored data.
 * @property {() => Promise<void>} stop Ends it and removes its folder.
 */

/**
 * Options of a broker.
 * @typedef {object} NatsServerOptions
 * @property {readonly string[]} [argv] Further arguments.
 * @property {string} [settings] Further lines of its settings, such as those of TLS.
 * @property {boolean} [isSynced] Whether it flushes each message before it acknowledges it; needs 2.10.
 * @property {boolean} [hasStreams] Whether it has JetStream; it has by default.
 * @property {string} [address] Address on which it listens; 127.0.0.1 by default.
 */

/**
 * Three brokers that store each message on a majority of them.
 * @typedef {object} NatsCluster
 * @property {string} url Addresses for clients, of all of them.
 * @property {readonly NatsServer[]} servers
 * @property {() => Promise<void>} stop Ends them and removes their folders.
 */

const READY_MS = 30_000;
const LOOK_MS = 20;
const CLUSTER_SIZE = 3;

/**
 * @param {string} address
 * @returns {Promise<number>}
 */
async function freePort(address) {
  const server = createServer().listen(0, address);
  await once(server, "listening");
  const bound = server.address();
  server.close();
  await once(server, "close");
  if (bound === null || typeof bound === "string") throw new Error("there is no free port");
  return bound.port;
}

/**
 * @param {number} port
 * @param {string} address
 * @returns {Promise<boolean>}
 */
async function answers(port, address) {
  const socket = connect(port, address);
  try {
    await once(socket, "data");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/**
 * @param {string} folder
 * @param {NatsServerOptions} options
 * @returns {string}
 */
function settingsOf(folder, { settings = "", isSynced = false, hasStreams = true }) {
  const sync = isSynced ? ", sync_interval: always" : "";
  const streams = hasStreams ? `jetstream { store_dir: ${JSON.stringify(folder)}${sync} }` : "";
  return [streams, settings, ""].join("\n");
}

/**
 * Starts a broker with JetStream on a free local port.
 * @param {NatsServerOptions} [options]
 * @returns {Promise<NatsServer>}
 */
export async function startNatsServer(options = {}) {
  const { argv: more = [], isSynced = false, address = "127.0.0.1" } = options;
  const program = findProgram({ isSynced });
  if (program === undefined) throw new Error(natsServerProblem({ isSynced }));
  const folder = await mkdtemp(join(tmpdir(), "nats-server-"));
  const file = join(folder, "nats.conf");
  await writeFile(file, settingsOf(folder, options));
  const [port, monitorPort] = [await freePort(address), await freePort(address)];
  const ports = ["--port", String(port), "--http_port", String(monitorPort)];
  const argv = ["--config", file, "--addr", address, ...ports, ...more];
  /** @type {ChildProcess | undefined} */
  let child;

  async function start() {
    const started = spawn(program ?? "", argv, { stdio: "ignore" });
    child = started;
    const until = performance.now() + READY_MS;
    while (!(await answers(port, address))) {
      if (started.exitCode !== null || performance.now() > until) throw new Error("nats-server did not start");
      await delay(LOOK_MS);
    }
  }
  /** @param {NodeJS.Signals} signal */
  async function end(signal) {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    const exited = once(ending, "exit");
    ending.kill(signal);
    await exited;
  }
  async function stop() {
    await end("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `nats://${address}:${port}`,
    monitorUrl: `http://${address}:${monitorPort}`,
    pid: () => child?.pid ?? 0,
    kill: () => end("SIGKILL"),
    start,
    stop,
  };
}

/**
 * Resolves with whether the broker's cluster has a leader for streams, according to its monitoring.
 * @param {NatsServer} server
 * @returns {Promise<boolean>}
 */
async function hasLeader({ monitorUrl }) {
  try {
    const answer = await fetch(`${monitorUrl}/jsz`);
    /** @type {{ meta_cluster?: { leader?: string, cluster_size?: number } }} */
    const { meta_cluster: cluster } = JSON.parse(await answer.text());
    return cluster?.leader !== undefined && cluster.cluster_size === CLUSTER_SIZE;
  } catch {
    return false;
  }
}

/**
 * Starts a cluster of three brokers, and waits until streams can be created.
 * @param {string} [address] Address on which the brokers listen for clients; 127.0.0.1 by default.
 * @returns {Promise<NatsCluster>}
 */
export async function startNatsCluster(address) {
  /** @type {number[]} */
  const ports = [];
  for (let count = 0; count < CLUSTER_SIZE; count += 1) ports.push(await freePort("127.0.0.1"));
  const routes = ports.map((port) => `"nats-route://127.0.0.1:${port}"`).join(", ");
  const starting = ports.map((port, index) =>
    startNatsServer({
      ...(address === undefined ? {} : { address }),
      settings: `server_name: n${index}\ncluster { name: test, listen: "127.0.0.1:${port}", routes: [${routes}] }`,
    }),
  );
  const started = await Promise.allSettled(starting);
  const servers = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
  };
  const until = performance.now() + READY_MS;
  for (;;) {
    const ready = await Promise.all(servers.map(hasLeader));
    if (servers.length === CLUSTER_SIZE && ready.every(Boolean)) break;
    if (servers.length < CLUSTER_SIZE || performance.now() > until) {
      await stop();
      throw new Error("the cluster did not find a leader");
    }
    await delay(LOOK_MS);
  }
  return { url: servers.map(({ url }) => url).join(","), servers, stop };
}
