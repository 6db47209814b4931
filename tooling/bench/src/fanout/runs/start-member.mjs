// @ts-check
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @import { ContenderName, MemberOptions } from "./run-contender.mjs" */

/**
 * A process of a contender.
 * @typedef {object} Member
 * @property {string} url address for clients; empty for a worker
 * @property {number} pid id of the process
 * @property {() => Promise<{ cpuUs: number, done: number, bytes: number }>} usage CPU time since the start, in
 * microseconds, number of finished runs, and resident memory
 * @property {() => Promise<void>} close ends the process and removes its folder
 */

/**
 * Starts the server or the worker of a contender in a separate process.
 * @param {"server" | "worker"} role
 * @param {ContenderName} kind
 * @param {Omit<MemberOptions, "folder"> & { profileFolder?: string | undefined }} options
 * @returns {Promise<Member>}
 */
export async function startMember(role, kind, { profileFolder, ...options }) {
  const folder = await mkdtemp(join(tmpdir(), "bench-member-"));
  const profiling =
    profileFolder === undefined
      ? []
      : ["--cpu-prof", "--cpu-prof-dir", profileFolder, "--cpu-prof-name", `${kind}-${role}.cpuprofile`];
  const child = fork(join(import.meta.dirname, "member-process.mjs"), [role, kind], {
    execArgv: profiling,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  /** @param {MemberOptions | "usage"} question @returns {Promise<any>} */
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
    close: async () => {
      child.send("end");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
