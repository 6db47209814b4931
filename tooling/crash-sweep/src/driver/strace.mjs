// @ts-check
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** System calls by which files become durable; the product is struck in each of them. */
export const SYSCALLS = ["rename", "fsync", "fdatasync"];

/**
 * Why strace cannot be used here; nothing when it can.
 * @returns {string | undefined}
 */
export function straceProblem() {
  const { status, error } = spawnSync("strace", ["-f", "-qq", "-o", "/dev/null", "true"]);
  if (error !== undefined) return "strace is not installed";
  return status === 0 ? undefined : "strace may not trace processes here";
}

/**
 * The command that kills the program behind it when it makes a system call for the N-th time. Calls are counted per
 * thread, so there must be only one that makes them. The tracer is the grandchild: signals and exit are the program's.
 * @param {string} syscall
 * @param {number} number
 * @returns {string[]}
 */
export function strikeInSyscall(syscall, number) {
  const inject = `inject=${syscall}:signal=SIGKILL:when=${number}`;
  return ["env", "UV_THREADPOOL_SIZE=1", "strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", inject];
}

/**
 * The command that logs these calls of the program behind it.
 * @param {string} log
 * @returns {string[]}
 */
export function logSyscalls(log) {
  const trace = `trace=${SYSCALLS.join(",")}`;
  return ["env", "UV_THREADPOOL_SIZE=1", "strace", "-D", "-f", "-qq", "-o", log, "-e", trace];
}

/**
 * How often each call was made by the one thread that makes most of them.
 * @param {string} log
 * @returns {Record<string, number>}
 */
export function countSyscalls(log) {
  const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
  const calls = lines.flatMap((line) => {
    const [, thread = "", syscall = ""] = /^(\d+)\s+(\w+)\(/.exec(line) ?? [];
    return SYSCALLS.includes(syscall) ? [{ thread, syscall }] : [];
  });
  const threads = [...new Set(calls.map(({ thread }) => thread))];
  /** @param {string} name */
  function countOf(name) {
    const own = calls.filter(({ syscall }) => syscall === name);
    return Math.max(0, ...threads.map((id) => own.filter(({ thread }) => thread === id).length));
  }
  return Object.fromEntries(SYSCALLS.map((name) => [name, countOf(name)]));
}
