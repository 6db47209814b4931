import type { Envelope, Publisher } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";
import { sampleEnd, sampleToken } from "../envelope/sample-envelope.ts";

/**
 * Members of a delta (a piece of a streamed response) that the conformance cases use. See engine: StreamDeltaPayload.
 */
export interface ContractDelta {
  /** Type of the delta. */
  readonly type: string;
  /** Text of a token. */
  readonly content?: unknown;
}

/** Members of a sink (a receiver of a run's stream) that the conformance cases use. See engine: StreamSink. */
export interface ContractSink {
  /** Receives one event. */
  onDelta(envelope: Envelope, delta: ContractDelta | undefined): void | Promise<void>;
  /** Called at the end of the run. */
  onEnd?(envelope: Envelope): void | Promise<void>;
}

/** Options of a router. See engine: StreamRouterOption. */
export interface ContractRouterOptions {
  /** Maximum number of envelopes that wait for a sink. Default: 256. */
  readonly bufferSize?: number | undefined;
  /** True to send all events of the run to sinks. */
  readonly allEvents?: boolean | undefined;
  /** Called for errors of a sink (a receiver of a run's stream). */
  readonly onSinkError?: ((sinkId: string, error: unknown) => void) | undefined;
  /** Options of the router's subscription to the event bus. */
  readonly subscription?: { readonly predicate?: ((envelope: Envelope) => boolean) | undefined } | undefined;
}

/** Members of a router that the conformance cases use. See engine: StreamRouter. */
export interface ContractRouter {
  /** Attaches a sink (a receiver of a run's stream). Returns a function that detaches it. */
  attach(runId: string, sinkId: string, sink: ContractSink | ContractSink["onDelta"]): () => void;
  /** Detaches all sinks (receivers of a run's stream) after accepted events are delivered. */
  close(): Promise<void>;
}

/** A stream router under test, and the event bus that it reads. */
export interface RouterOnBus {
  /** Event bus to which the conformance cases publish. */
  readonly bus: Publisher;
  /** Router under test. */
  readonly router: ContractRouter;
  /**
   * Creates a router without a bus, which must fail. Absent if the implementation's language does not allow such a
   * call.
   */
  readonly withoutBus?: (() => unknown) | undefined;
}

/** Creates a router on a new bus. */
export type StreamRouterFactory = (options?: ContractRouterOptions) => Eventually<RouterOnBus>;

/** Creates the stream routers for the test cases, and closes them. */
export interface StreamRouterSubject {
  /** Creates another router. */
  create(options?: ContractRouterOptions): Promise<RouterOnBus>;
  /** Closes all created routers. */
  dispose(): Promise<void>;
}

/**
 * Returns an object that creates the stream routers under test with the given factory, and closes all of them at the
 * end.
 */
export async function openStreamRouterSubject(factory: StreamRouterFactory): Promise<StreamRouterSubject> {
  const routers: ContractRouter[] = [];
  return {
    async create(options) {
      const created = await factory(options);
      routers.push(created.router);
      return created;
    },
    async dispose() {
      await Promise.all(routers.map((router) => router.close()));
    },
  };
}

/** A sink that records the contents of the tokens it receives, and `end` when the run has ended. */
export interface RecordingSink extends ContractSink {
  readonly got: readonly string[];
}

/** Creates a sink that records the envelopes it receives. */
export function recordingSink(): RecordingSink {
  const got: string[] = [];
  return {
    got,
    onDelta: (envelope, delta) => {
      got.push(delta === undefined ? envelope.type : String(delta.content));
    },
    onEnd: () => {
      got.push("end");
    },
  };
}

/** Publishes tokens of a run. */
export async function stream(bus: Publisher, runId: string, ...contents: readonly string[]): Promise<void> {
  for (const content of contents) {
    await bus.publish(sampleToken(runId, content));
    // Waits so that a router can read its bus between two published events.
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** Publishes the end of a run. */
export async function endRun(bus: Publisher, runId: string): Promise<void> {
  await bus.publish(sampleEnd(runId));
}
