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
export function findMarkedProcesses(mark: string): number[] {
  if (process.platform !== "linux") return [];
  return listProcessIds().filter((pid) => pid !== process.pid && carriesMark(pid, mark));
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
    return stat !== undefined && stat.group === group && stat.state !== "Z" && stat.state !== "X";
  });
}

function readStat(pid: number): { state: string; group: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of the program comes before, in brackets, and may hold anything.
    const [state = "", , group = ""] = text.slice(text.lastIndexOf(")") + 2).split(" ", 3);
    return { state, group: Number(group) };
  } catch {
    return undefined;
  }
}
