import type { EngineError, ExecutionEnvironment } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import type { CallInput } from "../call/call-input.ts";
import type { CallSecrets } from "../call/command-line-rules.ts";
import type { CustomEngineConfig } from "../config/custom-engine-config.ts";

/** Callbacks for the output and notices of a call. */
interface CallListener {
  /** Called with output. */
  output(stream: "stdout" | "stderr", text: string): void;
  /** Called with a notice for the user. */
  notify(kind: string, message: string): void;
}

/** One call of an engine. */
export interface Call extends CallInput {
  readonly config: CustomEngineConfig;
  readonly environment: ExecutionEnvironment;
  readonly secrets: CallSecrets;
  readonly masker: Masker;
  /** Time limit of the call, in milliseconds; `undefined` without a limit. */
  readonly timeoutMs?: number | undefined;
  /** Ends the call when this signal aborts. */
  readonly signal: AbortSignal;
  readonly listener: CallListener;
}

/** Response to a call of an engine, independent of the transport. */
export interface TransportResponse {
  /** Text of the response, from which the result is parsed. */
  readonly text: string;
  /** Exit code of the process or HTTP status; 0 if the transport saw no failure. */
  readonly exitCode: number;
  /** Diagnostic output. A truncated text is already masked, because a partial secret would not be recognised later. */
  readonly stderr: string;
  /** Error of a failed call. A failed call may have a response nevertheless. `undefined` if the call did not fail. */
  readonly failure?: EngineError | undefined;
  /** True if a call without a response counts as failed unless the exit code of the process is 0. */
  readonly endsByCode?: boolean | undefined;
}

/** A call that is ready to run. */
export interface PreparedCall {
  /**
   * Absolute paths, in the environment, of files that the call itself creates. These files are not reported as changes
   * of the run.
   */
  readonly engineFiles: readonly string[];
  /** Origin of an HTTP engine; artifacts may be fetched from it. */
  readonly origin?: string | undefined;
  /** Makes the call. Rejects only if the process or request was never started. */
  run(): Promise<TransportResponse>;
}

/** Calls an engine. */
export interface Transport {
  /**
   * Renders the templates of a call and checks the call, without running or writing anything. Rejects if the call is
   * invalid.
   */
  prepare(call: Call): Promise<PreparedCall>;
}
