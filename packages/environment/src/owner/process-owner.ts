import { createHash } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

const TOKEN = /^(\d{1,10})-(\d{1,20})-([0-9a-f]{8})-([0-9a-f]{8})$/;

/** Who made something outside of this machine's processes, so that it can be found when its maker is dead. */
export interface ProcessOwner {
  /** Names this process: id, start, boot and host. At most 49 letters, digits and `-`. */
  readonly token: string;
  /** Whether the process that a token names is dead for certain. Of other hosts and boots nothing is known: false. */
  isDead(token: string): boolean;
}

/** This process as an owner. */
export function createProcessOwner(): ProcessOwner {
  const place = `${hash(bootMark() ?? "")}-${hash(hostname())}`;
  const startTicks = readProcess("self")?.startTicks ?? "0";
  return {
    token: `${process.pid}-${startTicks}-${place}`,
    isDead(token) {
      const [, pid, ticks, boot, host] = TOKEN.exec(token) ?? [];
      return pid !== undefined && `${boot}-${host}` === place && hasEnded(Number(pid), ticks);
    },
  };
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

/** Boot of this system and the numbering of its processes; nothing where that cannot be read. */
function bootMark(): string | undefined {
  return attempt(() => {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  });
}

function hasEnded(pid: number, startTicks: string | undefined): boolean {
  const found = readProcess(pid);
  if (found === undefined) return !isNumberInUse(pid);
  if (found.startTicks !== startTicks || found.state === "X") return true;
  // One that was killed is over only when its last thread is.
  return found.state === "Z" && (attempt(() => readdirSync(`/proc/${pid}/task`))?.length ?? 0) <= 1;
}

function readProcess(pid: number | "self"): { readonly state: string; readonly startTicks: string } | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  // The name before it may hold anything, brackets as well.
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, startTicks] = [fields?.[0], fields?.[19]];
  return state === undefined || startTicks === undefined ? undefined : { state, startTicks };
}

function isNumberInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
