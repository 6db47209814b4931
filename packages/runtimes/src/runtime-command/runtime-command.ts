import { EngineError } from "@switchyard/contracts";
import { z } from "zod";
import type { RuntimePackage } from "../discovery/runtime-package.ts";
import { describeIssues } from "../json/describe-issues.ts";
import type { ExecutorProvider, RuntimeCommand } from "../manifest/runtime-manifest.ts";
import { missingCapabilities } from "../selection/runtime-registry.ts";
import type { ArtifactDeclaration, OpenFields, TaskLimits, TaskRequest, TaskWorkspace } from "../task/task-request.ts";
import {
  artifactDeclarationSchema,
  openFieldsSchema,
  taskLimitsSchema,
  taskWorkspaceSchema,
} from "../task/task-schemas.ts";

/**
 * Request to run one of the additional commands of a runtime package. See agent-runtime-package: runtime command
 * provider boundary.
 */
export interface RuntimeCommandRequest extends OpenFields {
  /** Id of the runtime package, or an object with its id and manifest version. */
  readonly runtime_package: string | (OpenFields & { readonly id: string; readonly version?: string | undefined });
  /** Id of the command. */
  readonly command_id: string;
  /**
   * Arguments of the command. The command reads them from the request document; they are never part of a command line.
   */
  readonly args?: OpenFields | readonly unknown[] | undefined;
  /** Names of environment variables to pass to the command. The command must declare each of them. */
  readonly env_names?: readonly string[] | undefined;
  /** Data for preparing the runtime. Only the package interprets it. */
  readonly recipe?: OpenFields | undefined;
  /** Workspace that replaces the workspace of the task request. */
  readonly workspace?: TaskWorkspace | undefined;
  /** Limits that replace the limits of the task request. */
  readonly limits?: TaskLimits | undefined;
  /** Files that the command must create, in addition to those of the task request. */
  readonly artifacts?: readonly ArtifactDeclaration[] | undefined;
}

const name = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/u, "it is not the name of an environment variable");

const schema: z.ZodType<RuntimeCommandRequest> = z.looseObject({
  runtime_package: z.union([z.string(), z.looseObject({ id: z.string(), version: z.string().optional() })]),
  command_id: z.string().min(1),
  args: z.union([z.array(z.unknown()).readonly(), openFieldsSchema]).optional(),
  env_names: z.array(name).readonly().optional(),
  recipe: openFieldsSchema.optional(),
  workspace: taskWorkspaceSchema.optional(),
  limits: taskLimitsSchema.optional(),
  artifacts: z.array(artifactDeclarationSchema).readonly().optional(),
});

/** Capability that a provider must declare to run additional commands. */
const CAPABILITY = "runtime_command_execution";

/** The selected command, and the request as changed for it. */
export interface SelectedCommand {
  /** Request that contains the command's workspace, limits and artifacts. */
  readonly request: TaskRequest;
  /** Command as declared by its runtime package. */
  readonly command: RuntimeCommand;
}

function invalid(problem: string): EngineError {
  return new EngineError("runtime.request_invalid", { problem, problems: [problem] });
}

/**
 * Returns the command that a request selects with `runtime_command`; `undefined` if it selects none. Throws
 * `runtime.request_invalid` or `runtime.capability_missing`. See agent-runtime-package: runtime command provider
 * boundary.
 */
export function selectRuntimeCommand(
  request: TaskRequest,
  runtime: RuntimePackage,
  provider: ExecutorProvider,
): SelectedCommand | undefined {
  if (request["runtime_command"] === undefined) return undefined;
  const parsed = schema.safeParse(request["runtime_command"], { reportInput: true });
  if (!parsed.success) {
    const problems = describeIssues(parsed.error.issues).map((problem) => `runtime_command.${problem}`);
    throw new EngineError("runtime.request_invalid", { problem: problems.join("; "), problems });
  }
  if (missingCapabilities(provider, [CAPABILITY]).length > 0) {
    throw new EngineError("runtime.capability_missing", { runtime: provider.id, capability: [CAPABILITY] });
  }
  const commandRequest = parsed.data;
  assertPackage(commandRequest, runtime);
  const { runtime_commands: commands = {} } = provider;
  const { command_id: id, env_names: names = [] } = commandRequest;
  const command = Object.hasOwn(commands, id) ? commands[id] : undefined;
  if (command === undefined) {
    throw invalid(
      `runtime_command.command_id is ${id}, and ${provider.id} has ${Object.keys(commands).join(", ") || "none"}`,
    );
  }
  const undeclared = names.filter((one) => !(command.env_names ?? []).includes(one));
  if (undeclared.length > 0)
    throw invalid(`runtime_command.env_names: ${undeclared.join(", ")} is not declared for ${id}`);
  return { request: withCommand(request, commandRequest), command };
}

function assertPackage({ runtime_package: request }: RuntimeCommandRequest, { id, manifest }: RuntimePackage): void {
  const wanted = typeof request === "string" ? { id: request, version: undefined } : request;
  if (wanted.id !== id) throw invalid(`runtime_command.runtime_package is ${wanted.id}, and the selected one ${id}`);
  if (wanted.version === undefined || wanted.version === manifest.version) return;
  throw invalid(
    `runtime_command.runtime_package is version ${wanted.version}, and there is ${manifest.version ?? "none"}`,
  );
}

function withCommand(request: TaskRequest, commandRequest: RuntimeCommandRequest): TaskRequest {
  const { workspace, limits, artifacts = [], env_names: names = [] } = commandRequest;
  const { secret_env: secrets = [] } = request.executor;
  return {
    ...request,
    executor: { ...request.executor, secret_env: [...new Set([...secrets, ...names])] },
    ...(workspace === undefined ? {} : { workspace: { ...request.workspace, ...workspace } }),
    ...(limits === undefined ? {} : { limits: { ...request.limits, ...limits } }),
    ...(artifacts.length === 0
      ? {}
      : { artifact_declarations: [...(request.artifact_declarations ?? []), ...artifacts] }),
  };
}
