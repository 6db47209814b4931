import { mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { EngineError, type StoredRun } from "@switchyard/contracts";
import { webSearchOf } from "@switchyard/engine-catalog";
import { type Cassette, createReplayClient, parseCassette, type ReplayClient } from "@switchyard/llm/cassette";
import {
  AGENT_ENGINE,
  createRunId,
  openAgentEngine,
  readExactPatch,
  secretsFromEnv,
  startSession,
} from "@switchyard/runner";
import { createMasker } from "@switchyard/secrets";
import { fromSettings, hostWorkspaceOf, PLAN_INSTRUCTIONS } from "@switchyard/settings";
import { createView, neutraliseControls, plural, toPlainJson, watchSession } from "@switchyard/terminal";
import { openWorktree } from "@switchyard/workspace";
import { planPermissions } from "../approval/plan-permissions.ts";
import type { CommandContext } from "../context/command-context.ts";
import { readText } from "../input/read-json.ts";
import { readKeptMcpConfig } from "../mcp/read-mcp-config.ts";
import { exitCodeOf } from "../run/exit-code-of.ts";
import { stateDirectory } from "../run/state-directory.ts";
import { findRun } from "../runs/open-runs.ts";
import { openRunStore } from "../store/open-run-store.ts";
import { skillsFor } from "../trust/skills-for.ts";
import { createReplayNormaliser } from "./replay-normaliser.ts";
import type { ReplayOptions } from "./replay-options.ts";

/**
 * Placeholder API keys for search services. A replay takes search results from the recording, so no real key is needed.
 */
const NO_KEYS = { BRAVE_API_KEY: "none", TAVILY_API_KEY: "none" };

/** Run that is replayed, with its request and its recording. */
interface ReplayableRun {
  readonly run: StoredRun;
  readonly request: NonNullable<StoredRun["request"]>;
  readonly cassette: Cassette;
}

/**
 * Runs the agent again with the recorded model responses of a run. Resolves with 0 if every request matches the
 * recording, or with 1 at the first difference. Rejects with `run.not_replayable`, `cassette.malformed` and errors that
 * prevent the start.
 */
export async function executeReplay(context: CommandContext, id: string, options: ReplayOptions): Promise<number> {
  const store = await openRunStore(context, options);
  const replayable = await readReplayableRun(await findRun(context, store, { ...options, id, command: "replay" }));
  const scratch = await mkdtemp(join(context.temporaryDirectory, "switchyard-replay-"));
  try {
    if (options.workspace !== undefined) {
      const workspace = resolve(context.workingDirectory, options.workspace);
      return await play(context, replayable, { workspace, scratch, options });
    }
    const recorded = workspaceOf(replayable);
    const state = stateDirectory(context, options.state);
    const worktree = await openWorktree({
      env: context.env,
      workspace: recorded,
      state,
      runId: `replay-${createRunId(context.now())}`,
      scratch: join(scratch, "workspace"),
    }).catch((error: unknown) => {
      if (!EngineError.is(error, "workspace.no_worktree")) throw error;
      const reason = String(error.details["problem"]);
      const problem = `no worktree of its workspace can be created (${reason}). Give a copy of it with --workspace.`;
      throw new EngineError("run.not_replayable", { runId: replayable.run.runId, problem }, { cause: error });
    });
    try {
      // The run started without its own changes, so they are reverted in the worktree.
      // Files whose changes cannot be reverted, because they were edited or restored since, stay unchanged.
      if (worktree.leavesChanges) await worktree.revertChanges(await readExactPatch(replayable.run));
      return await play({ ...context, env: worktree.env }, replayable, {
        workspace: worktree.workspace,
        scratch,
        options,
      });
    } finally {
      await worktree.remove();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function readReplayableRun(run: StoredRun): Promise<ReplayableRun> {
  const { runId, record, request, folder } = run;
  const refuse = (problem: string, cause?: unknown): never => {
    throw new EngineError("run.not_replayable", { runId, problem }, { cause });
  };
  if (record === undefined || request === undefined) return refuse("its request was not stored.");
  if (record.engine !== AGENT_ENGINE) return refuse(`its engine is ${record.engine}.`);
  if (folder === undefined) return refuse("it has no run folder.");
  const path = join(folder, "recording.jsonl");
  const text = await readText(path, path).catch((cause: unknown) => refuse("its recording is missing.", cause));
  const cassette = parseCassette(text, { path });
  if (cassette.calls.length === 0) return refuse("its recording is empty.");
  return { run, request, cassette };
}

function workspaceOf({ run }: ReplayableRun): string {
  const workspace = hostWorkspaceOf(run);
  if (workspace !== undefined) return workspace;
  throw new EngineError("run.not_replayable", {
    runId: run.runId,
    problem: "its workspace is not on this machine. Give a copy with --workspace.",
  });
}

interface Playing {
  readonly workspace: string;
  readonly scratch: string;
  readonly options: ReplayOptions;
}

async function play(
  context: CommandContext,
  replayable: ReplayableRun,
  { workspace, scratch, options }: Playing,
): Promise<number> {
  const { request, cassette } = replayable;
  const settings = fromSettings(request);
  const { approval } = await planPermissions(context, {}, settings);
  const secrets = secretsFromEnv(context.env);
  const client = createReplayClient(cassette, {
    mode: "strict",
    masker: createMasker(secrets),
    normalise: createReplayNormaliser([request.input.workspace ?? workspace, workspace]),
  });
  const mcp = settings.mcpConfig === undefined ? undefined : await readKeptMcpConfig(context, settings.mcpConfig);
  const model = request.input.model ?? replayable.run.record?.model;
  await using engine = await openAgentEngine({
    ...{ client, model, approval, retry: false, env: {}, web: settings.web, askUser: settings.askUser },
    webSearch: webSearchOf({ env: { ...NO_KEYS, ...context.env } }, settings.webSearch),
    ...{ reasoningEffort: settings.reasoningEffort, profile: { naming: settings.toolNames } },
    ...{ mcpServers: mcp?.servers, skills: await skillsFor(context, { workspace }) },
    instructions: settings.mode === "plan" ? PLAN_INSTRUCTIONS : undefined,
  });
  const input = { ...request.input, workspace };
  const start = (signal: AbortSignal) =>
    startSession(input, {
      ...{ engine, engineName: AGENT_ENGINE, secrets, signal, stateDirectory: scratch, workspaceDiff: false },
      environment: { type: "local", root: workspace, env: context.env },
      userPrompter: { askUser: () => Promise.reject(new EngineError("prompt.unavailable")) },
    });
  const openView = () => createView(context, options.json === true ? "nothing" : "people");
  const report = await watchSession(context, start, { openView });
  if (report.status === "interrupted" || report.status === "cancelled") return exitCodeOf(report);
  return print(context, { runId: replayable.run.runId, client, calls: cassette.calls.length, options });
}

interface Finding {
  readonly runId: string;
  readonly client: ReplayClient;
  readonly calls: number;
  readonly options: ReplayOptions;
}

function print({ stdout }: CommandContext, { runId, client, calls, options }: Finding): number {
  const difference = differenceOf(client);
  if (options.json === true) {
    const found =
      difference === undefined ? {} : { difference: { ...difference.details, message: difference.message } };
    stdout.write(`${toPlainJson({ run_id: runId, same: difference === undefined, calls, ...found })}\n`);
  } else if (difference === undefined) {
    stdout.write(`\nNo difference: ${plural(calls, "model call")} match the recording.\n`);
  } else stdout.write(`\nDifference: ${neutraliseControls(difference.message)}\n`);
  return difference === undefined ? 0 : 1;
}

function differenceOf(client: ReplayClient): EngineError | undefined {
  try {
    client.assertFinished();
    return undefined;
  } catch (error) {
    if (EngineError.is(error)) return error;
    throw error;
  }
}
