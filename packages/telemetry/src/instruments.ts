import type { Histogram, Meter } from "@opentelemetry/api";

/** Metric instruments, named as in the OpenTelemetry conventions for generative AI. */
export interface Instruments {
  /** Tokens of each response, input and output separately. */
  readonly tokens: Histogram;
  /** Duration of model calls, tool calls and runs, in seconds. */
  readonly durations: Histogram;
}

/** Histogram bucket boundaries recommended by the OpenTelemetry conventions. */
const TOKEN_BOUNDS = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576];
const SECOND_BOUNDS = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92, 600, 3_600,
];

/** Creates the instruments of a meter. */
export function createInstruments(meter: Meter): Instruments {
  return {
    tokens: meter.createHistogram("gen_ai.client.token.usage", {
      unit: "{token}",
      description: "Tokens of an answer.",
      advice: { explicitBucketBoundaries: TOKEN_BOUNDS },
    }),
    durations: meter.createHistogram("gen_ai.client.operation.duration", {
      unit: "s",
      description: "Time of a model call, a tool call or a run.",
      advice: { explicitBucketBoundaries: SECOND_BOUNDS },
    }),
  };
}
