import { createHash } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { Liveness, Owner } from "./owner.ts";

const TOKEN = /^(\d{1,10})-(\d{1,20})-([0-9a-f]{8})-([0-9a-f]{8})$/;

interface ProcessState {
  /**
   * State letter of a process in `/proc`. `Z` (zombie): the process has ended, but its parent has not read the exit
   * status.
   */
  readonly state: string;
  /** Start time, in ticks since boot. Distinguishes the process from later processes with the same id. */
  readonly startTicks: string;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function readProcess(pid: number | "self"): ProcessState | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  // The field before state and start time is the process name, which may contain any character, including parentheses.
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, startTicks] = [fields?.[0], fields?.[19]];
  return state === undefined || startTicks === undefined ? undefined : { state, startTicks };
}

/** Returns true if a process has ended. A killed process has ended only when all its threads have ended. */
function hasEnded({ state }: ProcessState, pid: number): boolean {
  if (state === "X") return true;
  return state === "Z" && (attempt(() => readdirSync(`/proc/${pid}/task`))?.length ?? 0) <= 1;
}

/** Returns an id of the current boot and process (PID) namespace. `undefined` if the id cannot be read. */
function bootMark(): string | undefined {
  const boot = attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim());
  const numbering = attempt(() => readlinkSync("/proc/self/ns/pid"));
  return boot === undefined || numbering === undefined ? undefined : `${boot} ${numbering}`;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/**
 * Returns the state of an owner on systems without `/proc`. If its process id is in use, the result is `unknown`,
 * because the id may belong to another process.
 */
function livenessByNumber(pid: number): Liveness {
  return exists(pid) ? "unknown" : "dead";
}

function livenessByState(pid: number, startTicks: string): Liveness {
  const found = readProcess(pid);
  if (found === undefined) return exists(pid) ? "unknown" : "dead";
  return found.startTicks === startTicks && !hasEnded(found, pid) ? "alive" : "dead";
}

/**
 * Creates the owner object for this process. It can check only owners of the same boot and process namespace; others
 * are `unknown`.
 */
export function createProcessOwner(): Owner {
  const boot = bootMark();
  const machine = `${boot === undefined ? "00000000" : hash(boot)}-${hash(hostname())}`;
  const startTicks = readProcess("self")?.startTicks ?? "0";
  const own = `${process.pid}-${startTicks}-${machine}`;
  return {
    token: own,
    livenessOf: (token) => {
      if (token === own) return "alive";
      const [, pid, ticks = "0", bootHash, hostHash] = TOKEN.exec(token) ?? [];
      if (pid === undefined || `${bootHash}-${hostHash}` !== machine) return "unknown";
      return boot === undefined ? livenessByNumber(Number(pid)) : livenessByState(Number(pid), ticks);
    },
  };
}

/** Returns a description of the process that a token identifies, for messages. */
export function describeOwner(token: string, owner: Owner): string {
  const pid = TOKEN.exec(token)?.[1];
  if (pid === undefined) return token;
  return owner.livenessOf(token) === "unknown" ? `process ${pid}, perhaps of another machine` : `process ${pid}`;
}
