import type { EngineError, ExecutionEnvironment } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import type { CallInput } from "../call/call-input.ts";
import type { CallSecrets } from "../call/command-line-rules.ts";
import type { CustomEngineConfig } from "../config/custom-engine-config.ts";

/** Hears what a call says while it lasts. */
interface CallListener {
  /** Something was printed. */
  output(stream: "stdout" | "stderr", text: string): void;
  /** Something a person should know. */
  notify(kind: string, message: string): void;
}

/** One call of an engine. */
export interface Call extends CallInput {
  readonly config: CustomEngineConfig;
  readonly environment: ExecutionEnvironment;
  readonly secrets: CallSecrets;
  readonly masker: Masker;
  /** Time for the call in milliseconds; absent without a limit. */
  readonly timeoutMs?: number | undefined;
  /** Ends the call when it fires. */
  readonly signal: AbortSignal;
  readonly listener: CallListener;
}

/** What a call came to, whichever way it was carried. */
export interface Answer {
  /** What the result is read from. */
  readonly text: string;
  /** 0 where the carrier saw no failure; a process's code, or an HTTP status. */
  readonly exitCode: number;
  /** Diagnostics, or a part of them; without secrets where it is a part, as nobody would recognise half of one. */
  readonly stderr: string;
  /** Why the call failed although it may have answered. */
  readonly failure?: EngineError | undefined;
  /** Whether a call that came to nothing is told by its exit code alone: that of a process. */
  readonly endsByCode?: boolean | undefined;
}

/** What is known before a call: paths of the framework's files, which belong to nobody's changes. */
export interface PreparedCall {
  /** Files that the call itself makes, relative to nothing: absolute paths in the environment. */
  readonly ownFiles: readonly string[];
  /** Where the engine is reached over http: artifacts may come from there. */
  readonly origin?: string | undefined;
  /** Makes the call. Rejects only where nothing ran. */
  run(): Promise<Answer>;
}

/** Carries calls to an engine. */
export interface Transport {
  /** Renders and checks everything; nothing runs and nothing is written yet. Rejects with what is wrong. */
  prepare(call: Call): Promise<PreparedCall>;
}
