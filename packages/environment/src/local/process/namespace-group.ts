import type { EndSignal, ProcessGroup } from "./process-group.ts";
import { sendTo } from "./process-group.ts";
import { findChildren, findGroup, followMarkedProcesses, isLivingProcess } from "./process-table.ts";

/**
 * Creates the group of a command inside a process namespace. `monitor` waits outside. Its only child is the first
 * process inside, which leads a separate session. When that process dies, the kernel ends all others in the namespace.
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
      // The kernel ended the others with the first process.
      if (signal === "SIGKILL") return;
      // The signal would end the monitor, and with it everything inside, before the grace period. The group of the
      // first process has already received it.
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
  // Once the monitor, its parent, has exited, the process id may be reused.
  if (state.monitorEnded) return;
  if (first === undefined || !sendTo(first, "SIGKILL")) sendTo(monitor, "SIGKILL");
}
