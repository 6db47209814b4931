import type { ErrorCode, ErrorDetails } from "@switchyard/contracts";
import type { EnvironmentCall, EnvironmentOperation, WrapperOptions } from "../wrap-environment.ts";

/** Something that goes wrong. */
export type Fault =
  | {
      /** The call begins later. Ends early when the call's signal fires or the environment is disposed of. */
      readonly kind: "latency";
      /** Milliseconds. */
      readonly ms: number;
      /** Most milliseconds on top, by chance. */
      readonly jitterMs?: number | undefined;
    }
  | {
      /** The call is rejected. */
      readonly kind: "failure";
      /** Code of the error. */
      readonly code: ErrorCode;
      /** Its details; the path or the command of the call are there anyhow. */
      readonly details?: ErrorDetails | undefined;
      /** Whether nothing was done (`before`, default), or everything and only the answer was lost (`after`). */
      readonly when?: "before" | "after" | undefined;
    }
  | {
      /**
       * The call does nothing and does not end, until its signal fires, its time is over or the environment is disposed
       * of. Of a command that gives a result, as a real one would; else the call is rejected.
       */
      readonly kind: "hang";
    }
  | {
      /** Only the start of what is read, or of each stream of a command or process, arrives. */
      readonly kind: "partial";
      /** Characters of texts and of a command's streams, bytes of bytes and of a process's streams. */
      readonly length: number;
      /** Exit code that a command is said to have ended with; its own by default. */
      readonly exitCode?: number | undefined;
    };

/** Which calls a fault hits: those for which everything that is said here is so. */
export interface FaultRule {
  /** What goes wrong; several ones come together. */
  readonly fault: Fault | readonly Fault[];
  /** These operations; all by default. */
  readonly operations?: readonly EnvironmentOperation[] | undefined;
  /** A path of the call, relative to the working directory, matches this glob. */
  readonly path?: string | undefined;
  /** The command line, or the arguments with spaces between them, match this expression. */
  readonly command?: RegExp | undefined;
  /** Only these of the calls that fit otherwise, counted from 1. */
  readonly calls?: number | readonly number[] | undefined;
  /** With this chance, from 0 to 1, for each call that fits otherwise. */
  readonly probability?: number | undefined;
}

/** What goes wrong in an environment. The same calls in the same order have the same faults. */
export interface FaultPlan extends WrapperOptions {
  /** Every rule that fits a call adds its faults. */
  readonly rules: readonly FaultRule[];
  /** What chance follows from; 1 by default. */
  readonly seed?: number | undefined;
  /** Is told of each fault. */
  readonly onFault?: ((call: EnvironmentCall, fault: Fault) => void) | undefined;
  /** Waits; must end early when the signal fires, by resolving or rejecting. The process's own timer by default. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
}
