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

/** Output that waits for a slow host; beyond it the rest is left out, and that is said. */
const MAX_WAITING_CHARS = 256 * 1024;

/** Publishes what an engine call says, in order; a slow host holds up neither the call nor the memory. */
export interface EventPublisher {
  /** Publishes an event behind all others. */
  publish<T extends EventType>(type: T, data: EventPayloads[T]): void;
  /** Publishes printed text as it comes, without secrets. */
  output(stream: "stdout" | "stderr", text: string): void;
  /** Publishes what was held back of printed text, and resolves when the host has everything. */
  settled(): Promise<void>;
}

/** Makes a publisher for one run. */
export function createEventPublisher(host: Host, marks: EnvelopeOptions, masker: Masker): EventPublisher {
  const streams = { stdout: masker.stream(), stderr: masker.stream() };
  const waiting = { stdout: "", stderr: "" };
  let left = 0;
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
      // engine: a publish failure is the host's to record.
    }
  }
  function say(stream: "stdout" | "stderr", text: string): void {
    if (text === "") return;
    const isEmpty = waiting.stdout === "" && waiting.stderr === "";
    const room = MAX_WAITING_CHARS - waiting[stream].length;
    waiting[stream] += text.slice(0, room);
    left += Math.max(0, text.length - room);
    // One turn takes all that has come until then.
    if (isEmpty) queue = queue.then(flush);
  }
  async function flush(): Promise<void> {
    for (const stream of ["stdout", "stderr"] as const) {
      const content = waiting[stream];
      waiting[stream] = "";
      if (content === "") continue;
      const data = { type: "engine_output", stream, content, ...(left === 0 ? {} : { left_out: left }) };
      left = 0;
      await hand(createEnvelope<EventType>("stream_delta", data, marks));
    }
  }
  return {
    publish,
    output: (stream, text) => say(stream, streams[stream].write(text)),
    async settled() {
      say("stdout", streams.stdout.end());
      say("stderr", streams.stderr.end());
      await queue;
    },
  };
}

function isEnvelope(envelope: EnvelopeOf<EventType>): envelope is Envelope {
  return isEventType(envelope.type);
}
