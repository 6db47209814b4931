import type { ApprovalPolicy } from "@switchyard/agent";
import { EngineError, type StoredRun } from "@switchyard/contracts";
import type { EnvironmentConfig } from "@switchyard/environment";
import { findMismatch } from "@switchyard/llm/cassette";
import type { McpServers } from "@switchyard/mcp";
import {
  AGENT_ENGINE,
  type AgentReplay,
  type AgentSkillsConfig,
  type EngineReplay,
  openAgentEngine,
  type RunReplay,
  secretsFromEnv,
} from "@switchyard/runner";
import { createMasker } from "@switchyard/secrets";
import {
  environmentConfigOf,
  fromSettings,
  hostWorkspaceOf,
  isOfThisMachine,
  PLAN_INSTRUCTIONS,
  ProjectCode,
  type RunSettings,
  readMcpConfig,
} from "@switchyard/settings";
import { readEngineFile } from "../engine/engine-file.ts";
import type { EngineHost } from "../engine/engine-host.ts";
import { openEngine } from "../engine/open-engine.ts";
import type { OpenedEngine } from "../engine/opened-engine.ts";
import { webSearchOf } from "../engine/web-search.ts";

/** Options for {@link openReplayEngine}. */
export interface ReplayEngineOptions {
  /** Stored run. */
  readonly run: StoredRun;
  /** Recording of the run. */
  readonly replay: RunReplay;
  /** Folder that the replay works in, and may change. */
  readonly workspace: string;
  /** Folder that stores runs. Sandboxes hide it from commands. */
  readonly stateDirectory: string;
  /** Approval policy for tool calls. `undefined` if every call runs without approval. */
  readonly approval?: ApprovalPolicy | undefined;
  /** Folders in which the agent finds skills and commands. */
  readonly skills?: AgentSkillsConfig | undefined;
}

/** Engine of a stored run, opened to run again with the recorded model responses. */
export interface ReplayEngine extends AsyncDisposable {
  /** Engine and environment, as options of `startSession`. */
  readonly session: Pick<OpenedEngine, "engine" | "engineName" | "secrets"> & {
    readonly environment: EnvironmentConfig;
  };
  /**
   * Returns the first difference between the requests of the finished session and the recording. `undefined` if there
   * is none.
   */
  findMismatch(): EngineError | undefined;
}

/**
 * Placeholder API keys for search services. A replay takes search results from the recording, so no real key is needed.
 */
const NO_KEYS = { BRAVE_API_KEY: "none", TAVILY_API_KEY: "none" };

/**
 * Opens the engine of a stored run with the settings of the run and the recorded model responses. The built-in agent
 * works in the folder itself, other engines in an environment like that of the run. Rejects with `run.not_replayable`
 * if the engine would call models without the recording, or if its environment has no files of this machine.
 */
export async function openReplayEngine(host: EngineHost, options: ReplayEngineOptions): Promise<ReplayEngine> {
  const { replay } = options;
  return replay.kind === "agent"
    ? await openAgentReplay(host, replay, options)
    : await openOther(host, replay, options);
}

async function openAgentReplay(
  host: EngineHost,
  { request, createClient }: AgentReplay,
  { run, workspace, approval, skills }: ReplayEngineOptions,
): Promise<ReplayEngine> {
  const { env } = host;
  const settings = fromSettings(request);
  const secrets = secretsFromEnv(env);
  const client = createClient({ workspace, masker: createMasker(secrets) });
  const model = request.input.model ?? run.record?.model;
  const engine = await openAgentEngine({
    ...{ client, model, approval, retry: false, env: {}, web: settings.web, askUser: settings.askUser },
    webSearch: webSearchOf({ env: { ...NO_KEYS, ...env } }, settings.webSearch),
    ...{ reasoningEffort: settings.reasoningEffort, profile: { toolNames: settings.toolNames } },
    ...{ mcpServers: await serversOf(host, settings), skills },
    instructions: settings.mode === "plan" ? PLAN_INSTRUCTIONS : undefined,
  });
  const environment: EnvironmentConfig = { type: "local", root: workspace, env };
  return {
    ...{ session: { engine, engineName: AGENT_ENGINE, secrets, environment } },
    ...{ findMismatch: () => findMismatch(client), [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose]() },
  };
}

/** Opens an engine that calls models through the model gateway. */
async function openOther(
  host: EngineHost,
  { request, engine, createModelAccess }: EngineReplay,
  { run, workspace, stateDirectory, approval, skills }: ReplayEngineOptions,
): Promise<ReplayEngine> {
  const settings = fromSettings(request, run.record);
  const { environment: selection = {}, engineFile: file } = settings;
  if (!isOfThisMachine(selection.env ?? "local")) {
    throw notReplayable(run, `the files of its environment, ${selection.env}, are not on this machine.`);
  }
  const access = createModelAccess({ workspace });
  const isTrusted = settings.trustWorkspace === true;
  const code = new ProjectCode({ digest: settings.projectCode });
  const opened = await openEngine(host, {
    ...{ ...settings, engine, model: request.input.model ?? run.record?.model, approval, skills, code },
    ...{ engineDocument: file === undefined ? undefined : (await readEngineFile(host, file)).document },
    ...{ mcpServers: await serversOf(host, settings), openModelAccess: access.open },
    trustedProject: isTrusted ? hostWorkspaceOf(run) : undefined,
  });
  if (opened.modelAccess !== "gateway") throw notReplayable(run, "its engine would call models without the recording.");
  const { engineName, secrets } = opened;
  const environment = environmentConfigOf(selection, workspace, { env: host.env, stateDirectory });
  return {
    ...{ session: { engine: code.bind(opened).engine, engineName, secrets, environment } },
    ...{ findMismatch: () => findMismatch(access), [Symbol.asyncDispose]: async () => undefined },
  };
}

async function serversOf(host: EngineHost, { mcpConfig }: RunSettings): Promise<McpServers | undefined> {
  return mcpConfig === undefined ? undefined : (await readMcpConfig(host, mcpConfig)).servers;
}

function notReplayable({ runId }: StoredRun, problem: string): EngineError {
  return new EngineError("run.not_replayable", { runId, problem });
}
