// @ts-check
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** System calls that make files durable. The process is killed in each of them. */
const SYSCALLS = ["rename", "fsync", "fdatasync"];
/** System calls that make bytes durable. */
const FLUSHES = ["fsync", "fdatasync"];

/**
 * A system call in which the process is killed: on any thread, or, for `flush`, `fdatasync` or `fsync` on the session's
 * thread, where a store waits for a fast disk.
 * @typedef {"rename" | "fsync" | "fdatasync" | "flush"} SyscallHarm
 */

/**
 * @param {string} harm
 * @returns {harm is SyscallHarm}
 */
export function isSyscall(harm) {
  return harm === "flush" || SYSCALLS.includes(harm);
}

/** Returns why strace cannot be used here. `undefined` if it can. @returns {string | undefined} */
export function straceProblem() {
  const { status, error } = spawnSync("strace", ["-f", "-qq", "-o", "/dev/null", "true"]);
  if (error !== undefined) return "strace is not installed";
  return status === 0 ? undefined : "strace may not trace processes here";
}

/**
 * Returns the command that kills a program at its N-th system call of a kind. Calls are counted per thread, so only one
 * thread may make them. The tracer is the grandchild, so that signals and exit status are the program's.
 * @param {SyscallHarm} harm
 * @param {number} number
 * @returns {string[]}
 */
export function strikeInSyscall(harm, number) {
  // Each call of a set is counted separately, and no store makes both on that thread.
  const inject = `inject=${harm === "flush" ? FLUSHES.join(",") : harm}:signal=SIGKILL:when=${number}`;
  const threads = harm === "flush" ? [] : ["-f"];
  return ["env", "UV_THREADPOOL_SIZE=1", "strace", "-D", ...threads, "-qq", "-o", "/dev/null", "-e", inject];
}

/**
 * Returns the command that logs these calls of a program.
 * @param {string} log
 * @returns {string[]}
 */
export function logSyscalls(log) {
  const trace = `trace=execve,${SYSCALLS.join(",")}`;
  return ["env", "UV_THREADPOOL_SIZE=1", "strace", "-D", "-f", "-qq", "-o", log, "-e", trace];
}

/**
 * Returns how often each call was made by the thread that made most of them, and how often the session's thread
 * flushed.
 * @param {string} log
 * @returns {Record<string, number>}
 */
export function countSyscalls(log) {
  const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
  const calls = lines.flatMap((line) => {
    const [, thread = "", syscall = ""] = /^(\d+)\s+(\w+)\(/.exec(line) ?? [];
    return thread === "" ? [] : [{ thread, syscall }];
  });
  const main = calls.find(({ syscall }) => syscall === "execve")?.thread;
  const threads = [...new Set(calls.map(({ thread }) => thread))];
  /**
   * @param {string} name
   * @param {readonly (string | undefined)[]} among
   */
  function countOf(name, among) {
    const own = calls.filter(({ syscall }) => syscall === name);
    return Math.max(0, ...among.map((id) => own.filter(({ thread }) => thread === id).length));
  }
  const counts = SYSCALLS.map((name) => [name, countOf(name, threads)]);
  return { ...Object.fromEntries(counts), flush: Math.max(...FLUSHES.map((name) => countOf(name, [main]))) };
}
