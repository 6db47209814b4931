import type { Attributes, Span, SpanOptions, Tracer } from "@opentelemetry/api";
import { HEADER, type HostMiddleware, messageOf } from "@switchyard/contracts";
import { hostFuncs } from "./host-funcs.ts";

// These constants are copied from the OpenTelemetry API. Only types of that API are imported, to save start-up time.
const PRODUCER = 3;
const STATUS_ERROR = 2;

/** Returns attributes without those that are `undefined`. */
function present(attributes: Readonly<Record<string, string | number | undefined>>): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}

function recordFailure(span: Span, error: unknown): void {
  const message = messageOf(error);
  span.recordException(error instanceof Error ? error : message);
  span.setStatus({ code: STATUS_ERROR, message });
}

/** Runs a call inside a span and records its error. */
function traced<T>(
  tracer: Tracer,
  { name, ...options }: SpanOptions & { name: string },
  call: () => Promise<T>,
): Promise<T> {
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await call();
    } catch (error) {
      recordFailure(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Returns a middleware that creates a span for every host call except `interrupts`. See engine: TracingMiddleware. */
export function tracingHost(tracer: Tracer): HostMiddleware {
  return (inner) =>
    hostFuncs(inner, {
      publish(envelope) {
        const attributes = present({
          "messaging.destination": envelope.subject,
          "event.id": envelope.id,
          "event.run_id": envelope.headers[HEADER.runId],
          "event.node_id": envelope.headers[HEADER.nodeId],
        });
        return traced(tracer, { name: "engine.host.publish", kind: PRODUCER, attributes }, () =>
          inner.publish(envelope),
        );
      },
      checkpoint(checkpoint) {
        const attributes = present({
          "checkpoint.exec_id": checkpoint.execId,
          "checkpoint.step": checkpoint.step,
          "checkpoint.iteration": checkpoint.iteration,
        });
        return traced(tracer, { name: "engine.host.checkpoint", attributes }, () => inner.checkpoint(checkpoint));
      },
      askUser(prompt, options) {
        const attributes = present({ "prompt.source": prompt.source, "prompt.parts": prompt.parts.length });
        return traced(tracer, { name: "engine.host.ask_user", attributes }, () => inner.askUser(prompt, options));
      },
      reportUsage(usage) {
        const attributes = present({
          "usage.model": usage.model,
          "usage.input_tokens": usage.inputTokens,
          "usage.output_tokens": usage.outputTokens,
        });
        return traced(tracer, { name: "engine.host.report_usage", attributes }, () => inner.reportUsage(usage));
      },
    });
}
