/** Unknown fields of a document, which are preserved. */
export interface OpenFields {
  /** Any other field. */
  readonly [field: string]: unknown;
}

/**
 * Selects the provider that executes a task, and contains settings for it. See agent-runtime-package: provider command
 * contract.
 */
export interface TaskExecutor extends OpenFields {
  /** Name of the backend of the provider that executes the task. There is no default. */
  readonly backend: string;
  /** Id of the runtime package. */
  readonly runtime?: string | undefined;
  /** Id of the provider. */
  readonly selector?: string | undefined;
  /** Capabilities that the provider must declare. */
  readonly required_capabilities?: readonly string[] | undefined;
  /** Names of secrets to pass to the provider. */
  readonly secret_env?: readonly string[] | undefined;
  /** Model, in the provider's format. */
  readonly model?: string | undefined;
  /** Settings of the provider. */
  readonly config?: unknown;
}

/** Workspace of a task. */
export interface TaskWorkspace extends OpenFields {
  /** Absolute path of the folder. */
  readonly root?: string | undefined;
  /** How the workspace is created: `ephemeral`, `existing` or `materialized`. */
  readonly mode?: string | undefined;
}

/** Limits of a task. */
export interface TaskLimits extends OpenFields {
  /** Time limit of the command, in milliseconds. */
  readonly timeout_ms?: number | undefined;
  /** Alias of `timeout_ms`. If both are set, the smaller value applies. */
  readonly max_runtime_ms?: number | undefined;
  /** Deadline, in milliseconds since 1970. */
  readonly execution_deadline_unix_ms?: number | undefined;
  /** Maximum time without output, in milliseconds. */
  readonly liveness_timeout_ms?: number | undefined;
  /** Maximum size of the task's outcome, in bytes. */
  readonly max_output_bytes?: number | undefined;
}

/** A file that a task is expected to create. */
export interface ArtifactDeclaration extends OpenFields {
  /** Name of the file. */
  readonly name: string;
  /** Type of the file. */
  readonly type?: string | undefined;
  /** Path relative to the workspace. */
  readonly path?: string | undefined;
  /** Whether the task fails if it does not create the file. Default: false. */
  readonly required?: boolean | undefined;
}

/** A value that a task is expected to return. */
export interface OutputDeclaration extends OpenFields {
  /** Name of the value. */
  readonly name: string;
  /** Whether the task fails if it does not return the value. Default: false. */
  readonly required?: boolean | undefined;
}

/** A task for a provider. See agent-runtime-package: provider command contract. */
export interface TaskRequest extends OpenFields {
  /** Schema id: `homeboy/agent-task-request/v1`. */
  readonly schema: string;
  /** Id of the task. The outcome contains the same id. */
  readonly task_id: string;
  /** Executor of the task. */
  readonly executor: TaskExecutor;
  /** Instructions in natural language. */
  readonly instructions: string;
  /** Key of the task's group. */
  readonly group_key?: string | undefined;
  /** Input data. */
  readonly inputs?: unknown;
  /** Workspace of the task. */
  readonly workspace?: TaskWorkspace | undefined;
  /** Limits of the task. */
  readonly limits?: TaskLimits | undefined;
  /** Names of files that the task must create. Each is treated as a required artifact declaration. */
  readonly expected_artifacts?: readonly string[] | undefined;
  /** Files that the task is expected to create. */
  readonly artifact_declarations?: readonly ArtifactDeclaration[] | undefined;
  /** Values that the task is expected to return. */
  readonly output_declarations?: readonly OutputDeclaration[] | undefined;
  /** Folder for artifacts, relative to the workspace. */
  readonly artifacts_path?: string | undefined;
  /**
   * What to execute, in a format that all providers share: kind and data. The description is converted to the
   * provider's own format.
   */
  readonly runtime_execution?: OpenFields | undefined;
  /** Metadata of the caller. */
  readonly metadata?: OpenFields | undefined;
}
