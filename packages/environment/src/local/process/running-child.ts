import type { Readable, Writable } from "node:stream";

/** What tells how a process ended. */
interface ChildEvents {
  /** `exit` when it has ended, `close` when its streams are over as well. */
  once(event: "exit", listener: (exitCode: number | null, signal: NodeJS.Signals | null) => void): unknown;
  once(event: "close", listener: () => void): unknown;
}

/** A process that runs, as the leader of a new process group. */
export interface RunningChild {
  readonly child: ChildEvents;
  readonly pid: number;
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Whether it is the monitor of a process namespace. */
  readonly namespaced?: boolean | undefined;
}
