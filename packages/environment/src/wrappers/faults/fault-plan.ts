import type { ErrorCode, ErrorDetails } from "@switchyard/contracts";
import type { EnvironmentCall, EnvironmentOperation, WrapperOptions } from "../wrap-environment.ts";

/** A fault to inject. */
export type Fault =
  | {
      /** Delays the start of the call. Ends early when the call's signal fires or the environment is disposed. */
      readonly kind: "latency";
      /** Delay in milliseconds. */
      readonly ms: number;
      /** Maximum random additional delay, in milliseconds. */
      readonly jitterMs?: number | undefined;
    }
  | {
      /** Rejects the call. */
      readonly kind: "failure";
      /** Error code. */
      readonly code: ErrorCode;
      /** Error details. The path or the command of the call is added. */
      readonly details?: ErrorDetails | undefined;
      /**
       * `before`: nothing is executed. `after`: everything is executed and only the response is lost. Default:
       * `before`.
       */
      readonly when?: "before" | "after" | undefined;
    }
  | {
      /**
       * The call does nothing and does not end until its signal fires, its time limit is reached or the environment is
       * disposed. Then a command returns a result, like a real command that was ended; any other call is rejected.
       */
      readonly kind: "hang";
    }
  | {
      /** Truncates the content read, or each stream of a command or process. */
      readonly kind: "partial";
      /** Length: characters for texts and a command's streams, bytes for byte reads and a process's streams. */
      readonly length: number;
      /** Reported exit code of a command. Default: its real exit code. */
      readonly exitCode?: number | undefined;
    };

/** A fault, and the conditions for calls that it applies to. A call must meet all given conditions. */
export interface FaultRule {
  /** Fault or faults to inject. */
  readonly fault: Fault | readonly Fault[];
  /** Operations. Default: all. */
  readonly operations?: readonly EnvironmentOperation[] | undefined;
  /** Glob pattern. The fault applies if a path of the call, relative to the working directory, matches it. */
  readonly path?: string | undefined;
  /** Regular expression. The fault applies if the command line, or the arguments joined by spaces, matches it. */
  readonly command?: RegExp | undefined;
  /** Numbers of the otherwise matching calls, from 1. */
  readonly calls?: number | readonly number[] | undefined;
  /** Probability, from 0 to 1, for each otherwise matching call. */
  readonly probability?: number | undefined;
}

/** Plan of the faults to inject into an environment. The same calls in the same order get the same faults. */
export interface FaultPlan extends WrapperOptions {
  /** Rules that select faults for calls. Every matching rule adds its faults. */
  readonly rules: readonly FaultRule[];
  /** Seed of random choices. Default: 1. */
  readonly seed?: number | undefined;
  /** Called for each injected fault. */
  readonly onFault?: ((call: EnvironmentCall, fault: Fault) => void) | undefined;
  /**
   * Function that waits for a number of milliseconds. When the signal fires, it must resolve or reject early. Default:
   * the process's timer.
   */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
}
