import type { OpenFields } from "../task/task-request.ts";

/** A command as its arguments. */
export interface CommandInvocation extends OpenFields {
  /** The program and its arguments; `{{runtime_path}}` stands for the package's folder. */
  readonly argv: readonly string[];
  /** Names of variables of the host that the command sees. */
  readonly env_allowlist?: readonly string[] | undefined;
  /** Variables that the command gets. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** A secret that a provider may need, by name. agent-runtime-package: secret requirements. */
export interface SecretRequirement extends OpenFields {
  /** Name of the secret. */
  readonly name: string;
  /** Variable or variables that hold it. Default: the name. */
  readonly env?: string | readonly string[] | undefined;
  /** Whether nothing runs without it; true by default. */
  readonly required?: boolean | undefined;
  /** What it is for. */
  readonly purpose?: string | undefined;
}

/** A condition on a value of the request. */
export interface SecretCondition extends OpenFields {
  /** Dotted path of the value. */
  readonly path: string;
  /** What it must be; anything that is set by default. */
  readonly equals?: unknown;
}

/** Secrets that are needed when the request says so. agent-runtime-package: secret requirements. */
export interface SecretEnvRequirement extends OpenFields {
  /** Names of the variables. */
  readonly env: string | readonly string[];
  /** When they are needed; always by default. */
  readonly when?:
    | {
        readonly any?: readonly SecretCondition[] | undefined;
        readonly all?: readonly SecretCondition[] | undefined;
      }
    | undefined;
}

/** Something that must be there before a dispatch. agent-runtime-package: runner_readiness. */
export interface ReadinessCheck extends OpenFields {
  /** Id of the check. */
  readonly id: string;
  /** What people call it. */
  readonly label: string;
  /** Variables that must be set. */
  readonly secret_env?: readonly string[] | undefined;
  /** A variable with the path of something that must exist. */
  readonly env_path?: ({ readonly env: string } & OpenFields) | undefined;
  /** A program that must be found. */
  readonly executable?:
    | ({
        readonly env?: readonly string[] | undefined;
        readonly candidates?: readonly string[] | undefined;
        readonly version_command?: readonly string[] | undefined;
        readonly install_hint?: string | undefined;
      } & OpenFields)
    | undefined;
  /** A command of the package that says whether it is ready. */
  readonly invocation?: CommandInvocation | undefined;
  /** What to do when it is not. */
  readonly remediation?: string | undefined;
}

/** Native names of a role, for each role. */
export type RoleNames = Readonly<Record<string, readonly string[]>>;

/** From native names to those that every backend shares. agent-runtime-package: role_aliases. */
export interface RoleAliases extends OpenFields {
  /** By kind of artifact. */
  readonly artifact_kinds?: RoleNames | undefined;
  /** By name of file. */
  readonly artifact_filenames?: RoleNames | undefined;
  /** By native role. */
  readonly artifact_roles?: RoleNames | undefined;
  /** Of outputs. */
  readonly outputs?: RoleNames | undefined;
  /** Of metadata. */
  readonly metadata?: RoleNames | undefined;
}

/** What a provider expects of its workspace. agent-runtime-package: workspace materialization. */
export interface WorkspaceMaterialization extends OpenFields {
  /** `git_checkout`, `runtime_package` or `request_workspace`. */
  readonly cwd?: string | undefined;
  /** Whether the workspace must be a git checkout. */
  readonly requires_git?: boolean | undefined;
  /** `workspace`, `artifacts` or `none`. */
  readonly write_scope?: string | undefined;
  /** Paths that may be made, relative to the workspace. */
  readonly artifact_paths?: readonly string[] | undefined;
}

/** How a generic kind of descriptor reaches a provider. agent-runtime-package: runtime execution contracts. */
export interface RuntimeExecutionContract extends OpenFields {
  /** Field of the runtime profile. */
  readonly ability_field: string;
  /** What the provider must be capable of. */
  readonly required_capabilities?: readonly string[] | undefined;
}

/** Names of the secrets of a model provider. */
export interface ProviderDefault extends OpenFields {
  /** Names of the variables. Required, unless one of the lists below says otherwise. */
  readonly secret_env?: readonly string[] | undefined;
  /** Names without which no task runs; the others are optional then. */
  readonly required_secret_env?: readonly string[] | undefined;
  /** Names of variables that are passed on when they are set. */
  readonly optional_secret_env?: readonly string[] | undefined;
}

/** A command of a package that requests select by its id. agent-runtime-package: runtime command provider boundary. */
export interface RuntimeCommand extends OpenFields {
  /** The program and its arguments; `{{runtime_path}}` stands for the package's folder. */
  readonly argv: readonly string[];
  /** Names of variables that a request may have it read. */
  readonly env_names?: readonly string[] | undefined;
  /** `outcome`: it prints an outcome, by default; `text`: it prints anything, and its exit code decides. */
  readonly emits?: string | undefined;
}

/** A command that executes tasks. agent-runtime-package: manifest fields. */
export interface ExecutorProvider extends OpenFields {
  /** Id, namespaced by the runtime's. */
  readonly id: string;
  /** By which requests select it. */
  readonly backend: string;
  /** `homeboy/agent-task-executor-provider/v1`. */
  readonly schema?: string | undefined;
  /** What people call it. */
  readonly label?: string | undefined;
  /** The command as one text. */
  readonly command?: string | undefined;
  /** The command as arguments. */
  readonly invocation?: CommandInvocation | undefined;
  /** The command as arguments, in short. */
  readonly command_argv?: readonly string[] | undefined;
  /** Schema of its requests. */
  readonly request_schema?: string | undefined;
  /** Schema of its outcomes. */
  readonly outcome_schema?: string | undefined;
  /** Paths that a request must have. */
  readonly request_required_fields?: readonly string[] | undefined;
  /** Statuses it may give. */
  readonly outcome_statuses?: readonly string[] | undefined;
  /** Failures it may name. */
  readonly failure_classifications?: readonly string[] | undefined;
  /** Keys of metadata that hold secrets. */
  readonly redacted_metadata_keys?: readonly string[] | undefined;
  /** What it can do for every request. */
  readonly capabilities?: readonly string[] | undefined;
  /** What must be there before a dispatch. */
  readonly runner_readiness?: readonly ReadinessCheck[] | undefined;
  /** Its own names of roles. */
  readonly role_aliases?: RoleAliases | undefined;
  /** What it expects of its workspace. */
  readonly workspace_materialization?: WorkspaceMaterialization | undefined;
  /** Secrets by name. */
  readonly secret_requirements?: readonly SecretRequirement[] | undefined;
  /** Secrets that depend on the request. */
  readonly secret_env_requirements?: readonly SecretEnvRequirement[] | undefined;
  /** What it adds for each provider of models. */
  readonly provider_defaults?: Readonly<Record<string, ProviderDefault>> | undefined;
  /** Diagnostics it gives. */
  readonly diagnostics?: OpenFields | undefined;
  /** `active`, `experimental` or `deprecated`. */
  readonly status?: string | undefined;
  /** Contract that it serves beyond this one. */
  readonly integration_contract?: string | undefined;
  /** How it takes generic descriptors, by kind. */
  readonly runtime_execution_contracts?: Readonly<Record<string, RuntimeExecutionContract>> | undefined;
  /** Further commands by id, for requests that select one. */
  readonly runtime_commands?: Readonly<Record<string, RuntimeCommand>> | undefined;
}

/** What a runtime package says about itself. agent-runtime-package: manifest fields. */
export interface RuntimeManifest extends OpenFields {
  /** `homeboy/agent-runtime-manifest/v1`. */
  readonly schema: string;
  /** Id of the package. */
  readonly id: string;
  /** What people call it. */
  readonly name?: string | undefined;
  /** Version of its contract. */
  readonly version?: string | undefined;
  /** One sentence. */
  readonly description?: string | undefined;
  /** Its providers. */
  readonly agent_task_executors: readonly ExecutorProvider[];
}
