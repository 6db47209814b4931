import type { Eventually } from "../contract/contract-case.ts";

/**
 * What the command of a provider does, in this order: it reads the request, says on standard error, writes files,
 * prints, ends. In every text `%NAME%` stands for the variable NAME of the command.
 */
export interface ProviderBehaviour {
  /** Fields over those of a good outcome for the task; `null` stays, `"__omit__"` leaves the field out. */
  readonly outcome?: Readonly<Record<string, unknown>> | undefined;
  /** Printed in place of an outcome. */
  readonly prints?: string | undefined;
  /** Said on standard error. */
  readonly stderr?: string | undefined;
  /** Files that are written, relative to the folder of the command. */
  readonly writes?: readonly string[] | undefined;
  /** Exit code; 0 by default. */
  readonly exit?: number | undefined;
  /** Signal by which it ends itself. */
  readonly signal?: "SIGKILL" | "SIGTERM" | undefined;
  /** Whether it goes on for ever when it has printed. */
  readonly hangs?: boolean | undefined;
  /** Whether it prints some 2 MB in front of all else. */
  readonly floods?: boolean | undefined;
  /** How many calls fail as `failed` before the others do as said. */
  readonly failures?: number | undefined;
  /** As what those calls fail; `transient` by default. */
  readonly failsAs?: string | undefined;
}

/** A packaged runtime that a case asks for. */
export interface RuntimeSetting {
  /** Fields of the provider's declaration besides `id`, `backend` and the command; a `command` here replaces it. */
  readonly provider: Readonly<Record<string, unknown>>;
  /** What its command does. */
  readonly behaviour: ProviderBehaviour;
  /** Secrets that the host has, by name of their variable. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Variables of the host. */
  readonly variables: Readonly<Record<string, string>>;
  /** Files of the workspace. */
  readonly files: Readonly<Record<string, string>>;
}

/** What a command was given. */
export interface ReceivedTask {
  /** All of its standard input. */
  readonly stdin: string;
  /** Its arguments, the program included. */
  readonly argv: readonly string[];
  /** Its variables. */
  readonly env: Readonly<Record<string, string>>;
  /** Its folder. */
  readonly cwd: string;
}

/** A runtime, and the place where its tasks work. */
export interface RuntimeSubject {
  /** Backend that requests select it by. */
  readonly backend: string;
  /** Absolute path of the workspace. */
  readonly workspace: string;
  /** Absolute path of the package. */
  readonly runtimePath: string;
  /** Executes a task; resolves with its outcome. */
  execute(request: unknown, signal: AbortSignal): Promise<unknown>;
  /** What the command was given, call by call. */
  received(): Eventually<readonly ReceivedTask[]>;
  /** Gives everything back. */
  dispose?(): Eventually<void>;
}

/** Makes a runtime whose command does as a case says. */
export type RuntimeFactory = (setting: RuntimeSetting) => Eventually<RuntimeSubject>;
