import { z } from "zod";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import { openFieldsSchema } from "../task/task-schemas.ts";
import type {
  CommandInvocation,
  ExecutorProvider,
  ProviderDefault,
  ReadinessCheck,
  RoleAliases,
  RuntimeCommand,
  RuntimeExecutionContract,
  RuntimeManifest,
  SecretEnvRequirement,
  SecretRequirement,
  WorkspaceMaterialization,
} from "./runtime-manifest.ts";

const text = z.string().refine((value) => value.trim() !== "", "it is blank");
const texts = z.array(z.string()).readonly();
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/u, "it is not the name of an environment variable");
const variables = z.array(variable).readonly();

const invocation: z.ZodType<CommandInvocation> = z.looseObject({
  argv: z.array(text).min(1).readonly(),
  env_allowlist: variables.optional(),
  env: z.record(variable, z.string()).optional(),
});

const secretRequirement: z.ZodType<SecretRequirement> = z.looseObject({
  name: variable,
  env: z.union([variable, variables]).optional(),
  required: z.boolean().optional(),
  purpose: z.string().optional(),
  value: z.never("secrets are declared by name, never by value").optional(),
});

const conditions = z
  .array(z.looseObject({ path: text, equals: z.unknown().optional() }))
  .readonly()
  .optional();

const secretEnvRequirement: z.ZodType<SecretEnvRequirement> = z.looseObject({
  env: z.union([variable, variables], "it must be a name of an environment variable, or a list of them"),
  when: z.looseObject({ any: conditions, all: conditions }).optional(),
});

const readinessCheck: z.ZodType<ReadinessCheck> = z.looseObject({
  id: text,
  label: text,
  secret_env: variables.optional(),
  env_path: z.looseObject({ env: variable }).optional(),
  executable: z
    .looseObject({
      env: variables.optional(),
      candidates: texts.optional(),
      version_command: texts.optional(),
      install_hint: z.string().optional(),
    })
    .optional(),
  invocation: invocation.optional(),
  remediation: z.string().optional(),
});

const roleNames = z.record(z.string(), texts).optional();

const roleAliases: z.ZodType<RoleAliases> = z.looseObject({
  artifact_kinds: roleNames,
  artifact_filenames: roleNames,
  artifact_roles: roleNames,
  outputs: roleNames,
  metadata: roleNames,
});

const confinedPath = z.string().refine((path) => {
  const steps = path.split(/[\\/]/u);
  return path !== "" && !/^(?:[\\/]|[A-Za-z]:)/u.test(path) && !steps.includes("..");
}, "it must be a path inside of the workspace");

const materialization: z.ZodType<WorkspaceMaterialization> = z.looseObject({
  cwd: z.string().optional(),
  requires_git: z.boolean().optional(),
  write_scope: z.string().optional(),
  artifact_paths: z.array(confinedPath).readonly().optional(),
});

const executionContract: z.ZodType<RuntimeExecutionContract> = z.looseObject({
  ability_field: text,
  required_capabilities: texts.optional(),
});

const runtimeCommand: z.ZodType<RuntimeCommand> = z.looseObject({
  argv: z.array(text).min(1).readonly(),
  env_names: variables.optional(),
  emits: z.enum(["outcome", "text"]).optional(),
});

const providerDefault: z.ZodType<ProviderDefault> = z.looseObject({
  secret_env: variables.optional(),
  required_secret_env: variables.optional(),
  optional_secret_env: variables.optional(),
});

const provider: z.ZodType<ExecutorProvider> = z
  .looseObject({
    id: text,
    backend: text,
    schema: z.literal(SCHEMA_IDS.executor_provider).optional(),
    label: z.string().optional(),
    command: z.string().optional(),
    invocation: invocation.optional(),
    command_argv: z.array(text).min(1).readonly().optional(),
    request_schema: z.literal(SCHEMA_IDS.task_request).optional(),
    outcome_schema: z.literal(SCHEMA_IDS.task_outcome).optional(),
    request_required_fields: texts.optional(),
    outcome_statuses: texts.optional(),
    failure_classifications: texts.optional(),
    redacted_metadata_keys: texts.optional(),
    capabilities: texts.optional(),
    runner_readiness: z.array(readinessCheck).readonly().optional(),
    role_aliases: roleAliases.optional(),
    workspace_materialization: materialization.optional(),
    secret_requirements: z.array(secretRequirement).readonly().optional(),
    secret_env_requirements: z.array(secretEnvRequirement).readonly().optional(),
    provider_defaults: z.record(z.string(), providerDefault).optional(),
    diagnostics: openFieldsSchema.optional(),
    status: z.string().optional(),
    integration_contract: z.string().optional(),
    runtime_execution_contracts: z.record(z.string(), executionContract).optional(),
    runtime_commands: z.record(z.string(), runtimeCommand).optional(),
  })
  .refine(
    ({ command = "", invocation: call, command_argv: argv }) =>
      command.trim() !== "" || call !== undefined || argv !== undefined,
    "it has neither a command nor an argv",
  );

/**
 * Schema of a manifest for the validation level `load`; unknown fields are preserved. See agent-runtime-package:
 * manifest fields.
 */
export const runtimeManifestSchema: z.ZodType<RuntimeManifest> = z.looseObject({
  schema: z.literal(SCHEMA_IDS.runtime_manifest),
  id: text,
  name: z.string().optional(),
  version: z.string().optional(),
  description: z.string().optional(),
  agent_task_executors: z.array(provider).min(1).readonly(),
});

/** Fields that a manifest must have at the validation level `strict`. */
export const STRICT_ROOT_FIELDS = ["name", "version", "description"] as const;

/** Fields that a provider must have at the validation level `strict`. */
export const STRICT_PROVIDER_FIELDS = [
  "schema",
  "label",
  "command",
  "request_schema",
  "outcome_schema",
  "request_required_fields",
  "outcome_statuses",
  "failure_classifications",
  "redacted_metadata_keys",
  "capabilities",
  "runner_readiness",
  "role_aliases",
  "workspace_materialization",
  "secret_requirements",
  "secret_env_requirements",
  "provider_defaults",
  "diagnostics",
  "status",
  "integration_contract",
] as const;
