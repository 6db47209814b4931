import { createHash } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { Liveness, Owner } from "./owner.ts";

const TOKEN = /^(\d{1,10})-(\d{1,20})-([0-9a-f]{8})-([0-9a-f]{8})$/;

interface ProcessState {
  /** One letter; `Z` has ended and waits for its parent. */
  readonly state: string;
  /** When it began, in ticks since the system began: tells it from a later process of the same number. */
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
  // The name before it may hold anything, brackets as well.
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, startTicks] = [fields?.[0], fields?.[19]];
  return state === undefined || startTicks === undefined ? undefined : { state, startTicks };
}

/** A process that was killed is over only when its last thread is. */
function hasEnded({ state }: ProcessState, pid: number): boolean {
  if (state === "X") return true;
  return state === "Z" && (attempt(() => readdirSync(`/proc/${pid}/task`))?.length ?? 0) <= 1;
}

/** Boot of this system and the numbering of its processes; nothing where that cannot be read. */
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

/** Where there is no `/proc`, only that a number is not in use says something. */
function livenessByNumber(pid: number): Liveness {
  return exists(pid) ? "unknown" : "dead";
}

function livenessByState(pid: number, startTicks: string): Liveness {
  const found = readProcess(pid);
  if (found === undefined) return exists(pid) ? "unknown" : "dead";
  return found.startTicks === startTicks && !hasEnded(found, pid) ? "alive" : "dead";
}

/**
 * This process as an owner. Of another process it can tell whether it lives when both run under the same boot of the
 * same system and see the same process numbers, else nothing.
 */
export function createProcessOwner(): Owner {
  const boot = bootMark();
  const place = `${boot === undefined ? "00000000" : hash(boot)}-${hash(hostname())}`;
  const startTicks = readProcess("self")?.startTicks ?? "0";
  return {
    token: `${process.pid}-${startTicks}-${place}`,
    livenessOf: (token) => {
      const [, pid, ticks = "0", bootHash, hostHash] = TOKEN.exec(token) ?? [];
      if (pid === undefined || `${bootHash}-${hostHash}` !== place) return "unknown";
      return boot === undefined ? livenessByNumber(Number(pid)) : livenessByState(Number(pid), ticks);
    },
  };
}

/** Who a token names, for messages. */
export function describeOwner(token: string, owner: Owner): string {
  const pid = TOKEN.exec(token)?.[1];
  if (pid === undefined) return token;
  return owner.livenessOf(token) === "unknown" ? `process ${pid}, perhaps of another machine` : `process ${pid}`;
}
