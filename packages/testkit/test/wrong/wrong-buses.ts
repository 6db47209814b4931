import type { BusFactory, ContractBus, ContractSubscription } from "../../src/index.ts";
import { type BusFaults, simpleBus } from "../right/simple-bus.ts";
import { altered, type Wrong } from "./wrong.ts";

function faulty(faults: BusFaults): BusFactory {
  return (options) => simpleBus(options, faults);
}

function but(changes: (right: ContractBus) => Partial<ContractBus>): BusFactory {
  return (options) => {
    const bus = simpleBus(options);
    return altered(bus, changes(bus));
  };
}

function subscribing(change: (right: ContractSubscription) => Partial<ContractSubscription>): BusFactory {
  return but((bus) => ({
    subscribe: (pattern, options) => {
      const subscription = bus.subscribe(pattern, options);
      return altered(subscription, change(subscription));
    },
  }));
}

function asRegExp(pattern: string, subject: string): boolean {
  return new RegExp(`^${pattern.replaceAll(".", "\\.").replace("*", "[^.]+").replace(">", ".+")}$`, "i").test(subject);
}

/** Buses with one fault each. */
export const wrongBuses: readonly Wrong<BusFactory>[] = [
  {
    fault: "patterns are not looked at",
    noticedBy: ["bus/order", "bus/asterisk", "bus/rest", "bus/literal"],
    factory: faulty({ matches: () => true }),
  },
  {
    fault: "a new subscriber gets what was said before",
    noticedBy: ["bus/order-of-late-reader", "bus/late-subscriber"],
    factory: () => {
      const published: Parameters<ContractBus["publish"]>[0][] = [];
      const bus = simpleBus();
      return altered(bus, {
        publish: async (envelope, options) => {
          published.push(envelope);
          await bus.publish(envelope, options);
        },
        subscribe: (pattern, options) => {
          const subscription = bus.subscribe(pattern, options);
          for (const envelope of published) void bus.publish(envelope);
          return subscription;
        },
      });
    },
  },
  {
    fault: "only the first subscriber of an envelope gets it",
    noticedBy: ["bus/every-subscriber"],
    factory: () => {
      let pattern = "";
      const bus = simpleBus({}, { matches: (requested) => requested === pattern });
      return altered(bus, {
        subscribe: (requested, options) => {
          pattern = pattern === "" ? requested : pattern;
          return bus.subscribe(requested, options);
        },
      });
    },
  },
  {
    fault: "an asterisk stands for any number of segments",
    noticedBy: ["bus/asterisk"],
    factory: faulty({ matches: (pattern, subject) => new RegExp(`^${pattern.replace("*", ".+")}$`).test(subject) }),
  },
  {
    fault: "a greater-than sign also stands for nothing",
    noticedBy: ["bus/rest"],
    factory: faulty({ matches: (pattern, subject) => `${subject}.`.startsWith(pattern.replace(">", "")) }),
  },
  {
    fault: "patterns are regular expressions without regard to case",
    noticedBy: ["bus/literal"],
    factory: faulty({ matches: asRegExp }),
  },
  {
    fault: "any text is a pattern",
    noticedBy: ["bus/bad-patterns"],
    factory: faulty({ patternProblem: () => false }),
  },
  {
    fault: "any text is a subject",
    noticedBy: ["bus/bad-subjects"],
    factory: faulty({ subjectProblem: () => false }),
  },
  {
    fault: "subjects are measured in characters",
    noticedBy: ["bus/bad-subjects"],
    factory: faulty({ subjectProblem: (subject) => subject.length > 1_024 || !/^[^.*>]+$/.test(subject) }),
  },
  {
    fault: "predicates are not asked",
    noticedBy: ["bus/predicate"],
    factory: faulty({ subscriptionOptions: (options) => ({ ...options, predicate: undefined }) }),
  },
  {
    fault: "what a predicate throws reaches the publisher",
    noticedBy: ["bus/failing-predicate"],
    factory: faulty({ guardsPredicate: false }),
  },
  {
    fault: "a loop that is left goes on holding its place",
    noticedBy: ["bus/failing-reader", "bus/leaving-the-loop"],
    factory: subscribing((subscription) => ({
      [Symbol.asyncIterator]: () => {
        const iterator = subscription[Symbol.asyncIterator]();
        return { next: () => iterator.next() };
      },
    })),
  },
  {
    fault: "observers are not told of deliveries",
    noticedBy: ["bus/observer"],
    factory: ({ observer } = {}) =>
      simpleBus({ observer: { onPublish: (envelope) => observer?.onPublish?.(envelope) } }),
  },
  {
    fault: "what an observer throws reaches the publisher",
    noticedBy: ["bus/failing-observer"],
    factory: ({ observer } = {}) => {
      const bus = simpleBus();
      return altered(bus, {
        publish: async (envelope) => {
          observer?.onPublish?.(envelope);
          await bus.publish(envelope);
        },
      });
    },
  },
  {
    fault: "buffers have no bounds",
    noticedBy: ["bus/drops-newest", "bus/buffer-size", "bus/drops-oldest", "bus/block"],
    factory: faulty({ subscriptionOptions: (options) => ({ ...options, bufferSize: 1_000_000 }) }),
  },
  {
    fault: "the oldest are dropped by default",
    noticedBy: ["bus/drops-newest"],
    factory: faulty({ defaults: { backpressure: "drop_oldest" } }),
  },
  {
    fault: "drops are not counted",
    noticedBy: ["bus/drops-newest", "bus/drops-oldest", "bus/sample"],
    factory: subscribing(() => ({ dropped: 0 })),
  },
  {
    fault: "nothing is left out by sampling",
    noticedBy: ["bus/sample"],
    factory: faulty({ subscriptionOptions: (options) => ({ ...options, sampleRate: 1 }) }),
  },
  {
    fault: "whoever was held up last goes on first",
    noticedBy: ["bus/block-order"],
    factory: faulty({ admitsLast: true }),
  },
  {
    fault: "closing lets publishers hang",
    noticedBy: ["bus/block-ends"],
    factory: but((bus) => ({
      publish: async (envelope, options) => {
        let settled = false;
        const publishing = bus.publish(envelope, options).finally(() => {
          settled = true;
        });
        await new Promise<void>((resolve) => setImmediate(resolve));
        if (!settled) await new Promise(() => {});
        await publishing;
      },
    })),
  },
  {
    fault: "a publisher cannot give up",
    noticedBy: ["bus/block-cancelled"],
    factory: but((bus) => ({ publish: (envelope) => bus.publish(envelope) })),
  },
  {
    fault: "nothing is kept",
    noticedBy: ["bus/keep"],
    factory: faulty({ subscriptionOptions: (options) => ({ ...options, keep: undefined }) }),
  },
  {
    fault: "everybody blocks",
    noticedBy: ["bus/slow-reader"],
    factory: faulty({ subscriptionOptions: (options) => ({ ...options, backpressure: "block" }) }),
  },
  {
    fault: "a publisher is let go on by the first reader that has taken its envelope",
    noticedBy: ["bus/blocking-alone"],
    factory: faulty({ subscriptionOptions: (options) => ({ ...options, backpressure: "drop_newest" }) }),
  },
  {
    fault: "closing the bus leaves its readers waiting",
    noticedBy: ["bus/close-ends", "bus/closed-refuses"],
    factory: but(() => ({ close: () => {} })),
  },
  {
    fault: "closing twice fails",
    noticedBy: ["bus/close-again"],
    factory: but((bus) => {
      let closed = false;
      return {
        close: () => {
          // Only the second time within a case. The kit closes the bus once more at the end.
          if (closed) throw new Error("closed already");
          closed = true;
          bus.close();
        },
      };
    }),
  },
  {
    fault: "closing throws away what waits",
    noticedBy: ["bus/close-ends"],
    factory: but((bus) => {
      const subscriptions: ContractSubscription[] = [];
      return {
        subscribe: (pattern, options) => {
          const subscription = bus.subscribe(pattern, options);
          subscriptions.push(subscription);
          return subscription;
        },
        close: () => {
          for (const subscription of subscriptions) subscription.close();
          bus.close();
        },
      };
    }),
  },
  {
    fault: "signals are not looked at",
    noticedBy: ["bus/signal-ends"],
    factory: faulty({ subscriptionOptions: (options) => ({ ...options, signal: undefined }) }),
  },
  {
    fault: "closing a subscription does not wake its reader",
    noticedBy: ["bus/subscription-close"],
    factory: subscribing(() => ({ close: () => {} })),
  },
];
