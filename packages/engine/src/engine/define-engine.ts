import {
  ATTRIBUTE,
  type Board,
  type Capabilities,
  type Checkpoint,
  type Engine,
  type EngineError,
  type EventPayloads,
  type Host,
  hasErrorClass,
  type Run,
} from "@switchyard/contracts";
import { createEnvelope } from "../envelope/create-envelope.ts";
import { hostFuncs } from "../host/host-funcs.ts";
import { assertResumable } from "./assert-resumable.ts";
import { classifyFailure, stopReasonOf } from "./classify-failure.ts";

/** Function that does the work of an engine. {@link defineEngine} implements the rest of the engine contract. */
export type EngineBody = (run: Run, host: Host, board: Board) => Promise<void>;

/** Options for `defineEngine`. */
export interface EngineOptions extends Capabilities {
  /** Name for messages. Default: `engine`. */
  readonly name?: string | undefined;
  /** Version of the engine's definition. Checkpoints of another version are rejected with `checkpoint.drifted`. */
  readonly specVersion?: string | undefined;
  /** Throws if the engine cannot resume from the given checkpoint. Contract: fast, no I/O. See engine: Resumer. */
  readonly canResume?: ((checkpoint: Checkpoint) => void) | undefined;
  /**
   * Asks the engine to save a checkpoint at the next step at which its state is consistent. See engine:
   * CheckpointSuggester.
   */
  readonly suggestCheckpoint?: (() => void) | undefined;
  /** Returns the current time for the engine's events, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Returns ids for the engine's events. Default: random ids. */
  readonly createId?: (() => string) | undefined;
}

type Outcome = EventPayloads["run_end"]["outcome"];

const OUTCOMES: Readonly<Partial<Record<EngineError["class"], Outcome>>> = {
  interrupted: "interrupted",
  aborted: "cancelled",
  timeout: "cancelled",
};

function outcomeOf(error: EngineError, run: Run): Outcome {
  // A timeout inside the engine is a failure; only the run's own timeout is a cancellation.
  if (error.class === "timeout" && !run.signal.aborted) return "failed";
  return OUTCOMES[error.class] ?? "failed";
}

function endOf(error: EngineError | undefined, run: Run): EventPayloads["run_end"] {
  return error === undefined ? { outcome: "completed" } : { outcome: outcomeOf(error, run), error: error.toWire() };
}

/** Returns a read-only view of the run. */
function readOnly(run: Run): Run {
  return Object.freeze({ ...run, attributes: Object.freeze({ ...run.attributes }) });
}

function capabilitiesIn(options: EngineOptions): Capabilities {
  const { supportsResume, emitsUserPrompt, emitsCheckpoint, acceptsSteering } = options;
  const { keepsConversation, requiredDependencies } = options;
  return Object.freeze({
    ...{ supportsResume, emitsUserPrompt, emitsCheckpoint, acceptsSteering },
    // Only engines of conversations declare this capability. For all other engines, the property is missing.
    ...(keepsConversation === undefined ? {} : { keepsConversation }),
    requiredDependencies,
  });
}

/**
 * Creates an engine from a body. See engine: Engine, EngineFunc.
 *
 * It publishes run start and run end exactly once. On resume it checks the checkpoint and restores the board. It does
 * not start a run for which a stop was already requested. It turns every failure into a classified error:
 * `run.interrupted`, `run.cancelled` or `run.timed_out` after a stop request, the body's own classified error, or else
 * `engine.failed`. Failures of usage reports reach the body only if the budget is exceeded. A run does not fail if its
 * start or end cannot be published. A body uses `withHost` to call extensions that have no host parameter.
 */
export function defineEngine(body?: EngineBody, options: EngineOptions = {}): Engine {
  const { name = "engine", now = Date.now, createId = () => crypto.randomUUID() } = options;
  const capabilities = capabilitiesIn(options);

  async function attemptRun(run: Run, host: Host, board: Board): Promise<EngineError | undefined> {
    const attempt = { isOver: false };
    try {
      assertResumable(run, {
        name,
        supportsResume: capabilities.supportsResume === true,
        specVersion: options.specVersion,
        canResume: options.canResume,
      });
      board.restoreFrom(run.resumeFrom?.board);
      const stop = stopReasonOf(run, host);
      if (stop !== undefined) return stop;
      await body?.(readOnly(run), bodyHostOf(host, attempt), board);
      return undefined;
    } catch (error) {
      return classifyFailure(error, { run, host, name });
    } finally {
      attempt.isOver = true;
    }
  }

  return {
    async execute(run, host, board) {
      const marks = {
        runId: run.id,
        actor: run.attributes[ATTRIBUTE.agentId],
        attempt: run.resume?.attempt ?? 1,
        now,
        createId,
      };
      await publishQuietly(host, () => createEnvelope("run_start", { resumed: run.resumeFrom !== undefined }, marks));
      const failure = await attemptRun(run, host, board);
      await publishQuietly(host, () => createEnvelope("run_end", endOf(failure, run), marks));
      if (failure !== undefined) throw failure;
      return board;
    },
    capabilities: () => capabilities,
    ...(options.canResume === undefined ? {} : { canResume: options.canResume }),
    ...(options.suggestCheckpoint === undefined ? {} : { suggestCheckpoint: options.suggestCheckpoint }),
  };
}

/**
 * Returns the host that is passed to the engine's body. The body is not informed of failures to publish, nor of
 * failures to report usage other than an exceeded budget. Publishing after the end of the run is rejected. See engine:
 * Publisher, UsageReporter.
 */
function bodyHostOf(host: Host, attempt: { readonly isOver: boolean }): Host {
  return hostFuncs(host, {
    publish: (envelope) => (attempt.isOver ? host.publish(envelope) : publishQuietly(host, () => envelope)),
    async reportUsage(usage) {
      try {
        await host.reportUsage(usage);
      } catch (error) {
        if (hasErrorClass(error, "budget_exceeded")) throw error;
      }
    },
  });
}

/** Publishes an event. A failure to publish does not fail the run, because events only serve observers. */
async function publishQuietly(host: Host, create: () => Parameters<Host["publish"]>[0]): Promise<void> {
  try {
    await host.publish(create());
  } catch {
    // Failures are ignored here, because the host records a publish failure.
  }
}
