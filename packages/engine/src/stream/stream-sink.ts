import type { Envelope } from "@switchyard/contracts";
import type { StreamDelta } from "./stream-delta.ts";

/** Takes what a run streams to wherever it is shown or kept. engine: StreamSink. */
export interface StreamSink {
  /**
   * Takes one event. The increment is absent for events that are no increments, which come only when all events were
   * asked for. Contract: the next one comes when this one is done; throws only when it cannot go on delivering.
   */
  onDelta(envelope: Envelope, delta: StreamDelta | undefined): void | Promise<void>;
  /** The run is over; comes last and is never dropped. */
  onEnd?(envelope: Envelope): void | Promise<void>;
}

/** A sink, or just its `onDelta`. engine: StreamSinkFunc. */
export type StreamSinkEntry = StreamSink | StreamSink["onDelta"];
