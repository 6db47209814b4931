import type { Readable, Writable } from "node:stream";

/** Events of a child process. */
interface ChildEvents {
  /** `exit` when the process has ended, `close` when its streams have ended as well. */
  once(event: "exit", listener: (exitCode: number | null, signal: NodeJS.Signals | null) => void): unknown;
  once(event: "close", listener: () => void): unknown;
}

/** A running process that leads a new process group. */
export interface RunningChild {
  readonly child: ChildEvents;
  readonly pid: number;
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** True if it is the monitor of a process namespace. */
  readonly namespaced?: boolean | undefined;
}
