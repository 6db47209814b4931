import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { decodeText, EngineError, type RunRequest, type StoredRun } from "@switchyard/contracts";
import type { ReplayClient } from "@switchyard/llm/cassette";
import type { Masker } from "@switchyard/secrets";
import { AGENT_ENGINE } from "../agent/create-default-registry.ts";
import { RUN_FILES } from "../run-files/run-files.ts";

/** Stored run of the built-in agent that can be run again with its recorded model responses. */
export interface RunReplay {
  /** Request of the run. */
  readonly request: RunRequest;
  /** Number of recorded model calls. */
  readonly calls: number;
  /**
   * Creates a model client that answers with the recorded responses, and compares each request with the recorded one.
   * Paths, dates, durations and the lines that depend on the checkout or the operating system may differ.
   */
  createClient(options: RunReplayOptions): ReplayClient;
}

/** Options of `RunReplay.createClient`. */
export interface RunReplayOptions {
  /** Workspace folder of the replay. */
  readonly workspace: string;
  /** Masks secrets in requests before they are compared, as in the recording. */
  readonly masker: Masker;
}

/** Opens the recording of a run. Rejects with `run.not_replayable` and `cassette.malformed`. */
export async function openRunReplay(run: StoredRun): Promise<RunReplay> {
  const { runId, record, request, folder } = run;
  const refuse = (problem: string, cause?: unknown): never => {
    throw new EngineError("run.not_replayable", { runId, problem }, { cause });
  };
  if (record === undefined || request === undefined) return refuse("its request was not stored.");
  if (record.engine !== AGENT_ENGINE) return refuse(`its engine is ${record.engine}.`);
  if (folder === undefined) return refuse("it has no run folder.");
  const path = join(folder, RUN_FILES.recording);
  const text = await readFile(path)
    .then((bytes) => decodeText(bytes, path))
    .catch((cause: unknown) => refuse("its recording is missing.", cause));
  const [{ createReplayClient, parseCassette }, { createReplayNormaliser }] = await Promise.all([
    import("@switchyard/llm/cassette"),
    import("./replay-normaliser.ts"),
  ]);
  const cassette = parseCassette(text, { path });
  if (cassette.calls.length === 0) return refuse("its recording is empty.");
  return {
    request,
    calls: cassette.calls.length,
    createClient: ({ workspace, masker }) => {
      const normalise = createReplayNormaliser([request.input.workspace ?? workspace, workspace]);
      return createReplayClient(cassette, { mode: "strict", masker, normalise });
    },
  };
}
