import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";

/**
 * Environment variable that identifies the processes of a command, even after they have left its process group. Its
 * value is a list of marks (unique ids): those of enclosing environments, then the command's mark.
 */
export const PROCESS_MARK = "SWITCHYARD_PROCESS_MARK";
/**
 * Maximum length of an inherited value of `SWITCHYARD_PROCESS_MARK`, in characters. A longer value was not created by
 * this package, so it is ignored.
 */
const MAX_OUTER_MARK_CHARS = 2000;
/**
 * Number of searches that must find a process without readable environment variables before it counts as a process
 * without the mark. Until then, the process may have the mark.
 */
const MAX_UNKNOWN_LOOKS = 4;
/** Flag of kernel threads in `/proc/PID/stat`. */
const KERNEL_THREAD = 0x00_20_00_00;
/**
 * Id of the kernel thread that is the parent of all others. In most containers, kernel threads are not visible, and another
 * process may have this id.
 */
const FIRST_KERNEL_THREAD = 2;
/**
 * Size of the read buffer for a process's environment variables, in bytes. If a process has more, they are read again
 * without this buffer.
 */
const VARIABLES_BYTES = 64 * 1024;

/**
 * Returns the value of the environment variable that identifies a process: inherited marks of enclosing environments,
 * then the process's own mark.
 */
export function renderProcessMark(outer: string | undefined, mark: string): string {
  return outer === undefined || outer.length > MAX_OUTER_MARK_CHARS ? mark : `${outer} ${mark}`;
}

/**
 * Result of one search for processes whose environment contains a mark. The mark is the value of a variable that
 * Switchyard sets.
 */
interface MarkSearch {
  /** Ids of running processes whose initial environment variables contain the mark (a unique id). */
  readonly marked: readonly number[];
  /**
   * Ids of running processes without readable environment variables. While a process starts a program, its variables
   * are empty for a moment, so these processes may also contain the mark.
   */
  readonly unknown: readonly number[];
}

/**
 * Searches for processes whose environment variables contain a mark (a unique id of a command). Linux only; finds
 * nothing elsewhere. Processes of other users are not found.
 */
function searchMarked(mark: string): MarkSearch {
  const [marked, unknown]: [number[], number[]] = [[], []];
  if (process.platform !== "linux") return { marked, unknown };
  const kernelThreads = listKernelThreads();
  const buffer = Buffer.allocUnsafe(VARIABLES_BYTES);
  for (const pid of listProcessIds()) {
    if (pid === process.pid || kernelThreads.has(pid)) continue;
    const variables = readVariables(pid, buffer);
    if (variables?.includes(mark) === true) marked.push(pid);
    else if (variables?.length === 0 && isProgram(readStat(pid))) unknown.push(pid);
  }
  return { marked, unknown };
}

/**
 * Tracks processes whose environment variables contain a mark (a unique id of a command), while they are being ended.
 */
export interface MarkedProcesses {
  /** Number of processes with the mark that were found so far. */
  readonly count: number;
  /** Calls `send` for each running process whose environment variables contain the mark (a unique id). */
  signal(send: (pid: number) => void): void;
  /**
   * Returns true if a process with the mark in its environment variables is still alive. Also returns true while a
   * process is just starting a program, because this process may turn out to have the mark.
   */
  areAlive(): boolean;
}

/**
 * Tracks processes whose environment variables contain a mark (a unique id of a command). Ids of found processes are
 * remembered, because the variables of an exiting process become unreadable before it is dead.
 */
export function followMarkedProcesses(mark: string): MarkedProcesses {
  const [seen, everSeen] = [new Set<number>(), new Set<number>()];
  const unknownLooks = new Map<number, number>();
  /**
   * Returns the processes whose environment contains the mark, and whether there are processes for which this is not
   * yet known.
   */
  const look = (): { readonly marked: readonly number[]; readonly isUncertain: boolean } => {
    const { marked, unknown } = searchMarked(mark);
    for (const pid of marked) {
      seen.add(pid);
      everSeen.add(pid);
    }
    for (const pid of unknown) unknownLooks.set(pid, (unknownLooks.get(pid) ?? 0) + 1);
    // The variables of a process are empty while it starts a program. But some processes never have variables. So a
    // process without variables makes the result uncertain only in the first few searches that find it.
    return { marked, isUncertain: unknown.some((pid) => (unknownLooks.get(pid) ?? 0) < MAX_UNKNOWN_LOOKS) };
  };
  return {
    get count() {
      return everSeen.size;
    },
    signal(send) {
      for (const pid of look().marked) send(pid);
    },
    areAlive() {
      const { isUncertain } = look();
      for (const pid of seen) if (!isLiving(readStat(pid))) seen.delete(pid);
      return seen.size > 0 || isUncertain;
    },
  };
}

function listProcessIds(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/**
 * Returns the ids of kernel threads, which run no program. On many machines, most processes are kernel threads. Returns
 * nothing if the kernel does not list them in one file.
 */
function listKernelThreads(): ReadonlySet<number> {
  const flags = readStat(FIRST_KERNEL_THREAD)?.flags ?? 0;
  if ((flags & KERNEL_THREAD) === 0) return new Set();
  return new Set([FIRST_KERNEL_THREAD, ...(readChildren(FIRST_KERNEL_THREAD) ?? [])]);
}

/**
 * Returns the initial environment variables of a process, which may be a part of `buffer`. `undefined` if they cannot be
 * read, because the process has exited or belongs to another user.
 */
function readVariables(pid: number, buffer: Buffer): Buffer | undefined {
  const path = `/proc/${pid}/environ`;
  try {
    const file = openSync(path, "r");
    try {
      const length = readSync(file, buffer);
      return length < buffer.length ? buffer.subarray(0, length) : readFileSync(path);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** Returns whether a process group has a member that is not a zombie. Linux only. */
export function hasLivingMember(group: number): boolean {
  return listProcessIds().some((pid) => {
    const stat = readStat(pid);
    return stat?.group === group && isLiving(stat);
  });
}

/** Returns the group id of a process. Linux only. */
export function findGroup(pid: number): number | undefined {
  return readStat(pid)?.group;
}

/** Returns the ids of a process's children. Linux only. */
export function findChildren(parent: number): number[] {
  // Without that file, the list of all processes is searched.
  return readChildren(parent) ?? listProcessIds().filter((pid) => readStat(pid)?.parent === parent);
}

/**
 * Returns the ids of the children of a process that has one thread. `undefined` if the process has exited, and on
 * kernels that are built without `/proc/…/children`.
 */
function readChildren(parent: number): number[] | undefined {
  try {
    const text = readFileSync(`/proc/${parent}/task/${parent}/children`, "latin1").trim();
    return text === "" ? [] : text.split(" ").map(Number);
  } catch {
    return undefined;
  }
}

/** Returns whether a process exists and is not a zombie. Linux only. */
export function isLivingProcess(pid: number): boolean {
  return isLiving(readStat(pid));
}

/** Returns whether a process runs a program. Threads of the kernel run none. */
function isProgram(stat: ProcessStat | undefined): boolean {
  return isLiving(stat) && stat !== undefined && (stat.flags & KERNEL_THREAD) === 0;
}

interface ProcessStat {
  readonly state: string;
  readonly flags: number;
  readonly parent: number;
  readonly group: number;
}

/** Returns whether a process exists and is not a zombie. */
function isLiving(stat: ProcessStat | undefined): boolean {
  return stat !== undefined && stat.state !== "Z" && stat.state !== "X";
}

function readStat(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // These fields come after the program name, which is in parentheses and may contain any character.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ", 7);
    const [state = "", parent = "", group = "", , , , flags = ""] = fields;
    return { state, parent: Number(parent), group: Number(group), flags: Number(flags) };
  } catch {
    return undefined;
  }
}
