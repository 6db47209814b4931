// @ts-check
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @import { ContenderName, MemberOptions } from "./run-contender.mjs" */

/**
 * What a process of a contender used since its start.
 * @typedef {object} MemberUsage
 * @property {number} cpuUs CPU time of all threads, in microseconds
 * @property {number} mainUs CPU time of the main thread, in microseconds; `NaN` if the system does not report it
 * @property {number} poolUs CPU time of the thread pool, which executes calls to the file system, likewise
 * @property {number} profilerUs CPU time of the thread with which V8 takes a profile, likewise
 * @property {number} done number of finished runs
 * @property {number} bytes resident memory
 */

/** How far a process of a contender is. @typedef {Pick<MemberUsage, "done" | "bytes">} MemberProgress */

/**
 * A process of a contender.
 * @typedef {object} Member
 * @property {string} url address for clients; empty for a worker
 * @property {number} pid id of the process
 * @property {() => Promise<MemberUsage>} usage
 * @property {() => Promise<MemberProgress>} progress costs less than `usage`, so that it can be called during a measurement
 * @property {() => Promise<void>} beginProfile begins to take a CPU profile of the process
 * @property {(path: string) => Promise<void>} endProfile ends the profile and writes it to a file
 * @property {() => Promise<void>} close ends the process and removes its folder
 */

/**
 * Message that the process answers: a request for its usage, its progress or the beginning of a profile, or the path of
 * the file to which the profile is written.
 * @typedef {"usage" | "progress" | "profile" | { readonly profileTo: string }} MemberQuestion
 */

/**
 * Starts the server or the worker of a contender in a separate process.
 * @param {"server" | "worker"} role
 * @param {ContenderName} kind
 * @param {Omit<MemberOptions, "folder">} options
 * @returns {Promise<Member>}
 */
export async function startMember(role, kind, options) {
  const folder = await mkdtemp(join(tmpdir(), "bench-member-"));
  const child = fork(join(import.meta.dirname, "member-process.mjs"), [role, kind], {
    execArgv: ["--require", join(import.meta.dirname, "note-threads.cjs")],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  /** @param {MemberOptions | MemberQuestion} question @returns {Promise<any>} */
  const ask = async (question) => {
    const answer = once(child, "message");
    child.send(question);
    const died = exited.then(() => Promise.reject(new Error(`The ${role} of ${kind} ended.`)));
    const [message] = await Promise.race([answer, died]);
    return message;
  };
  const { ready } = await ask({ ...options, folder });
  return {
    url: ready,
    pid: child.pid ?? 0,
    usage: () => ask("usage"),
    progress: () => ask("progress"),
    beginProfile: () => ask("profile"),
    endProfile: (profileTo) => ask({ profileTo }),
    close: async () => {
      child.send("end");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
