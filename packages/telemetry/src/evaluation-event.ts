import type { Attributes, Context } from "@opentelemetry/api";
import type { LoggerProvider } from "@opentelemetry/sdk-logs";

/** Result of evaluating a run: one event `gen_ai.evaluation.result`. */
export interface EvaluationEvent {
  /** Id of the evaluated run. `undefined` if no run was started. */
  readonly runId?: string | undefined;
  /** Name of the evaluation metric, with few distinct values. */
  readonly name: string;
  /** Score of the run. `undefined` if the metric could not be determined. */
  readonly score?: number | undefined;
  /** Meaning of the score in a word, such as `pass`. Only few different values should occur. */
  readonly label?: string | undefined;
  /** Explanation of the score. May quote texts of the run. */
  readonly explanation?: string | undefined;
  /** Error because of which the metric could not be determined. */
  readonly errorType?: string | undefined;
  /** Further attributes. */
  readonly attributes?: Readonly<Record<string, string | number>> | undefined;
}

/** Destination of evaluation events. */
export interface EvaluationTarget {
  readonly loggers: Pick<LoggerProvider, "getLogger">;
  /** Name and version of the instrumentation. */
  readonly scope: readonly [name: string, version: string];
  /** Span of the evaluated run. `undefined` if it was not exported. */
  readonly context?: Context | undefined;
}

/**
 * Emits an evaluation result as an event of the OpenTelemetry conventions for generative AI, a child of the run's span.
 *
 * Source: https://github.com/open-telemetry/semantic-conventions-genai, gen-ai-events, `gen_ai.evaluation.result`.
 */
export function emitEvaluation(event: EvaluationEvent, { loggers, scope, context }: EvaluationTarget): void {
  const { runId, name, score, label, explanation, errorType } = event;
  const known = {
    "gen_ai.evaluation.name": name,
    "gen_ai.evaluation.score.value": score,
    "gen_ai.evaluation.score.label": label,
    "gen_ai.evaluation.explanation": explanation,
    "gen_ai.conversation.id": runId,
    "switchyard.run.id": runId,
    "error.type": errorType,
  };
  const attributes: Attributes = Object.fromEntries(
    Object.entries({ ...event.attributes, ...known }).filter(([, value]) => value !== undefined),
  );
  loggers
    .getLogger(...scope)
    .emit({ eventName: "gen_ai.evaluation.result", attributes, ...(context === undefined ? {} : { context }) });
}
