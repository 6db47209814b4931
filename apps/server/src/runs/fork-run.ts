import { existsSync } from "node:fs";
import type { ForkRun, RunCluster } from "@switchyard/contracts";
import { EngineError, type RunRecord, type SessionInput, type SessionMessage } from "@switchyard/contracts";
import { createRunId } from "@switchyard/runner";
import { patchOnBroker } from "../cluster/outcome-files.ts";
import { uploadedFiles } from "../cluster/run-upload.ts";
import type { Caller } from "../guard/caller.ts";
import { toDiskFailure } from "../run/disk-failure.ts";
import { type RunWorkspace, stageRunWorkspace } from "../run/run-workspace.ts";
import { assertNoWebhook, type NewRun, STAGING_PREFIX, storeRun } from "./accept-run.ts";
import type { FoundRun } from "./find-run.ts";
import type { RunsParts } from "./runs-parts.ts";
import { serverSettingsOf } from "./server-settings.ts";

/**
 * Creates a new run from an inactive run: with the conversation, additional messages, and a copy of the workspace. The
 * new run does not depend on the old one. Rejects with `server.run_at_work` if the old run is active, and with
 * `run.not_resumable` if the workspace no longer exists. Also rejects with the errors of `storeRun`.
 */
export async function forkRun(
  { stored, record }: FoundRun,
  { caller, body }: { caller: Caller; body: ForkRun },
  parts: RunsParts,
): Promise<RunRecord> {
  const { run_id: runId } = record;
  const { options, dispatcher } = parts;
  assertNoWebhook(body, parts);
  parts.webhooks?.assertUrl(body.webhook_url);
  if (dispatcher.find(runId) !== undefined || stored.lease?.isHeld === true) {
    throw new EngineError("server.run_at_work", { runId });
  }
  const settings = serverSettingsOf(stored.request);
  const { request } = stored;
  if (settings === undefined || request === undefined) throw workspaceMissing(runId);
  const staging = stageRunWorkspace(`${STAGING_PREFIX}${createRunId((options.now ?? Date.now)())}`, options);
  try {
    const inherited =
      options.cluster === undefined
        ? await copyWorkspace(runId, settings.workspace, staging)
        : await inheritOnWorkers({ stored, record }, staging, options.cluster);
    const { session_id: _, ...input } = request.input;
    const forked: SessionInput = {
      ...input,
      messages: [...conversationOf(stored), ...(body.messages ?? [])],
      ...(body.model === undefined ? {} : { model: body.model }),
    };
    const newId = createRunId((options.now ?? Date.now)());
    const run = { runId: newId, owner: caller.owner, input: forked, webhookUrl: body.webhook_url };
    return await storeRun({ ...run, ...inherited, parentRunId: runId }, parts);
  } finally {
    await staging.remove();
  }
}

/** Workspace of a forked run, with the engine, worker requirements and initial changes that go with it. */
type Inherited = Pick<NewRun, "workspace" | "target" | "startPatch">;

async function copyWorkspace(runId: string, source: string, staging: RunWorkspace): Promise<Inherited> {
  await staging.copyFrom(source).catch((cause: unknown) => {
    throw existsSync(source) ? toDiskFailure(cause, staging.path) : workspaceMissing(runId, cause);
  });
  return { workspace: staging };
}

/**
 * Returns what a worker needs to create the workspace of a forked run: the uploaded files, commit or folder of the old
 * run, and the changes that the old run made. If the old run used a folder of a worker, the folder already contains its
 * changes, so the returned patch is empty.
 */
async function inheritOnWorkers(
  { stored, record }: FoundRun,
  staging: RunWorkspace,
  cluster: RunCluster,
): Promise<Inherited> {
  const { run_id: runId, engine, placement, commit } = record;
  const { git, folder } = placement?.workspace ?? {};
  const upload = serverSettingsOf(stored.request)?.upload;
  const startPatch = folder === undefined ? await patchOnBroker(stored, cluster) : "";
  if (startPatch === undefined) {
    throw new EngineError("run.not_resumable", { runId, problem: "its exact changes are not known" });
  }
  const sameCommit = git === undefined ? {} : { workspace: { git: { ...git, ref: commit ?? git.ref } } };
  return {
    // The files are streamed from the broker, so they need no space on this machine.
    workspace: { ...staging, files: () => uploadedFiles({ runId, upload }, cluster) },
    target: { engine, placement: { ...placement, ...sameCommit } },
    startPatch,
  };
}

function workspaceMissing(runId: string, cause?: unknown): EngineError {
  return new EngineError("run.not_resumable", { runId, problem: "its workspace no longer exists" }, { cause });
}

/** Returns the conversation so far: as reported by the engine, otherwise input and output. */
function conversationOf({ request, report }: FoundRun["stored"]): SessionMessage[] {
  const prompt = request?.input.messages ?? [];
  const { transcript, final_message } = report?.result ?? {};
  if (transcript !== undefined && transcript.length > 0)
    return transcript.map(({ role, content }) => ({ role, content }));
  return final_message === undefined || final_message === ""
    ? prompt
    : [...prompt, { role: "assistant", content: final_message }];
}
