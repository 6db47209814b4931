import type { EndSignal, ProcessGroup } from "./process-group.ts";
import { sendTo } from "./process-group.ts";
import { findChildren, findGroup, followMarkedProcesses, isLivingProcess } from "./process-table.ts";

/**
 * The processes behind a program that made a process namespace for them. `monitor` waits outside; its only child is
 * the first process inside, which leads a session of its own. When that one dies, the kernel ends all the others.
 */
export function createNamespaceGroup(monitor: number, mark: string): ProcessGroup {
  const state: { monitorEnded: boolean; first: number | undefined } = { monitorEnded: false, first: undefined };
  const marked = followMarkedProcesses(mark);
  const findFirst = (): number | undefined => {
    if (!state.monitorEnded) state.first ??= findChildren(monitor).at(0);
    return state.first;
  };
  const isFirstAlive = (): boolean => {
    if (state.first !== undefined && !isLivingProcess(state.first)) state.first = undefined;
    return state.first !== undefined;
  };
  const group: ProcessGroup = {
    signal(signal) {
      const first = findFirst();
      if (signal === "SIGKILL" || first === undefined || !sendTo(-first, signal)) endAll(first, monitor, state);
    },
    signalAll(signal: EndSignal) {
      group.signal(signal);
      // The others are gone with the first one.
      if (signal === "SIGKILL") return;
      // The monitor would die of it, and everything with it, before anybody could use the grace. The group of the first
      // one has got it already.
      marked.signal((pid) => {
        if (pid !== monitor && findGroup(pid) !== state.first) sendTo(pid, signal);
      });
    },
    isAlive: () => !state.monitorEnded || isFirstAlive(),
    hasSurvivors: () => group.isAlive(),
    leaderEnded() {
      state.monitorEnded = true;
    },
  };
  return group;
}

function endAll(first: number | undefined, monitor: number, state: { readonly monitorEnded: boolean }): void {
  // Its number may be somebody else's once the monitor, its parent, is gone.
  if (state.monitorEnded) return;
  if (first === undefined || !sendTo(first, "SIGKILL")) sendTo(monitor, "SIGKILL");
}
