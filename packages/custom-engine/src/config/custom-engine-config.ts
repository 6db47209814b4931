import type { BodyTemplate } from "../template/render-body.ts";
import type { Template } from "../template/template.ts";

/** Model of a configuration. */
export interface ModelConfig {
  /** Name of the provider. */
  readonly provider: string;
  /** Name of the model as used by the provider. */
  readonly name: string;
  /** Base URL of the model provider. Used only by built-in engines. */
  readonly baseUrl?: string | undefined;
  /** Parameters, for built-in engines. */
  readonly params: Readonly<Record<string, string>>;
}

/** Configuration of a custom engine that is started as a command. */
export interface LocalConfig {
  /** Discriminates the transport. */
  readonly transport: "local";
  /** Program to run. */
  readonly command: Template;
  /** Its arguments. */
  readonly args: readonly Template[];
  /** Working folder. Default: the workspace. */
  readonly cwd?: Template | undefined;
  /** Path of the input file. Default: `inputs/messages.json`. */
  readonly inputFile?: Template | undefined;
  /** Path of the result file. `undefined`: the result is read from standard output. */
  readonly outputFile?: Template | undefined;
}

/** Workspace files that are sent with a request. */
export interface RequestFiles {
  /** Path or glob pattern, without a leading `./`. */
  readonly path: string;
  /** True if the call must fail when the path or pattern matches no file. */
  readonly isRequired: boolean;
}

/** Configuration of a custom engine that is called as an HTTP service. */
export interface HttpConfig {
  /** Discriminates the transport. */
  readonly transport: "http";
  /** URL of the service. */
  readonly url: Template;
  /** Headers of the request by name. */
  readonly headers: readonly (readonly [name: string, value: Template])[];
  /** Workspace files that are sent with the request. */
  readonly files: readonly RequestFiles[];
  /** Body of the request. Default: the `SessionInput`. */
  readonly body?: BodyTemplate | undefined;
}

/** A validated custom engine configuration with resolved environment references. */
export interface CustomEngineConfig {
  /** Name of the engine. */
  readonly name: string;
  /** Model; `undefined` if the configuration names none. */
  readonly model?: ModelConfig | undefined;
  /** Configuration of the transport. */
  readonly transport: LocalConfig | HttpConfig;
  /** `batch`: one call receives the whole conversation. `stateful`: each user message is a separate call. */
  readonly conversationMode: "batch" | "stateful";
  /** Format of the engine's response. */
  readonly responseFormat: "session_result" | "text";
  /** Whether an interrupted call may be repeated. An `unsafe` call is not repeated. */
  readonly effects: "unsafe" | "idempotent" | "readonly";
  /** Time limit of a call, in seconds. Default: the time limit of the session input. */
  readonly timeoutSeconds?: number | undefined;
  /** Environment variables of the command, by name. */
  readonly env: Readonly<Record<string, Template>>;
  /** Parameters by key. */
  readonly kwargs: Readonly<Record<string, Template>>;
}

/** A loaded engine configuration. */
export interface LoadedEngineConfig {
  /** Name of the engine. */
  readonly name: string;
  /** Model; `undefined` if the configuration names none. */
  readonly model?: ModelConfig | undefined;
  /** Custom engine configuration; `undefined` if the engine name is the name of a built-in engine. */
  readonly custom?: CustomEngineConfig | undefined;
  /** Warnings about settings that have no effect, one sentence each. */
  readonly warnings: readonly string[];
}
