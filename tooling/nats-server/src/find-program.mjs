// @ts-check
import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { env } from "node:process";

/** Debian installs it in a folder for administrators; a newer version may be in another one. */
const MORE_FOLDERS = ["/usr/sbin", "/usr/local/sbin", "/opt/nats-server/bin"];

/**
 * @param {string} path
 * @returns {boolean}
 */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @returns {string[]} */
function findPrograms() {
  const folders = [...(env["PATH"] ?? "").split(delimiter), ...MORE_FOLDERS];
  return [...new Set(folders.map((folder) => join(folder, "nats-server")))].filter(isExecutable);
}

/**
 * Returns whether a server supports flushing each message, by checking such a configuration.
 * @param {string} program
 * @returns {boolean}
 */
function knowsSync(program) {
  const folder = mkdtempSync(join(tmpdir(), "nats-settings-"));
  try {
    const file = join(folder, "nats.conf");
    writeFileSync(file, "jetstream { sync_interval: always }\n");
    return spawnSync(program, ["-t", "-c", file], { stdio: "ignore" }).status === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the path of the program; with `isSynced`, of one that can flush each message.
 * @param {{ isSynced?: boolean }} [wanted]
 * @returns {string | undefined}
 */
export function findProgram({ isSynced = false } = {}) {
  const programs = findPrograms();
  return isSynced ? programs.find(knowsSync) : programs[0];
}

/**
 * Returns why no broker can be started here. `undefined` if one can.
 * @param {{ isSynced?: boolean }} [wanted]
 * @returns {string | undefined}
 */
export function natsServerProblem(wanted = {}) {
  if (findProgram() === undefined) return "nats-server is not installed; install the package nats-server";
  if (findProgram(wanted) !== undefined) return undefined;
  return "nats-server 2.10 or newer is needed to flush each message";
}
