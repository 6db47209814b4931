import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { onTestFinished } from "vitest";

/** Received span. */
interface ArrivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly status: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Received event. */
interface ArrivedEvent {
  readonly eventName: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Loopback collector with the data that it received. */
export interface Collector {
  readonly url: string;
  readonly spans: readonly ArrivedSpan[];
  readonly events: readonly ArrivedEvent[];
  /** Sums of metrics by name. */
  readonly sums: Readonly<Record<string, number>>;
  /** All received data, as text. */
  readonly text: () => string;
  readonly service: () => unknown;
  /** Headers of the last request. */
  readonly headers: () => IncomingHttpHeaders;
}

interface Listed {
  readonly [name: string]: unknown;
}

function isListed(value: unknown): value is Listed {
  return typeof value === "object" && value !== null;
}

/** Returns the objects at a path of property names. Lists on the path are flattened. */
function all(value: unknown, ...path: readonly string[]): readonly Listed[] {
  let found: readonly unknown[] = [value];
  for (const name of path) {
    found = found.flatMap((one) => {
      const next = isListed(one) ? one[name] : undefined;
      return Array.isArray(next) ? next : next === undefined ? [] : [next];
    });
  }
  return found.filter(isListed);
}

function valuesOf(value: unknown): Record<string, unknown> {
  return Object.fromEntries(
    all(value, "attributes").map(({ key, value: held }) => [
      String(key),
      isListed(held) ? Object.values(held)[0] : held,
    ]),
  );
}

function spanOf(span: Listed): ArrivedSpan {
  const msOf = (nanos: unknown): number => Math.round(Number(nanos) / 1_000_000);
  const [status] = all(span, "status");
  return {
    traceId: String(span["traceId"]),
    spanId: String(span["spanId"]),
    parentSpanId: String(span["parentSpanId"] ?? ""),
    name: String(span["name"]),
    startMs: msOf(span["startTimeUnixNano"]),
    endMs: msOf(span["endTimeUnixNano"]),
    status: Number(status?.["code"] ?? 0),
    attributes: valuesOf(span),
  };
}

/** Starts a collector for OTLP over HTTP, which is stopped after the test. */
export async function openCollector(): Promise<Collector> {
  const texts: string[] = [];
  const spans: ArrivedSpan[] = [];
  const events: ArrivedEvent[] = [];
  const sums: Record<string, number> = {};
  let service: unknown;
  let headers: IncomingHttpHeaders = {};
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += String(piece);
    texts.push(text);
    ({ headers } = request);
    const sent: unknown = JSON.parse(text);
    spans.push(...all(sent, "resourceSpans", "scopeSpans", "spans").map(spanOf));
    for (const record of all(sent, "resourceLogs", "scopeLogs", "logRecords")) {
      const [eventName, traceId, spanId] = [record["eventName"], record["traceId"], record["spanId"]].map(String);
      events.push({
        eventName: eventName ?? "",
        traceId: traceId ?? "",
        spanId: spanId ?? "",
        attributes: valuesOf(record),
      });
    }
    for (const metric of all(sent, "resourceMetrics", "scopeMetrics", "metrics")) {
      const points = all(metric, "histogram", "dataPoints");
      sums[String(metric["name"])] = points.reduce((sum, point) => sum + Number(point["sum"]), 0);
    }
    service ??= all(sent, "resourceSpans", "resource").map(valuesOf)[0]?.["service.name"];
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const told = { text: () => texts.join("\n"), service: () => service, headers: () => headers };
  return { url: `http://127.0.0.1:${port}`, spans, events, sums, ...told };
}
