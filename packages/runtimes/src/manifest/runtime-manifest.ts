import type { OpenFields } from "../task/task-request.ts";

/** A command as arguments. */
export interface CommandInvocation extends OpenFields {
  /** Program and arguments. The placeholder `{{runtime_path}}` is replaced with the package's folder. */
  readonly argv: readonly string[];
  /** Names of host environment variables that the command inherits. */
  readonly env_allowlist?: readonly string[] | undefined;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** A secret of a provider, by name. See agent-runtime-package: secret requirements. */
export interface SecretRequirement extends OpenFields {
  /** Name of the secret. */
  readonly name: string;
  /** Environment variables that contain the secret. Default: the name of the secret. */
  readonly env?: string | readonly string[] | undefined;
  /** True if tasks are rejected when the secret is not available. Default: true. */
  readonly required?: boolean | undefined;
  /** Purpose of the secret. */
  readonly purpose?: string | undefined;
}

/** A condition on a value in the request. */
export interface SecretCondition extends OpenFields {
  /** Dotted path of the value in the request. */
  readonly path: string;
  /** Required value. Default: any value. */
  readonly equals?: unknown;
}

/** Secrets that are required under a condition. See agent-runtime-package: secret requirements. */
export interface SecretEnvRequirement extends OpenFields {
  /** Names of the variables. */
  readonly env: string | readonly string[];
  /** Condition. Default: always. */
  readonly when?:
    | {
        readonly any?: readonly SecretCondition[] | undefined;
        readonly all?: readonly SecretCondition[] | undefined;
      }
    | undefined;
}

/** A readiness check that runs before a task is dispatched. See agent-runtime-package: runner_readiness. */
export interface ReadinessCheck extends OpenFields {
  /** Id of the check. */
  readonly id: string;
  /** Label for display. */
  readonly label: string;
  /** Environment variables that must be set. */
  readonly secret_env?: readonly string[] | undefined;
  /** Environment variable whose value must be an existing path. */
  readonly env_path?: ({ readonly env: string } & OpenFields) | undefined;
  /** Program that must be installed. */
  readonly executable?:
    | ({
        readonly env?: readonly string[] | undefined;
        readonly candidates?: readonly string[] | undefined;
        readonly version_command?: readonly string[] | undefined;
        readonly install_hint?: string | undefined;
      } & OpenFields)
    | undefined;
  /** Command that performs the check. The runtime package defines the command. */
  readonly invocation?: CommandInvocation | undefined;
  /** Advice for the user if the check fails. */
  readonly remediation?: string | undefined;
}

/**
 * Maps each name that all providers share to the names that the provider uses instead. Letter case is ignored, and `*`
 * matches any characters.
 */
export type RoleNames = Readonly<Record<string, readonly string[]>>;

/**
 * Names that the provider uses instead of the names that all providers share. See agent-runtime-package: role_aliases.
 */
export interface RoleAliases extends OpenFields {
  /** For each shared artifact role, the provider's names of artifact kinds. */
  readonly artifact_kinds?: RoleNames | undefined;
  /** For each shared artifact role, the provider's file names of artifacts. */
  readonly artifact_filenames?: RoleNames | undefined;
  /** For each shared artifact role, the provider's names of the role. */
  readonly artifact_roles?: RoleNames | undefined;
  /** For each shared output name, the provider's names of the output. */
  readonly outputs?: RoleNames | undefined;
  /** For each shared metadata field, the provider's names of the field. */
  readonly metadata?: RoleNames | undefined;
}

/** Workspace requirements of a provider. See agent-runtime-package: workspace materialization. */
export interface WorkspaceMaterialization extends OpenFields {
  /** Working folder: `git_checkout`, `runtime_package` or `request_workspace`. */
  readonly cwd?: string | undefined;
  /** True if the workspace must be a git checkout. */
  readonly requires_git?: boolean | undefined;
  /** Files that the command may write: `workspace`, `artifacts` or `none`. */
  readonly write_scope?: string | undefined;
  /** Paths that may be created, relative to the workspace. */
  readonly artifact_paths?: readonly string[] | undefined;
}

/**
 * How a provider accepts one kind of `runtime_execution`. This field of a request describes, in a format that all
 * providers share, what to execute. See agent-runtime-package: runtime execution contracts.
 */
export interface RuntimeExecutionContract extends OpenFields {
  /**
   * Field of the runtime profile (settings for the provider in a request) that receives the converted
   * `runtime_execution`.
   */
  readonly ability_field: string;
  /** Capabilities that the provider must declare to accept this kind of `runtime_execution`. */
  readonly required_capabilities?: readonly string[] | undefined;
}

/** Secrets of a model provider. */
export interface ProviderDefault extends OpenFields {
  /**
   * Names of the environment variables that contain the secrets. All are required unless `required_secret_env` or
   * `optional_secret_env` makes them optional.
   */
  readonly secret_env?: readonly string[] | undefined;
  /** Names of the required variables. If set, all other variables are optional. */
  readonly required_secret_env?: readonly string[] | undefined;
  /** Names of optional variables, which are passed to the command if they are set. */
  readonly optional_secret_env?: readonly string[] | undefined;
}

/**
 * A command of a runtime package, which a request can select by its id. See agent-runtime-package: runtime command
 * provider boundary.
 */
export interface RuntimeCommand extends OpenFields {
  /** Program and arguments. The placeholder `{{runtime_path}}` is replaced with the package's folder. */
  readonly argv: readonly string[];
  /** Names of environment variables that a request may pass to the command. */
  readonly env_names?: readonly string[] | undefined;
  /**
   * Output format of the command. `outcome` (default): it prints an outcome document. `text`: it prints free text, and
   * its exit code determines success.
   */
  readonly emits?: string | undefined;
}

/** A provider: a command that executes tasks. See agent-runtime-package: manifest fields. */
export interface ExecutorProvider extends OpenFields {
  /** Id of the provider, prefixed with the runtime's id. */
  readonly id: string;
  /** Name of the backend. Requests select the provider by this name. */
  readonly backend: string;
  /** Schema id: `homeboy/agent-task-executor-provider/v1`. */
  readonly schema?: string | undefined;
  /** Label for display. */
  readonly label?: string | undefined;
  /** Command as one string. */
  readonly command?: string | undefined;
  /** The command as arguments. */
  readonly invocation?: CommandInvocation | undefined;
  /** Short form of `invocation`. */
  readonly command_argv?: readonly string[] | undefined;
  /** Schema id of the requests that the provider accepts. */
  readonly request_schema?: string | undefined;
  /** Schema id of the outcomes that the provider returns. */
  readonly outcome_schema?: string | undefined;
  /** Dotted paths of the fields that a request must have. */
  readonly request_required_fields?: readonly string[] | undefined;
  /** Outcome statuses that the provider may return. */
  readonly outcome_statuses?: readonly string[] | undefined;
  /** Failure classifications that the provider may return. */
  readonly failure_classifications?: readonly string[] | undefined;
  /** Metadata keys that contain secrets. */
  readonly redacted_metadata_keys?: readonly string[] | undefined;
  /** Capabilities that the provider has for every request. */
  readonly capabilities?: readonly string[] | undefined;
  /** Readiness checks before a dispatch. */
  readonly runner_readiness?: readonly ReadinessCheck[] | undefined;
  /** Names that the provider uses instead of the shared names. */
  readonly role_aliases?: RoleAliases | undefined;
  /** Workspace requirements. */
  readonly workspace_materialization?: WorkspaceMaterialization | undefined;
  /** Secrets by name. */
  readonly secret_requirements?: readonly SecretRequirement[] | undefined;
  /** Secrets that are required only for certain requests. */
  readonly secret_env_requirements?: readonly SecretEnvRequirement[] | undefined;
  /** Additional secrets per model provider. */
  readonly provider_defaults?: Readonly<Record<string, ProviderDefault>> | undefined;
  /** Diagnostics that the provider may return. */
  readonly diagnostics?: OpenFields | undefined;
  /** Lifecycle status: `active`, `experimental` or `deprecated`. */
  readonly status?: string | undefined;
  /** Name of an additional contract that the provider implements. */
  readonly integration_contract?: string | undefined;
  /** How the provider accepts each kind of `runtime_execution`, by kind. */
  readonly runtime_execution_contracts?: Readonly<Record<string, RuntimeExecutionContract>> | undefined;
  /** Additional commands by id, which requests can select. */
  readonly runtime_commands?: Readonly<Record<string, RuntimeCommand>> | undefined;
}

/** Manifest of a runtime package. See agent-runtime-package: manifest fields. */
export interface RuntimeManifest extends OpenFields {
  /** Schema id: `homeboy/agent-runtime-manifest/v1`. */
  readonly schema: string;
  /** Id of the package. */
  readonly id: string;
  /** Name for display. */
  readonly name?: string | undefined;
  /** Version of the package's contract. */
  readonly version?: string | undefined;
  /** Description, in one sentence. */
  readonly description?: string | undefined;
  /** Providers of the package. */
  readonly agent_task_executors: readonly ExecutorProvider[];
}
