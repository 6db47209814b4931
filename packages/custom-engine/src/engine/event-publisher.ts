import {
  type Envelope,
  type EnvelopeOf,
  type EventPayloads,
  type EventType,
  type Host,
  isEventType,
} from "@switchyard/contracts";
import { createEnvelope, type EnvelopeOptions } from "@switchyard/engine";
import type { Masker } from "@switchyard/secrets";

/**
 * Maximum size of output that waits for a slow host (the program that runs the engine), in characters. Further output
 * is dropped, with a notice.
 */
const MAX_WAITING_CHARS = 256 * 1024;

/** Publishes the events of a call in order, without blocking the call and in bounded memory. */
export interface EventPublisher {
  /** Publishes an event after all earlier ones. */
  publish<T extends EventType>(type: T, data: EventPayloads[T]): void;
  /** Publishes the engine's output as it arrives, with secrets masked. */
  output(stream: "stdout" | "stderr", text: string): void;
  /** Publishes buffered output, and resolves when the host has received everything. */
  settled(): Promise<void>;
}

/** Creates a publisher for one run. */
export function createEventPublisher(host: Host, marks: EnvelopeOptions, masker: Masker): EventPublisher {
  const streams = { stdout: masker.stream(), stderr: masker.stream() };
  const waiting = { stdout: "", stderr: "" };
  let remaining = 0;
  let queue: Promise<void> = Promise.resolve();

  function publish<T extends EventType>(type: T, data: EventPayloads[T]): void {
    const envelope = createEnvelope<EventType>(type, data, marks);
    queue = queue.then(() => hand(envelope));
  }
  async function hand(envelope: EnvelopeOf<EventType>): Promise<void> {
    if (!isEnvelope(envelope)) return;
    try {
      await host.publish(envelope);
    } catch {
      // Failures are ignored here, because the host records a publish failure.
    }
  }
  function emitOutput(stream: "stdout" | "stderr", text: string): void {
    if (text === "") return;
    const isEmpty = waiting.stdout === "" && waiting.stderr === "";
    const room = MAX_WAITING_CHARS - waiting[stream].length;
    waiting[stream] += text.slice(0, room);
    remaining += Math.max(0, text.length - room);
    // A flush is queued only for the first output. When it runs, it publishes all output that has arrived until then.
    if (isEmpty) queue = queue.then(flush);
  }
  async function flush(): Promise<void> {
    for (const stream of ["stdout", "stderr"] as const) {
      const content = waiting[stream];
      waiting[stream] = "";
      if (content === "") continue;
      const data = { type: "engine_output", stream, content, ...(remaining === 0 ? {} : { left_out: remaining }) };
      remaining = 0;
      await hand(createEnvelope<EventType>("stream_delta", data, marks));
    }
  }
  return {
    publish,
    output: (stream, text) => emitOutput(stream, streams[stream].write(text)),
    async settled() {
      emitOutput("stdout", streams.stdout.end());
      emitOutput("stderr", streams.stderr.end());
      await queue;
    },
  };
}

function isEnvelope(envelope: EnvelopeOf<EventType>): envelope is Envelope {
  return isEventType(envelope.type);
}
