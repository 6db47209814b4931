import type { RunRecord, RunRequest, StoredRun } from "@switchyard/contracts";
import type { EnvironmentSelection } from "../environment/environment-selection.ts";
import { type ApprovalChoice, fromStoredChoice, toStoredChoice } from "../permissions/approval-choice.ts";
import { isPermissionMode, type PermissionMode } from "../permissions/permission-mode.ts";
import { type FileReference, isFileReference } from "./file-reference.ts";
import { fromStoredEnvironment, hasPersistentFiles, toStoredEnvironment } from "./stored-environment.ts";
import type { ToolNames } from "./tool-names.ts";

/** The stored setting `mcp_wait` is in seconds. */
const SECOND_MS = 1_000;

/** Settings that are stored with a run, so that the run can be resumed. API keys are not stored. */
export interface RunSettings {
  /** Fallback models, in the order in which they are tried. */
  fallbackModels?: readonly string[] | undefined;
  /**
   * The only models that the engine may call through the model gateway: `provider/name`, where a trailing `*` stands for
   * any ending.
   */
  allowedModels?: readonly string[] | undefined;
  /** Base URL of the model's API. */
  baseUrl?: string | undefined;
  /** Whether engines call models directly, with the API key, rather than through the model gateway. */
  direct?: boolean | undefined;
  /** Reasoning effort of the model. */
  reasoningEffort?: string | undefined;
  /** Whether the agent may fetch pages of the public web. */
  web?: boolean | undefined;
  /** Web search backend of the agent. The backend's API key comes from an environment variable. */
  webSearch?: string | undefined;
  /** Naming scheme for the model's tools. */
  toolNames?: ToolNames | undefined;
  /** Maximum time that a run waits for its MCP servers before it starts, in milliseconds. Default: 30,000. */
  mcpStartWaitMs?: number | undefined;
  /** Permission mode. */
  mode?: PermissionMode | undefined;
  /** Whether engines from packages of the workspace may be used. */
  trustWorkspace?: boolean | undefined;
  /** Digest of the workspace's code that implements the engine. */
  projectCode?: string | undefined;
  /** Reference to the configuration file of the run's MCP servers. */
  mcpConfig?: FileReference | undefined;
  /** Reference to the run's engine configuration file. */
  engineFile?: FileReference | undefined;
  /** The user's choice of which tool calls run without approval and which need approval. */
  approvalChoice?: ApprovalChoice | undefined;
  /** Whether the agent may ask questions. */
  askUser?: boolean | undefined;
  /** The run's environment. Default: this machine. */
  environment?: EnvironmentSelection | undefined;
  /** Folder from which the run's worktree was created. `undefined` without a worktree. */
  worktreeOf?: string | undefined;
  /** Id of the run that this run was forked from. */
  forkedFrom?: string | undefined;
  /** Whether the model exists only while the run's process runs, as with the recorded model of the demo. */
  isDemo?: boolean | undefined;
}

/** Converts the settings to the form that is stored with the run. */
export function toSettings(settings: RunSettings): Record<string, unknown> {
  const { baseUrl, reasoningEffort, web, toolNames, mcpConfig, engineFile, isDemo, askUser, mode } = settings;
  const environment = toStoredEnvironment(settings.environment);
  const approval = toStoredChoice(settings.approvalChoice ?? {});
  return {
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    ...(settings.fallbackModels === undefined ? {} : { fallback_models: [...settings.fallbackModels] }),
    ...(settings.allowedModels === undefined ? {} : { allow_models: [...settings.allowedModels] }),
    ...(reasoningEffort === undefined ? {} : { reasoning_effort: reasoningEffort }),
    ...(settings.direct === true ? { direct: true } : {}),
    ...(web === true ? { web: true } : {}),
    ...(settings.webSearch === undefined ? {} : { web_search: settings.webSearch }),
    ...(settings.trustWorkspace === true ? { trust_workspace: true } : {}),
    ...(settings.projectCode === undefined ? {} : { project_code: settings.projectCode }),
    ...(toolNames === undefined ? {} : { tool_names: toolNames }),
    ...(mcpConfig === undefined ? {} : { mcp_config: { ...mcpConfig } }),
    ...(settings.mcpStartWaitMs === undefined ? {} : { mcp_wait: settings.mcpStartWaitMs / SECOND_MS }),
    ...(engineFile === undefined ? {} : { engine_file: { ...engineFile } }),
    ...(approval === undefined ? {} : { approval }),
    ...(mode === undefined ? {} : { mode }),
    ...(askUser === undefined ? {} : { ask_user: askUser }),
    ...(environment === undefined ? {} : { environment }),
    ...(settings.worktreeOf === undefined ? {} : { worktree_of: settings.worktreeOf }),
    ...(settings.forkedFrom === undefined ? {} : { forked_from: settings.forkedFrom }),
    ...(isDemo === true ? { demo: true } : {}),
  };
}

/**
 * Returns whether a run can be resumed. Its request must be stored, and its model and files must still exist after its
 * process ends.
 */
export function canBeResumed({ request }: Pick<StoredRun, "request">): boolean {
  if (request === undefined) return false;
  const { isDemo, environment } = fromSettings(request);
  return isDemo !== true && hasPersistentFiles(environment);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

/**
 * Reads the settings from a stored run request. Values in `record`, which a later resume stored, take precedence.
 * Settings that other programs stored are ignored.
 */
export function fromSettings(request: RunRequest, record?: Pick<RunRecord, "settings">): RunSettings {
  const settings: Readonly<Record<string, unknown>> = { ...request.settings, ...record?.settings };
  const { base_url: baseUrl, reasoning_effort: reasoningEffort, web, tool_names: toolNames, demo } = settings;
  const { mcp_config: mcpConfig, engine_file: engineFile, ask_user: askUser, approval, environment, mode } = settings;
  return {
    ...(typeof baseUrl === "string" ? { baseUrl } : {}),
    ...(isTexts(settings["fallback_models"]) ? { fallbackModels: settings["fallback_models"] } : {}),
    ...(isTexts(settings["allow_models"]) ? { allowedModels: settings["allow_models"] } : {}),
    ...(typeof reasoningEffort === "string" ? { reasoningEffort } : {}),
    ...(settings["direct"] === true ? { direct: true } : {}),
    ...(web === true ? { web } : {}),
    ...(typeof settings["web_search"] === "string" ? { webSearch: settings["web_search"] } : {}),
    ...(settings["trust_workspace"] === true ? { trustWorkspace: true } : {}),
    ...(typeof settings["project_code"] === "string" ? { projectCode: settings["project_code"] } : {}),
    ...(toolNames === "native" || toolNames === "specification" ? { toolNames } : {}),
    ...(isFileReference(mcpConfig) ? { mcpConfig } : {}),
    ...(typeof settings["mcp_wait"] === "number" ? { mcpStartWaitMs: settings["mcp_wait"] * SECOND_MS } : {}),
    ...(isFileReference(engineFile) ? { engineFile } : {}),
    ...(isPermissionMode(mode) ? { mode } : {}),
    ...(typeof askUser === "boolean" ? { askUser } : {}),
    ...(typeof settings["worktree_of"] === "string" ? { worktreeOf: settings["worktree_of"] } : {}),
    ...(typeof settings["forked_from"] === "string" ? { forkedFrom: settings["forked_from"] } : {}),
    approvalChoice: fromStoredChoice(approval),
    environment: fromStoredEnvironment(environment),
    isDemo: demo === true,
  };
}

/**
 * Returns the local folder that is the workspace of a run. Inside a container, the same folder has another path.
 * `undefined` if the workspace is on another machine.
 */
export function hostWorkspaceOf({ record, request }: Pick<StoredRun, "record" | "request">): string | undefined {
  const named = request === undefined ? undefined : fromSettings(request).environment?.workspace;
  const isHere = record?.environment === "local" || record?.environment === "sandbox";
  return named ?? (isHere ? record?.workspace : undefined);
}
