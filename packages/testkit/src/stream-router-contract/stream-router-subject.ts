import type { Envelope, Publisher } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";
import { sampleEnd, sampleToken } from "../envelope/sample-envelope.ts";

/** An increment, as far as the cases look at it. engine: StreamDeltaPayload. */
export interface ContractDelta {
  /** Name of its type. */
  readonly type: string;
  /** Text of a token. */
  readonly content?: unknown;
}

/** A sink: what the cases attach. engine: StreamSink. */
export interface ContractSink {
  /** Takes one event. */
  onDelta(envelope: Envelope, delta: ContractDelta | undefined): void | Promise<void>;
  /** The run is over. */
  onEnd?(envelope: Envelope): void | Promise<void>;
}

/** How a router is asked for. engine: StreamRouterOption. */
export interface ContractRouterOptions {
  /** Most envelopes that wait for a sink; 256 by default. */
  readonly bufferSize?: number | undefined;
  /** Whether sinks get all events of the run. */
  readonly allEvents?: boolean | undefined;
  /** Told of what goes wrong at a sink. */
  readonly onSinkError?: ((sinkId: string, error: unknown) => void) | undefined;
  /** Options for the subscription on the bus. */
  readonly subscription?: { readonly predicate?: ((envelope: Envelope) => boolean) | undefined } | undefined;
}

/** A router: what the cases use of it. engine: StreamRouter. */
export interface ContractRouter {
  /** Attaches a sink; gives the function that detaches it. */
  attach(runId: string, sinkId: string, sink: ContractSink | ContractSink["onDelta"]): () => void;
  /** Detaches everything once what was taken is delivered. */
  close(): Promise<void>;
}

/** A router and the bus it is on. */
export interface RouterOnBus {
  /** The bus; the cases publish to it. */
  readonly bus: Publisher;
  /** The router under test. */
  readonly router: ContractRouter;
  /** Tries to make a router without a bus, where the language does not forbid it. */
  readonly withoutBus?: (() => unknown) | undefined;
}

/** Makes a router on a bus of its own. */
export type StreamRouterFactory = (options?: ContractRouterOptions) => Eventually<RouterOnBus>;

/** Routers as the cases get them. */
export interface StreamRouterSubject {
  /** Makes one more. */
  create(options?: ContractRouterOptions): Promise<RouterOnBus>;
  /** Closes all of them. */
  dispose(): Promise<void>;
}

/** The subject of a factory. */
export async function openStreamRouterSubject(factory: StreamRouterFactory): Promise<StreamRouterSubject> {
  const routers: ContractRouter[] = [];
  return {
    async create(options) {
      const made = await factory(options);
      routers.push(made.router);
      return made;
    },
    async dispose() {
      await Promise.all(routers.map((router) => router.close()));
    },
  };
}

/** A sink that keeps what it got: the contents of tokens, and `end`. */
export interface RecordingSink extends ContractSink {
  readonly got: readonly string[];
}

/** Makes a sink that keeps what it got. */
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
    // Room for a router that reads between two publishings.
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** Publishes the end of a run. */
export async function endRun(bus: Publisher, runId: string): Promise<void> {
  await bus.publish(sampleEnd(runId));
}
