import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { EngineError, ExecutionEnvironment } from "@switchyard/contracts";
import {
  type Cassette,
  createNormaliser,
  findMismatch,
  parseCassette,
  serializeCassette,
  startRecordedModel,
} from "@switchyard/llm/cassette";
import type { CommandContext } from "../context/command-context.ts";
import type { DemoOptions } from "./demo-options.ts";

/** Server that replays the recorded model responses of the demo over HTTP. */
export interface OpenedRecording extends AsyncDisposable {
  /** Reference (`provider/model`) of the model whose responses were recorded. */
  readonly model: string;
  /** Base URL of the server. */
  readonly baseUrl: string;
  /** Returns the first difference between the requests of this run and the recording. `undefined` if there is none. */
  findMismatch(): EngineError | undefined;
  /** Writes the requests of this run into the recording, if `updateRecording` is set. */
  save(): Promise<void>;
}

const PACE_MS = 12;

/** Opens the recording that ships with the program, and starts a server that replays it for one run. */
export async function openRecording(
  context: CommandContext,
  environment: ExecutionEnvironment,
  options: DemoOptions,
): Promise<OpenedRecording> {
  const path = join(context.assetDirectory, "demo/recording.jsonl");
  const cassette = parseCassette(await readFile(path, "utf8"), { path });
  const server = await startRecordedModel(cassette, {
    normalise: normaliserOf(environment),
    paceMs: context.stdout.isTerminal ? PACE_MS : 0,
    isUpdating: options.updateRecording !== undefined,
  });
  return {
    model: `anthropic/${cassette.header.model ?? "recording"}`,
    baseUrl: server.baseUrl,
    findMismatch: () => findMismatch(server),
    async save() {
      if (options.updateRecording === undefined) return;
      const calls: Cassette["calls"] = cassette.calls.map((call, index) => {
        return { ...call, request: server.requests[index] ?? call.request };
      });
      await writeFile(resolve(options.updateRecording), serializeCassette({ ...cassette, calls }));
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/**
 * Returns a function that replaces text that depends on the machine or the workspace. Only changes in the agent's
 * behaviour then cause a mismatch with the recording.
 */
function normaliserOf(environment: ExecutionEnvironment): (text: string) => string {
  return createNormaliser({
    workspace: environment.workingDirectory,
    replacements: {
      [`Platform: ${environment.platform}`]: "Platform: <platform>",
      [`OS version: ${environment.osVersion}`]: "OS version: <version>",
    },
  });
}
