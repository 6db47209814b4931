import type { BodyTemplate } from "../template/render-body.ts";
import type { Template } from "../template/template.ts";

/** The model that a configuration names. */
export interface ModelConfig {
  /** Name of the provider. */
  readonly provider: string;
  /** Name of the model at the provider. */
  readonly name: string;
  /** Address of the provider, for built-in engines. */
  readonly baseUrl?: string | undefined;
  /** Parameters, for built-in engines. */
  readonly params: Readonly<Record<string, string>>;
}

/** How a command is run. */
export interface LocalConfig {
  /** Says that it is a command. */
  readonly transport: "local";
  /** Program to run. */
  readonly command: Template;
  /** Its arguments. */
  readonly args: readonly Template[];
  /** The workspace where it is absent. */
  readonly cwd?: Template | undefined;
  /** `inputs/messages.json` where it is absent. */
  readonly inputFile?: Template | undefined;
  /** Standard output is the result where it is absent. */
  readonly outputFile?: Template | undefined;
}

/** Files of the workspace that go with a request. */
export interface RequestFiles {
  /** A path, or a glob pattern, without a leading `./`. */
  readonly path: string;
  /** Whether it is an error that nothing matches. */
  readonly isRequired: boolean;
}

/** How a service is called. */
export interface HttpConfig {
  /** Says that it is a service. */
  readonly transport: "http";
  /** Its address. */
  readonly url: Template;
  /** Headers of the request by name. */
  readonly headers: readonly (readonly [name: string, value: Template])[];
  /** Files of the workspace that go along. */
  readonly files: readonly RequestFiles[];
  /** The SessionInput where it is absent. */
  readonly body?: BodyTemplate | undefined;
}

/** A custom engine whose configuration was checked and whose references to the environment were resolved. */
export interface CustomEngineConfig {
  /** Name of the engine. */
  readonly name: string;
  /** Its model, where one is named. */
  readonly model?: ModelConfig | undefined;
  /** How it is called. */
  readonly transport: LocalConfig | HttpConfig;
  /** Whether one call gets the whole conversation, or each user message is a call of its own. */
  readonly conversationMode: "batch" | "stateful";
  /** What a call answers with. */
  readonly responseFormat: "session_result" | "text";
  /** Whether a call that was cut off may be made again. */
  readonly effects: "unsafe" | "idempotent" | "readonly";
  /** Time for a call in seconds; the case's limit where it is absent. */
  readonly timeoutSeconds?: number | undefined;
  /** Variables of the command by name. */
  readonly env: Readonly<Record<string, Template>>;
  /** Parameters by key. */
  readonly kwargs: Readonly<Record<string, Template>>;
}

/** An engine configuration that was read. */
export interface LoadedEngineConfig {
  /** Name of the engine. */
  readonly name: string;
  /** Its model, where one is named. */
  readonly model?: ModelConfig | undefined;
  /** Absent where the name is that of a built-in engine. */
  readonly custom?: CustomEngineConfig | undefined;
  /** Settings that have no effect, one sentence each. */
  readonly warnings: readonly string[];
}
