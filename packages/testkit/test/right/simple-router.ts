import { EngineError, type Envelope } from "@switchyard/contracts";
import type { ContractRouter, ContractRouterOptions, ContractSink, RouterOnBus } from "../../src/index.ts";
import { simpleBus } from "./simple-bus.ts";

/** Flags from which the faults of wrong routers are built. */
export interface RouterFaults {
  readonly isOfRun?: (subject: string, runId: string) => boolean;
  readonly dropsEnds?: boolean;
  readonly decodesAnything?: boolean;
  readonly staysAfterEnd?: boolean;
  readonly deliversInTurn?: boolean;
  readonly detachesById?: boolean;
  readonly closesAtOnce?: boolean;
}

interface Attachment {
  readonly runId: string;
  readonly sinkId: string;
  offer(envelope: Envelope): void;
  unsubscribe(): void;
}

function deltaOf(envelope: Envelope, faults: RouterFaults): { type: string; content?: unknown } | undefined {
  if (!envelope.subject.endsWith(".delta")) return undefined;
  const payload: unknown = envelope.payload;
  if (typeof payload !== "object" || payload === null || !("type" in payload)) {
    if (faults.decodesAnything === true) return { type: "", content: "" };
    throw new EngineError("stream.invalid_delta", { problem: "no object" });
  }
  return { type: String(payload.type), content: "content" in payload ? payload.content : undefined };
}

/** A correct router on its own bus, as short as possible. The given faults make it wrong. */
export function simpleRouter(options: ContractRouterOptions = {}, faults: RouterFaults = {}): RouterOnBus {
  const bus = simpleBus();
  const attachments = new Set<Attachment>();
  const deliveries = new Set<Promise<void>>();
  let shared: Promise<void> = Promise.resolve();
  let closed = false;

  function attachment(runId: string, sinkId: string, sink: ContractSink): Attachment {
    let waiting: Envelope[] = [];
    let hasLeft = false;
    let running: Promise<void> | undefined;

    async function deliver(envelope: Envelope): Promise<void> {
      try {
        const delta = deltaOf(envelope, faults);
        if (delta !== undefined || options.allEvents === true) await sink.onDelta(envelope, delta);
        if (envelope.type === "run_end") await sink.onEnd?.(envelope);
      } catch (error) {
        try {
          options.onSinkError?.(sinkId, error);
        } catch {
          // There is no reader left that could be notified.
        }
      }
    }

    async function run(): Promise<void> {
      await Promise.resolve();
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await deliver(next);
      running = undefined;
    }

    const one: Attachment = {
      runId,
      sinkId,
      offer(envelope) {
        const isEnd = envelope.type === "run_end";
        const wanted = options.allEvents === true || envelope.subject.endsWith(".delta");
        if (hasLeft || !(isEnd || (wanted && options.subscription?.predicate?.(envelope) !== false))) return;
        const shouldBuffer = isEnd && faults.dropsEnds !== true;
        if (!shouldBuffer && waiting.length >= (options.bufferSize ?? 256)) return;
        waiting.push(envelope);
        if (running !== undefined) return;
        const delivering = faults.deliversInTurn === true ? shared.then(run) : run();
        shared = delivering;
        running = delivering;
        deliveries.add(delivering);
        void delivering.then(() => deliveries.delete(delivering));
      },
      unsubscribe() {
        hasLeft = true;
        waiting = [];
        attachments.delete(one);
        if (running !== undefined) deliveries.delete(running);
      },
    };
    return one;
  }

  async function forward(): Promise<void> {
    const { isOfRun = (subject, runId) => subject.startsWith(`engine.run.${runId}.`) } = faults;
    for await (const envelope of bus.subscribe(">", { bufferSize: 10_000 })) {
      for (const one of [...attachments]) {
        if (!isOfRun(envelope.subject, one.runId)) continue;
        one.offer(envelope);
        if (envelope.type === "run_end" && faults.staysAfterEnd !== true) attachments.delete(one);
      }
    }
  }
  void forward();

  const router: ContractRouter = {
    attach(runId, sinkId, sink) {
      if (closed) throw new EngineError("stream.closed");
      if (runId === "" || sinkId === "")
        throw new EngineError("config.invalid", { field: "id", problem: "it is empty" });
      const one = attachment(runId, sinkId, typeof sink === "function" ? { onDelta: sink } : sink);
      const same = (): Attachment[] => [...attachments].filter((it) => it.runId === runId && it.sinkId === sinkId);
      for (const earlier of same()) earlier.unsubscribe();
      attachments.add(one);
      return () => {
        for (const it of faults.detachesById === true ? same() : [one]) it.unsubscribe();
      };
    },
    async close() {
      closed = true;
      attachments.clear();
      if (faults.closesAtOnce !== true) await Promise.all(deliveries);
    },
  };
  return { bus, router };
}
