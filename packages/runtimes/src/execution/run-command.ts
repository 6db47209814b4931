import { EngineError, type ExecOptions, type ExecResult, type ExecutionEnvironment } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import type { CommandLine } from "../command/command-line.ts";
import { TASK_LIMITS } from "../contract/provider-defaults.ts";
import { createLineRedactor } from "../redaction/create-line-redactor.ts";

/** A command to run, with its input. */
export interface CommandCall {
  /** Environment to run in. */
  readonly environment: ExecutionEnvironment;
  /** Command line. */
  readonly line: CommandLine;
  /** Standard input. */
  readonly stdin: string;
  /** Environment variables. */
  readonly env: NonNullable<ExecOptions["env"]>;
  /** Time limit, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum time without output, in milliseconds. Default: no limit. */
  readonly livenessMs?: number | undefined;
  /** Maximum size of the command's standard output, in characters. */
  readonly maxOutputChars: number;
  /** Masks secrets in the command's output. */
  readonly masker: Masker;
  /** Additional keys whose values are redacted. */
  readonly keys?: readonly string[] | undefined;
  /** Called with each line of standard error, with secrets redacted. */
  readonly onDiagnostic?: ((text: string) => void) | undefined;
  /** The command is ended when this signal aborts. */
  readonly signal: AbortSignal;
}

/** How a command ended. */
export type CommandEnd =
  | {
      readonly kind: "exited";
      readonly result: ExecResult;
      readonly stderr: string;
      /** True if standard output exceeded the limit. */
      readonly isCut: boolean;
    }
  | { readonly kind: "timed_out" | "stalled" | "stopped"; readonly stdout: string; readonly stderr: string }
  | { readonly kind: "not_started"; readonly isMissing: boolean; readonly problem: string };

/**
 * Runs a command to its end, then terminates its remaining child processes. The request is written to the command's
 * standard input, which is then closed. See agent-runtime-package: provider command contract.
 */
export async function runCommand(call: CommandCall): Promise<CommandEnd> {
  const { environment, line, masker } = call;
  const errors = masker.stream();
  const lines = createLineRedactor(call.keys);
  let stderr = "";
  let answerChars = 0;
  const append = (text: string) => {
    stderr = (stderr + text).slice(-TASK_LIMITS.stderr_tail_chars);
    if (text !== "") call.onDiagnostic?.(text);
  };
  using silence = watchSilence(call.livenessMs);
  const options: ExecOptions = {
    ...{ stdin: call.stdin, env: call.env, timeoutMs: call.timeoutMs },
    ...{ maxOutputChars: call.maxOutputChars, signal: AbortSignal.any([call.signal, silence.signal]) },
    onOutput: ({ stream, text }) => {
      silence.reset();
      // Standard error is redacted before it is truncated, because truncated secrets would not be recognised.
      if (stream === "stderr") append(lines.write(errors.write(text)));
      else answerChars += text.length;
    },
  };
  try {
    const result =
      line.kind === "argv"
        ? await environment.exec(line.argv, options)
        : await environment.shell(line.command, options);
    append(lines.write(errors.end()) + lines.end());
    if (result.timedOut) return { kind: "timed_out", stdout: result.stdout, stderr };
    if (silence.signal.aborted) return { kind: "stalled", stdout: result.stdout, stderr };
    if (result.aborted || call.signal.aborted) return { kind: "stopped", stdout: result.stdout, stderr };
    return { kind: "exited", result, stderr, isCut: result.droppedBytes > 0 && answerChars > call.maxOutputChars };
  } catch (error) {
    const isMissing = EngineError.is(error, "environment.command_not_found");
    if (!isMissing && !EngineError.is(error, "environment.spawn_failed")) throw error;
    return { kind: "not_started", isMissing, problem: masker.mask(error.message) };
  }
}

interface SilenceWatch extends Disposable {
  /** Signal that aborts when the command has printed nothing for too long. */
  readonly signal: AbortSignal;
  /** Restarts the time limit, because the command printed output. */
  reset(): void;
}

function watchSilence(limitMs: number | undefined): SilenceWatch {
  const silent = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const reset = () => {
    clearTimeout(timer);
    if (limitMs !== undefined && limitMs > 0) timer = setTimeout(() => silent.abort(), limitMs);
  };
  reset();
  return { signal: silent.signal, reset, [Symbol.dispose]: () => clearTimeout(timer) };
}
