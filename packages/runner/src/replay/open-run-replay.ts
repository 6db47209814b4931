import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { decodeText, EngineError, type RunRecord, type RunRequest, type StoredRun } from "@switchyard/contracts";
import type { ReplayClient } from "@switchyard/llm/cassette";
import type { Masker } from "@switchyard/secrets";
import { AGENT_ENGINE } from "../agent/create-default-registry.ts";
import { RUN_FILES } from "../run-files/run-files.ts";
import type { ReplayModelAccess } from "./replay-model-access.ts";

/** Stored run of the built-in agent, which calls models from the process of its host. */
export interface AgentReplay {
  readonly kind: "agent";
  /** Request of the run. */
  readonly request: RunRequest;
  /** Name of the engine. */
  readonly engine: string;
  /** Number of recorded model calls. */
  readonly calls: number;
  /**
   * Creates a model client that answers with the recorded responses, and compares each request with the recorded one.
   * Paths, dates, durations and the lines that depend on the checkout or the operating system may differ.
   */
  createClient(options: RunReplayOptions): ReplayClient;
}

/** Stored run of an engine that called models through the model gateway. */
export interface EngineReplay extends Pick<AgentReplay, "request" | "engine" | "calls"> {
  readonly kind: "engine";
  /**
   * Creates access to models for the engine. It answers and compares as the client of an `AgentReplay`, and masks
   * secrets as the run that uses it.
   */
  createModelAccess(options: Pick<RunReplayOptions, "workspace">): ReplayModelAccess;
}

/** Stored run that can be run again with its recorded model responses. */
export type RunReplay = AgentReplay | EngineReplay;

/** Options of `AgentReplay.createClient`. */
export interface RunReplayOptions {
  /** Workspace folder of the replay. */
  readonly workspace: string;
  /** Masks secrets in requests before they are compared, as in the recording. */
  readonly masker: Masker;
}

/** A recording, with the run that it belongs to. */
interface FoundRecording {
  readonly runId: string;
  readonly record: RunRecord;
  readonly request: RunRequest;
  /** Path of the recording, for errors. */
  readonly path: string;
  readonly text: string;
}

/** Opens the recording of a run. Rejects with `run.not_replayable` and `cassette.malformed`. */
export async function openRunReplay(run: StoredRun): Promise<RunReplay> {
  const { runId, record, request, folder } = run;
  if (record === undefined || request === undefined) throw refusal(runId, "its request was not stored.");
  if (folder === undefined) throw refusal(runId, "it has no run folder.");
  const path = join(folder, RUN_FILES.recording);
  const text = await readFile(path)
    .then((bytes) => decodeText(bytes, path))
    .catch((cause: unknown) => {
      throw refusal(runId, "its recording is missing.", cause);
    });
  const found = { runId, record, request, path, text };
  return record.engine === AGENT_ENGINE ? await openAgentReplay(found) : await openEngineReplay(found);
}

async function openAgentReplay({ runId, record, request, path, text }: FoundRecording): Promise<AgentReplay> {
  const [{ createReplayClient, parseCassette }, { createReplayNormaliser }] = await Promise.all([
    import("@switchyard/llm/cassette"),
    import("./replay-normaliser.ts"),
  ]);
  const cassette = parseCassette(text, { path });
  if (cassette.calls.length === 0) throw refusal(runId, "its recording is empty.");
  return {
    ...{ kind: "agent", request, engine: record.engine, calls: cassette.calls.length },
    createClient: ({ workspace, masker }) => {
      const normalise = createReplayNormaliser([request.input.workspace ?? workspace, workspace]);
      return createReplayClient(cassette, { mode: "strict", masker, normalise });
    },
  };
}

async function openEngineReplay({ runId, record, request, path, text }: FoundRecording): Promise<EngineReplay> {
  const [{ parseModelCalls }, { createReplayModelAccess }] = await Promise.all([
    import("@switchyard/gateway"),
    import("./replay-model-access.ts"),
  ]);
  const recording = parseModelCalls(text, path);
  if (recording.calls.length === 0) throw refusal(runId, "its recording is empty.");
  return {
    ...{ kind: "engine", request, engine: record.engine, calls: recording.calls.length },
    createModelAccess: ({ workspace }) => {
      const workspaces = [request.input.workspace, record.workspace, workspace].flatMap((folder) => folder ?? []);
      return createReplayModelAccess(recording, { runId, workspaces });
    },
  };
}

function refusal(runId: string, problem: string, cause?: unknown): EngineError {
  return new EngineError("run.not_replayable", { runId, problem }, { cause });
}
