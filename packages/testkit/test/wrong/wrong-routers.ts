import type { ContractRouter, ContractRouterOptions, StreamRouterFactory } from "../../src/index.ts";
import { type RouterFaults, simpleRouter } from "../right/simple-router.ts";
import { altered, type Wrong } from "./wrong.ts";

function faulty(faults: RouterFaults): StreamRouterFactory {
  return (options) => simpleRouter(options, faults);
}

function withOptions(change: (options: ContractRouterOptions) => ContractRouterOptions): StreamRouterFactory {
  return (options = {}) => simpleRouter(change(options));
}

function but(changes: (right: ContractRouter) => Partial<ContractRouter>): StreamRouterFactory {
  return (options) => {
    const { bus, router } = simpleRouter(options);
    return { bus, router: altered(router, changes(router)) };
  };
}

function sizeOf(options: ContractRouterOptions): number | undefined {
  const size: unknown =
    options.subscription === undefined ? undefined : Reflect.get(options.subscription, "bufferSize");
  return typeof size === "number" ? size : options.bufferSize;
}

/** Routers with one fault each. */
export const wrongRouters: readonly Wrong<StreamRouterFactory>[] = [
  {
    fault: "all sinks of a run have one place",
    noticedBy: ["router/every-sink", "router/sink-error"],
    factory: but((router) => ({ attach: (runId, _sinkId, sink) => router.attach(runId, "only", sink) })),
  },
  {
    fault: "a sink is attached when the run has produced something",
    noticedBy: ["router/before-the-run"],
    factory: (options) => {
      const { bus, router } = simpleRouter(options);
      let attach = (): void => {};
      return {
        bus: { publish: (envelope) => bus.publish(envelope).then(() => attach()) },
        router: altered(router, {
          attach: (runId, sinkId, sink) => {
            attach = () => void router.attach(runId, sinkId, sink);
            return () => {};
          },
        }),
      };
    },
  },
  {
    fault: "runs whose ids begin alike are taken for one",
    noticedBy: ["router/one-run"],
    factory: faulty({ isOfRun: (subject, runId) => subject.startsWith(`engine.run.${runId}`) }),
  },
  {
    fault: "sinks always get all events",
    noticedBy: ["router/increments-only", "router/function-sink"],
    factory: withOptions((options) => ({ ...options, allEvents: true })),
  },
  {
    fault: "sinks never get all events",
    noticedBy: ["router/all-events"],
    factory: withOptions((options) => ({ ...options, allEvents: false })),
  },
  {
    fault: "only objects are sinks",
    noticedBy: ["router/function-sink"],
    factory: but((router) => ({
      attach: (runId, sinkId, sink) =>
        router.attach(runId, sinkId, typeof sink === "function" ? { onDelta: () => {} } : sink),
    })),
  },
  {
    fault: "a sink gets an empty increment for what cannot be decoded",
    noticedBy: ["router/undecodable"],
    factory: faulty({ decodesAnything: true }),
  },
  {
    fault: "the buffer holds 64",
    noticedBy: ["router/buffer-default"],
    factory: withOptions((options) => ({ bufferSize: 64, ...options })),
  },
  {
    fault: "options of the subscription override the size of the buffer",
    noticedBy: ["router/buffer-size"],
    factory: withOptions((options) => ({ ...options, bufferSize: sizeOf(options) })),
  },
  {
    fault: "options of the subscription are dropped",
    noticedBy: ["router/subscription-options"],
    factory: withOptions((options) => ({ ...options, subscription: undefined })),
  },
  {
    fault: "no bus is no problem",
    noticedBy: ["router/needs-a-bus"],
    factory: () => ({ ...simpleRouter(), withoutBus: () => simpleRouter() }),
  },
  {
    fault: "a run is not torn down at its end",
    noticedBy: ["router/end-tears-down"],
    factory: faulty({ staysAfterEnd: true }),
  },
  {
    fault: "the end is not seen",
    noticedBy: ["router/end-tears-down", "router/next-attempt", "router/end-never-dropped", "router/one-run"],
    factory: faulty({ isOfRun: (subject, runId) => subject.startsWith(`engine.run.${runId}.stream.`) }),
  },
  {
    fault: "the end is dropped like any other event",
    noticedBy: ["router/end-never-dropped"],
    factory: faulty({ dropsEnds: true }),
  },
  {
    fault: "errors of sinks are dropped",
    noticedBy: ["router/sink-error"],
    factory: withOptions((options) => ({ ...options, onSinkError: undefined })),
  },
  {
    fault: "a failing handler ends the deliveries",
    noticedBy: ["router/failing-handler"],
    factory: (options = {}) => {
      let failed = false;
      const router = simpleRouter({
        ...options,
        onSinkError: (sinkId, error) => {
          failed = true;
          options.onSinkError?.(sinkId, error);
        },
      });
      return { ...router, bus: { publish: async (envelope) => (failed ? undefined : router.bus.publish(envelope)) } };
    },
  },
  {
    fault: "sinks are served one after another",
    noticedBy: ["router/hanging-sink"],
    factory: faulty({ deliversInTurn: true }),
  },
  {
    fault: "detaching does nothing",
    noticedBy: ["router/detach"],
    factory: but((router) => ({
      attach: (runId, sinkId, sink) => {
        router.attach(runId, sinkId, sink);
        return () => {};
      },
    })),
  },
  {
    fault: "an id is used once",
    noticedBy: ["router/attach-again"],
    factory: but((router) => {
      const used = new Set<string>();
      return {
        attach: (runId, sinkId, sink) => {
          if (used.has(sinkId)) return () => {};
          used.add(sinkId);
          return router.attach(runId, sinkId, sink);
        },
      };
    }),
  },
  {
    fault: "detaching goes by the id",
    noticedBy: ["router/stale-detach"],
    factory: faulty({ detachesById: true }),
  },
  {
    fault: "closing does not wait",
    noticedBy: ["router/close-waits"],
    factory: faulty({ closesAtOnce: true }),
  },
  {
    fault: "a closed router takes sinks",
    noticedBy: ["router/closed-refuses"],
    factory: but(() => ({ close: async () => {} })),
  },
  {
    fault: "ids may be empty",
    noticedBy: ["router/needs-ids"],
    factory: but((router) => ({
      attach: (runId, sinkId, sink) => router.attach(runId || "_", sinkId || "_", sink),
    })),
  },
];
