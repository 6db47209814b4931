import type { ErrorCode, ErrorDetails } from "@switchyard/contracts";
import type { EnvironmentCall, EnvironmentOperation, WrapperOptions } from "../wrap-environment.ts";

/** A fault to inject. */
export type Fault =
  | {
      /**
       * Delays the start of the call. The delay ends early when the call's signal fires or the environment is disposed.
       */
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
      /** Details of the error. The path or command of the call is added to them. */
      readonly details?: ErrorDetails | undefined;
      /**
       * `before`: the call is rejected without being executed. `after`: the call is executed, but rejected instead of
       * returning its result. Default: `before`.
       */
      readonly when?: "before" | "after" | undefined;
    }
  | {
      /**
       * The call does nothing and hangs until its signal fires, its time limit is reached or the environment is
       * disposed. Then a command returns a result, as if a real command had been ended. Any other call is rejected.
       */
      readonly kind: "hang";
    }
  | {
      /** Truncates the content read, or each stream of a command or process. */
      readonly kind: "partial";
      /**
       * Maximum length. Unit: characters for texts and a command's output, bytes for byte reads and a process's
       * streams.
       */
      readonly length: number;
      /** Exit code to report for a command. Default: its real exit code. */
      readonly exitCode?: number | undefined;
    };

/** A fault to inject, and conditions that select calls. A call must meet all conditions that are given. */
export interface FaultRule {
  /** Fault or faults to inject. */
  readonly fault: Fault | readonly Fault[];
  /** Operations. Default: all. */
  readonly operations?: readonly EnvironmentOperation[] | undefined;
  /** Glob pattern. The fault applies if a path of the call, relative to the working directory, matches it. */
  readonly path?: string | undefined;
  /** Regular expression. The fault applies if the command line, or the arguments joined by spaces, matches it. */
  readonly command?: RegExp | undefined;
  /** Numbers of the calls that get the fault. Only calls that meet the other conditions are counted, from 1. */
  readonly calls?: number | readonly number[] | undefined;
  /** Probability, from 0 to 1, that a call that meets the other conditions gets the fault. */
  readonly probability?: number | undefined;
}

/**
 * Rules for injecting faults into the calls of an environment. The same calls in the same order get the same faults.
 */
export interface FaultPlan extends WrapperOptions {
  /** Rules that select faults. If several rules match a call, the faults of all of them are injected. */
  readonly rules: readonly FaultRule[];
  /** Seed of random choices. Default: 1. */
  readonly seed?: number | undefined;
  /** Called for each injected fault. */
  readonly onFault?: ((call: EnvironmentCall, fault: Fault) => void) | undefined;
  /**
   * Function that waits for a number of milliseconds. When the signal fires, it must resolve or reject early. Default:
   * a real timer.
   */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
}
