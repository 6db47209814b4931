import { DEPENDENCY, type Engine, EngineError, isExecutionEnvironment, SESSION_INPUT } from "@switchyard/contracts";
import { assertRunning, createBoard, defineEngine, getDependency } from "@switchyard/engine";
import type { Secret } from "@switchyard/secrets";
import { modelOf } from "../call/call-input.ts";
import type { CustomEngineConfig } from "../config/custom-engine-config.ts";
import { createHttpTransport } from "../transport/http/http-transport.ts";
import { createLocalTransport } from "../transport/local/local-transport.ts";
import { callOnce } from "./call-once.ts";
import { assertOutcomeKnown } from "./call-progress.ts";
import { callsOf, readState } from "./conversation.ts";
import type { CustomEngineOptions } from "./custom-engine-options.ts";
import { secretsOf, wrapKey } from "./engine-secrets.ts";
import type { Job } from "./job.ts";
import { openAccessOf } from "./model-access.ts";

/** An engine that is defined by a configuration. */
export interface CustomEngine extends Engine {
  /** Secrets of the engine, which sessions mask everywhere. */
  readonly secrets: readonly Secret[];
}

/**
 * Creates an engine from a configuration. The command or service is untrusted and receives only what the configuration
 * passes to it. Execution rejects with `template.*`, `transport.*`, `result.*` and `config.*` errors; the run's board
 * (its shared state) then contains a partial result. See custom-engine: minimum integration contract.
 */
export function createCustomEngine(config: CustomEngineConfig, options: CustomEngineOptions = {}): CustomEngine {
  const { transport: carrier } = config;
  const transport =
    carrier.transport === "local" ? createLocalTransport(carrier) : createHttpTransport(carrier, options);
  const apiKey = wrapKey(options.apiKey);
  const engine = defineEngine(
    async (run, host, board) => {
      const environment = getDependency(run.deps, DEPENDENCY.environment, isExecutionEnvironment);
      const input = board.get(SESSION_INPUT);
      if (input === undefined)
        throw new EngineError("input.invalid", {
          path: "of the session",
          expected: "SessionInput",
          problem: "it is missing",
        });
      const { name: modelName, reference: model } = modelOf({ config, input });
      const modelAccess = await openAccessOf(config, options.openModelAccess, {
        ...{ run, host, model: modelName === "" ? undefined : model },
        // Services are called from this machine, whatever the environment.
        environment: carrier.transport === "local" ? environment : undefined,
      });
      const job = { config, options, transport, run, host, board, input, environment, apiKey, modelAccess };
      try {
        await converse({ ...job, startedMs: performance.now() });
      } finally {
        await modelAccess?.close();
      }
    },
    {
      ...{
        name: config.name,
        supportsResume: true,
        emitsCheckpoint: true,
        keepsConversation: config.conversationMode === "stateful",
        requiredDependencies: [DEPENDENCY.environment],
      },
      ...{ now: options.now, createId: options.createId },
      canResume: ({ board }) => assertOutcomeKnown(config, readState(createBoard(board))),
    },
  );
  return { ...engine, secrets: secretsOf(config, apiKey) };
}

/** Makes the remaining calls. */
async function converse(job: Job): Promise<void> {
  const { board, input, config } = job;
  const calls = callsOf(input, config.conversationMode);
  let state = readState(board);
  // The host continues a conversation of an earlier session.
  const isContinued = config.conversationMode === "stateful" && state.calls === 0 && input.session_id !== undefined;
  if (isContinued) state = { ...state, sessionId: input.session_id };
  for (let index = state.calls; index < calls.length; index += 1) {
    // A failed call ends the run, because later calls depend on its result.
    if (state.result !== undefined && state.result.exit_code !== 0) break;
    assertRunning(job.run, job.host);
    const isLast = index + 1 === calls.length;
    state = await callOnce(job, { state, messages: calls[index] ?? [], isLast });
  }
}
