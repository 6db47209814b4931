// @ts-check
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { endProcess, findProgram, freePort, startProcess } from "./start-process.mjs";

/** @import { QueueServer } from "./start-process.mjs" */

const LOOK_MS = 20;
const DEBIAN = "/usr/lib/postgresql";

/** Returns the folders of Debian's versions, newest first. @returns {string[]} */
function versionFolders() {
  try {
    return readdirSync(DEBIAN)
      .sort((left, right) => Number(right) - Number(left))
      .map((version) => join(DEBIAN, version, "bin"));
  } catch {
    return [];
  }
}

/** @param {string} name */
function programOf(name) {
  const folder = versionFolders().find((one) => findProgram(name, [one]) === join(one, name));
  return folder === undefined ? findProgram(name) : join(folder, name);
}

/**
 * Returns the user it runs as, because it refuses to run as root.
 * @returns {{ uid: number, gid: number } | undefined}
 */
function ownUser() {
  if (process.getuid?.() !== 0) return undefined;
  const rows = readFileSync("/etc/passwd", "utf8").split("\n");
  const row = ["postgres", "nobody"].flatMap((name) => rows.filter((one) => one.startsWith(`${name}:`)))[0];
  const [, , uid, gid] = row?.split(":") ?? [];
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

/** Returns why the server is not available here. `undefined` if it is. */
export function postgresProblem() {
  return programOf("initdb") === undefined ? "install the Debian package postgresql" : undefined;
}

/**
 * Starts a PostgreSQL that flushes commits before or shortly after confirming them.
 * @param {"process" | "power"} outlives
 * @returns {Promise<QueueServer>}
 */
export async function startPostgres(outlives) {
  const folder = await mkdtemp(join(tmpdir(), "bench-postgres-"));
  const user = ownUser();
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const options = { cwd: folder, ...user };
  const initdb = ["-D", folder, "-U", "bench", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C"];
  const { status, stderr } = spawnSync(programOf("initdb") ?? "initdb", initdb, { ...options, encoding: "utf8" });
  if (status !== 0) throw new Error(`initdb ended with ${status}: ${stderr}`);
  const port = await freePort();
  const sync = outlives === "power" ? "on" : "off";
  const settings = ["fsync=on", `synchronous_commit=${sync}`, "listen_addresses=127.0.0.1", "max_connections=100"];
  const named = settings.flatMap((setting) => ["-c", setting]);
  const places = ["-D", folder, "-p", String(port), "-k", folder];
  const child = await startProcess([programOf("postgres") ?? "postgres", ...places, ...named], { port, options });
  // It accepts connections before it answers them.
  while (!readFileSync(join(folder, "postmaster.pid"), "utf8").includes("ready")) await delay(LOOK_MS);
  return {
    address: `postgres://bench@127.0.0.1:${port}/postgres`,
    durability: `PostgreSQL: fsync on, synchronous_commit ${sync}`,
    pids: () => [child.pid ?? 0],
    stop: async () => {
      // Closes its connections immediately.
      await endProcess(child, "SIGQUIT");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
