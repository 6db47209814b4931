import type { Envelope } from "@switchyard/contracts";
import type { StreamDelta } from "./stream-delta.ts";

/** Receives the events of a run, to display or store them. See engine: StreamSink. */
export interface StreamSink {
  /**
   * Receives one event. `delta` is set for stream increments, and `undefined` for all other events. A sink receives
   * other events only with `allEvents`. Contract: the next event is delivered after this call has finished; throws only
   * if the sink cannot continue.
   */
  onDelta(envelope: Envelope, delta: StreamDelta | undefined): void | Promise<void>;
  /** Called last, when the run has ended. This call is never dropped. */
  onEnd?(envelope: Envelope): void | Promise<void>;
}

/** A sink, or only its `onDelta` function. See engine: StreamSinkFunc. */
export type StreamSinkEntry = StreamSink | StreamSink["onDelta"];
