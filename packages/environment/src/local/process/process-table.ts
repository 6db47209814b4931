import { readdirSync, readFileSync } from "node:fs";

/** Variable by which processes are found again that have left their group. Marks of outer environments stay in it. */
export const PROCESS_MARK = "SWITCHYARD_PROCESS_MARK";
/** An outer mark that is longer than this was not made here. */
const MAX_OUTER_MARK_CHARS = 2000;

/** The variable's value for a process: the mark, behind those of environments that this one runs in. */
export function renderProcessMark(outer: string | undefined, mark: string): string {
  return outer === undefined || outer.length > MAX_OUTER_MARK_CHARS ? mark : `${outer} ${mark}`;
}

/**
 * Ids of the living processes whose variables carried a mark when they started (Linux; elsewhere none). Processes of
 * other users and those that were started with other variables are not found.
 */
function findMarkedProcesses(mark: string): number[] {
  if (process.platform !== "linux") return [];
  return listProcessIds().filter((pid) => pid !== process.pid && carriesMark(pid, mark));
}

/** The processes that carry a mark, over the time that it takes to end them. */
export interface MarkedProcesses {
  /** How many were seen so far. */
  readonly count: number;
  /** Sends a signal to all that carry the mark now. */
  signal(send: (pid: number) => void): void;
  /** Whether one of them lives: one that carries the mark, or one that did and is not dead yet. */
  areAlive(): boolean;
}

/** Follows the processes that carry a mark. One that is dying has no variables any more, but it lives until it is dead. */
export function followMarkedProcesses(mark: string): MarkedProcesses {
  const [seen, everSeen] = [new Set<number>(), new Set<number>()];
  const look = (): readonly number[] => {
    const marked = findMarkedProcesses(mark);
    for (const pid of marked) {
      seen.add(pid);
      everSeen.add(pid);
    }
    return marked;
  };
  return {
    get count() {
      return everSeen.size;
    },
    signal(send) {
      for (const pid of look()) send(pid);
    },
    areAlive() {
      look();
      for (const pid of seen) if (!isLiving(readStat(pid))) seen.delete(pid);
      return seen.size > 0;
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

function carriesMark(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(mark);
  } catch {
    // Gone, or somebody else's.
    return false;
  }
}

/** Whether a process group has a member that is not dead already. Linux only; nobody may have collected the dead ones. */
export function hasLivingMember(group: number): boolean {
  return listProcessIds().some((pid) => {
    const stat = readStat(pid);
    return stat?.group === group && isLiving(stat);
  });
}

/** Number of the group that a process is in. Linux only. */
export function findGroup(pid: number): number | undefined {
  return readStat(pid)?.group;
}

/** Ids of the children of a process. Linux only. */
export function findChildren(parent: number): number[] {
  try {
    const text = readFileSync(`/proc/${parent}/task/${parent}/children`, "latin1").trim();
    return text === "" ? [] : text.split(" ").map(Number);
  } catch {
    // The list is an option of the kernel.
    return listProcessIds().filter((pid) => readStat(pid)?.parent === parent);
  }
}

/** Whether a process is neither gone nor dead and waiting to be collected. Linux only. */
export function isLivingProcess(pid: number): boolean {
  return isLiving(readStat(pid));
}

interface ProcessStat {
  readonly state: string;
  readonly parent: number;
  readonly group: number;
}

/** Neither gone nor dead and waiting to be collected. */
function isLiving(stat: ProcessStat | undefined): boolean {
  return stat !== undefined && stat.state !== "Z" && stat.state !== "X";
}

function readStat(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of the program comes before, in brackets, and may hold anything.
    const [state = "", parent = "", group = ""] = text.slice(text.lastIndexOf(")") + 2).split(" ", 3);
    return { state, parent: Number(parent), group: Number(group) };
  } catch {
    return undefined;
  }
}
