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

/** What an engine does; the frame round it is {@link defineEngine}'s. */
export type EngineBody = (run: Run, host: Host, board: Board) => Promise<void>;

/** What an engine claims and offers besides its body. */
export interface EngineOptions extends Capabilities {
  /** Name for messages; `engine` by default. */
  readonly name?: string | undefined;
  /** Version of its definition: a checkpoint of another one is refused with `checkpoint.drifted`. */
  readonly specVersion?: string | undefined;
  /** Throws when it cannot go on from there. Contract: cheap, no I/O. engine: Resumer. */
  readonly canResume?: ((checkpoint: Checkpoint) => void) | undefined;
  /** Asks for a checkpoint at the next safe boundary. engine: CheckpointSuggester. */
  readonly suggestCheckpoint?: (() => void) | undefined;
  /** The time of its events, in milliseconds since the epoch; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
  /** Makes the ids of its events; random ones by default. */
  readonly createId?: (() => string) | undefined;
}

type Outcome = EventPayloads["run_end"]["outcome"];

const OUTCOMES: Readonly<Partial<Record<EngineError["class"], Outcome>>> = {
  interrupted: "interrupted",
  aborted: "cancelled",
  timeout: "cancelled",
};

function outcomeOf(error: EngineError, run: Run): Outcome {
  // A timeout inside of the engine is a failure; only the run's own is a cancellation.
  if (error.class === "timeout" && !run.signal.aborted) return "failed";
  return OUTCOMES[error.class] ?? "failed";
}

function endOf(error: EngineError | undefined, run: Run): EventPayloads["run_end"] {
  return error === undefined ? { outcome: "completed" } : { outcome: outcomeOf(error, run), error: error.toWire() };
}

/** The run as engines see it: nothing of it can be changed. */
function readOnly(run: Run): Run {
  return Object.freeze({ ...run, attributes: Object.freeze({ ...run.attributes }) });
}

function capabilitiesIn(options: EngineOptions): Capabilities {
  const { supportsResume, emitsUserPrompt, emitsCheckpoint, acceptsSteering, requiredDependencies } = options;
  return Object.freeze({ supportsResume, emitsUserPrompt, emitsCheckpoint, acceptsSteering, requiredDependencies });
}

/**
 * Makes an engine of a body. The frame publishes run start and run end exactly once whatever happens, checks a resume
 * in the order of the contract and restores the board, does not begin a run that is to stop already, and turns every
 * failure into a classified error: `run.interrupted`, `run.cancelled` or `run.timed_out` by what stopped it, its own
 * where it has one, else `engine.failed`. Of a usage report only a used-up budget reaches the body. A start or end that
 * cannot be published does not fail the run. A body that calls extensions without a host parameter does so in
 * `withHost`.
 * engine: Engine, EngineFunc.
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
 * The host for a body: an event that cannot be published, and a usage report that fails for another reason than a budget,
 * are the host's affair. Whoever publishes behind the end is told that it is refused. engine: Publisher, UsageReporter.
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

/** Observers are no part of the run: what they do not get does not fail it. */
async function publishQuietly(host: Host, create: () => Parameters<Host["publish"]>[0]): Promise<void> {
  try {
    await host.publish(create());
  } catch {
    // engine: a publish failure is the host's to record.
  }
}
