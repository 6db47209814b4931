import { EngineError, type ExecOptions, type ExecResult, type ExecutionEnvironment } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import type { CommandLine } from "../command/command-line.ts";
import { TASK_LIMITS } from "../contract/provider-defaults.ts";
import { createLineRedactor } from "../redaction/create-line-redactor.ts";

/** A command and what it is given. */
export interface CommandCall {
  /** Where it runs. */
  readonly environment: ExecutionEnvironment;
  /** What is run. */
  readonly line: CommandLine;
  /** What it reads. */
  readonly stdin: string;
  /** Variables. */
  readonly env: NonNullable<ExecOptions["env"]>;
  /** Time for it, in milliseconds. */
  readonly timeoutMs: number;
  /** How long it may say nothing, in milliseconds; for ever by default. */
  readonly livenessMs?: number | undefined;
  /** Most characters of its answer. */
  readonly maxOutputChars: number;
  /** Takes secrets out of what it says. */
  readonly masker: Masker;
  /** Keys whose values are redacted besides the standard ones. */
  readonly keys?: readonly string[] | undefined;
  /** Called with each line of standard error, without secrets and announced credentials. */
  readonly onDiagnostic?: ((text: string) => void) | undefined;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** How a command ended. */
export type CommandEnd =
  | {
      readonly kind: "exited";
      readonly result: ExecResult;
      readonly stderr: string;
      /** Whether its answer is longer than it may be; what it says on standard error has a tail of its own. */
      readonly isCut: boolean;
    }
  | { readonly kind: "timed_out" | "stalled" | "stopped"; readonly stdout: string; readonly stderr: string }
  | { readonly kind: "not_started"; readonly isMissing: boolean; readonly problem: string };

/**
 * Runs a command to its end: its whole process tree is gone then. The request goes to its standard input, which is
 * closed behind it. agent-runtime-package: provider command contract.
 */
export async function runCommand(call: CommandCall): Promise<CommandEnd> {
  const { environment, line, masker } = call;
  const errors = masker.stream();
  const lines = createLineRedactor(call.keys);
  let stderr = "";
  let answerChars = 0;
  const keep = (text: string) => {
    stderr = (stderr + text).slice(-TASK_LIMITS.stderr_tail_chars);
    if (text !== "") call.onDiagnostic?.(text);
  };
  using silence = watchSilence(call.livenessMs);
  const options: ExecOptions = {
    ...{ stdin: call.stdin, env: call.env, timeoutMs: call.timeoutMs },
    ...{ maxOutputChars: call.maxOutputChars, signal: AbortSignal.any([call.signal, silence.signal]) },
    onOutput: ({ stream, text }) => {
      silence.heard();
      // Redacted before it is cut: half a secret, or one without its name, would not be recognised.
      if (stream === "stderr") keep(lines.write(errors.write(text)));
      else answerChars += text.length;
    },
  };
  try {
    const result =
      line.kind === "argv"
        ? await environment.exec(line.argv, options)
        : await environment.shell(line.command, options);
    keep(lines.write(errors.end()) + lines.end());
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
  /** Fires when nothing was heard for too long. */
  readonly signal: AbortSignal;
  /** Something was heard. */
  heard(): void;
}

function watchSilence(limitMs: number | undefined): SilenceWatch {
  const silent = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(timer);
    if (limitMs !== undefined && limitMs > 0) timer = setTimeout(() => silent.abort(), limitMs);
  };
  heard();
  return { signal: silent.signal, heard, [Symbol.dispose]: () => clearTimeout(timer) };
}
