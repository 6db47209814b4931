// @ts-check
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "./free-port.mjs";

/** @import { ChildProcess } from "node:child_process" */

/**
 * A PostgreSQL server for tests, with a separate folder.
 * @typedef {object} Postgres
 * @property {string} url Address for clients.
 * @property {() => Promise<void>} kill Kills the server with SIGKILL; its children then end by themselves.
 * @property {() => Promise<void>} start Starts it again with the stored data.
 * @property {() => Promise<void>} stop Ends it and removes its folder.
 */

const READY_MS = 60_000;
const LOOK_MS = 50;
const FOLDERS = "/usr/lib/postgresql";
const run = promisify(execFile);

/** Returns the folder of the newest installed server. @returns {string | undefined} */
function programFolder() {
  if (!existsSync(FOLDERS)) return undefined;
  const versions = readdirSync(FOLDERS).sort((left, right) => Number(right) - Number(left));
  return versions.map((version) => join(FOLDERS, version, "bin")).find((folder) => existsSync(join(folder, "initdb")));
}

/** Returns why no PostgreSQL server can be started here. `undefined` if one can. @returns {string | undefined} */
export function postgresProblem() {
  if (programFolder() === undefined) return "PostgreSQL is not installed; install the package postgresql";
  if (isRoot() && userIds() === undefined) return "PostgreSQL refuses to run as root, and the user postgres is missing";
  return undefined;
}

function isRoot() {
  return process.getuid?.() === 0;
}

/** PostgreSQL refuses to run as root. @returns {{ uid: number, gid: number } | undefined} */
function userIds() {
  if (!isRoot()) return undefined;
  try {
    const idOf = (/** @type {string} */ flag) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
    return { uid: idOf("-u"), gid: idOf("-g") };
  } catch {
    return undefined;
  }
}

/** Starts a PostgreSQL server on a free local port. Commits are flushed to disk. @returns {Promise<Postgres>} */
export async function startPostgres() {
  const problem = postgresProblem();
  const programs = programFolder();
  if (problem !== undefined || programs === undefined) throw new Error(problem);
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  const user = userIds();
  const as = { cwd: folder, ...user };
  chmodSync(folder, 0o700);
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const port = await freePort();
  await run(join(programs, "initdb"), ["-D", data, "-U", "test", "--auth=trust", "--no-sync", "-E", "UTF8"], as);
  const settings = ["listen_addresses='127.0.0.1'", `port=${port}`, `unix_socket_directories='${folder}'`];
  appendFileSync(join(data, "postgresql.conf"), `${settings.join("\n")}\nmax_connections=50\n`);
  /** @type {ChildProcess | undefined} */
  let child;

  async function isReady() {
    try {
      await run(join(programs ?? "", "pg_isready"), ["-h", "127.0.0.1", "-p", String(port)]);
      return true;
    } catch {
      return false;
    }
  }
  async function start() {
    const until = performance.now() + READY_MS;
    const begin = () => spawn(join(programs ?? "", "postgres"), ["-D", data], { ...as, stdio: "ignore" });
    let started = begin();
    child = started;
    while (!(await isReady())) {
      if (performance.now() > until) throw new Error("PostgreSQL did not start");
      // The children of a killed server hold its shared memory for a moment, and a new server refuses to start.
      if (started.exitCode !== null) started = begin();
      child = started;
      await delay(LOOK_MS);
    }
  }
  async function kill() {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    const exited = once(ending, "exit");
    ending.kill("SIGKILL");
    await exited;
  }
  async function stop() {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `postgres://test@127.0.0.1:${port}/postgres`, kill, start, stop };
}
