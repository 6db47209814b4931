/** Fields of a document that are not known here; they are kept and passed on. */
export interface OpenFields {
  /** Whatever else the document says. */
  readonly [field: string]: unknown;
}

/** Who is to execute a task. agent-runtime-package: provider command contract. */
export interface TaskExecutor extends OpenFields {
  /** Which backend; nothing is chosen by default. */
  readonly backend: string;
  /** Id of the runtime package. */
  readonly runtime?: string | undefined;
  /** Id of the provider. */
  readonly selector?: string | undefined;
  /** Capabilities that the provider must declare. */
  readonly required_capabilities?: readonly string[] | undefined;
  /** Names of secrets that the provider is to get. */
  readonly secret_env?: readonly string[] | undefined;
  /** Model, in the provider's own words. */
  readonly model?: string | undefined;
  /** Settings of the provider. */
  readonly config?: unknown;
}

/** Where a task works. */
export interface TaskWorkspace extends OpenFields {
  /** Absolute path of the folder. */
  readonly root?: string | undefined;
  /** `ephemeral`, `existing`, `materialized`. */
  readonly mode?: string | undefined;
}

/** How much a task may take. */
export interface TaskLimits extends OpenFields {
  /** Time for the command, in milliseconds. */
  readonly timeout_ms?: number | undefined;
  /** The same by another name; the smaller one counts. */
  readonly max_runtime_ms?: number | undefined;
  /** When it must be over, in milliseconds since 1970. */
  readonly execution_deadline_unix_ms?: number | undefined;
  /** How long it may say nothing, in milliseconds. */
  readonly liveness_timeout_ms?: number | undefined;
  /** Most bytes of its outcome. */
  readonly max_output_bytes?: number | undefined;
}

/** A file that a task is to make. */
export interface ArtifactDeclaration extends OpenFields {
  /** By what it is known. */
  readonly name: string;
  /** What it is. */
  readonly type?: string | undefined;
  /** Where, relative to the workspace. */
  readonly path?: string | undefined;
  /** Whether a success without it is none; false by default. */
  readonly required?: boolean | undefined;
}

/** A value that a task is to give back. */
export interface OutputDeclaration extends OpenFields {
  /** By what it is known. */
  readonly name: string;
  /** Whether a success without it is none; false by default. */
  readonly required?: boolean | undefined;
}

/** One task for a provider. agent-runtime-package: provider command contract. */
export interface TaskRequest extends OpenFields {
  /** `homeboy/agent-task-request/v1`. */
  readonly schema: string;
  /** Id of the task; the outcome has the same. */
  readonly task_id: string;
  /** Who is to execute it. */
  readonly executor: TaskExecutor;
  /** What is to be done. */
  readonly instructions: string;
  /** Group that the task belongs to. */
  readonly group_key?: string | undefined;
  /** Data of the task. */
  readonly inputs?: unknown;
  /** Where it works. */
  readonly workspace?: TaskWorkspace | undefined;
  /** How much it may take. */
  readonly limits?: TaskLimits | undefined;
  /** Names of files that are to be made; each becomes a required declaration. */
  readonly expected_artifacts?: readonly string[] | undefined;
  /** Files that are to be made. */
  readonly artifact_declarations?: readonly ArtifactDeclaration[] | undefined;
  /** Values that are to be given back. */
  readonly output_declarations?: readonly OutputDeclaration[] | undefined;
  /** Folder for artifacts, relative to the workspace. */
  readonly artifacts_path?: string | undefined;
  /** A generic descriptor of what to run: its kind and its data. */
  readonly runtime_execution?: OpenFields | undefined;
  /** Marks of the caller. */
  readonly metadata?: OpenFields | undefined;
}
