// @ts-check
import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { env } from "node:process";

/** Debian puts it where only administrators look; a newer one than Debian's may lie beside. */
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
 * Whether a server knows how to flush each message: it is asked to check such settings.
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
 * Path of the program, and of one that flushes each message when that is asked for.
 * @param {{ isSynced?: boolean }} [wanted]
 * @returns {string | undefined}
 */
export function findProgram({ isSynced = false } = {}) {
  const programs = findPrograms();
  return isSynced ? programs.find(knowsSync) : programs[0];
}

/**
 * Why no broker can be started here; nothing when one can.
 * @param {{ isSynced?: boolean }} [wanted]
 * @returns {string | undefined}
 */
export function natsServerProblem(wanted = {}) {
  if (findProgram() === undefined) return "there is no nats-server here: install the package nats-server";
  if (findProgram(wanted) !== undefined) return undefined;
  return "this nats-server cannot flush each message: that needs 2.10 or newer";
}
