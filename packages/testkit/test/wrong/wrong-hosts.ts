import { EngineError, type Host, type Interrupt, type InterruptSource } from "@switchyard/contracts";
import type { HostFactory, HostSubject } from "../../src/index.ts";
import { keepingHost } from "../right/keeping-host.ts";
import { altered, type Wrong } from "./wrong.ts";

function but(changes: (right: Host, subject: HostSubject) => Partial<Host>, subject = keepingHost): HostFactory {
  return () => {
    const right = subject();
    return { ...right, host: altered(right.host, changes(right.host, right)) };
  };
}

function withSource(source: (right: InterruptSource | undefined) => Partial<InterruptSource>): HostFactory {
  return but((host) => ({
    interrupts: () => {
      const right = host.interrupts();
      return right === undefined ? undefined : altered(right, source(right));
    },
  }));
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Hosts with one fault each. */
export const wrongHosts: readonly Wrong<HostFactory>[] = [
  {
    fault: "it cannot ask",
    noticedBy: ["host/five-interfaces"],
    factory: () => ({ host: JSON.parse("{}") }),
  },
  {
    fault: "it publishes increments only",
    noticedBy: ["host/publish"],
    factory: but((host) => ({
      publish: async (envelope) => {
        if (!envelope.subject.endsWith(".delta"))
          throw new EngineError("subject.invalid", { subject: "", problem: "" });
        await host.publish(envelope);
      },
    })),
  },
  {
    fault: "it takes one call at a time",
    noticedBy: ["host/at-once"],
    factory: but((host) => {
      let isBusy = false;
      return {
        checkpoint: async (checkpoint) => {
          if (isBusy) throw new Error("busy");
          isBusy = true;
          await turn();
          await host.checkpoint(checkpoint);
          isBusy = false;
        },
      };
    }),
  },
  {
    fault: "it lets questions wait that nobody can answer",
    noticedBy: ["host/no-user", "host/question-cancelled"],
    factory: but(
      () => ({ askUser: () => new Promise(() => {}) }),
      () => keepingHost({ hasUser: false }),
    ),
  },
  {
    fault: "it refuses questions without a class",
    noticedBy: ["host/no-user"],
    factory: but(
      () => ({ askUser: () => Promise.reject(new Error("nobody is there")) }),
      () => keepingHost({ hasUser: false }),
    ),
  },
  {
    fault: "it asks one question at a time and forgets the others",
    noticedBy: ["host/user-answers"],
    factory: but((host) => {
      let isAsking = false;
      return {
        askUser: async (prompt, options) => {
          if (isAsking) return new Promise(() => {});
          isAsking = true;
          return host.askUser(prompt, options);
        },
      };
    }),
  },
  {
    fault: "it does not look at the signal of a question",
    noticedBy: ["host/question-cancelled"],
    factory: but((host) => ({ askUser: (prompt) => host.askUser(prompt) })),
  },
  {
    fault: "it fails checkpoints that it does not keep",
    noticedBy: ["host/checkpoint-taken", "host/at-once"],
    factory: but(() => ({ checkpoint: () => Promise.reject(new EngineError("checkpoint.unsupported", {})) })),
  },
  {
    fault: "it fails large usage reports although it has no budget",
    noticedBy: ["host/usage-taken"],
    factory: but(() => ({
      reportUsage: async ({ totalTokens }) => {
        if (totalTokens > 1_000) throw new EngineError("budget.exceeded", { budget: "tokens", used: 1, limit: 0 });
      },
    })),
  },
  {
    fault: "it always interrupts",
    noticedBy: ["host/no-interrupt"],
    factory: withSource(() => ({ tryReceive: () => ({ cause: "" }) })),
  },
  {
    fault: "waiting for an interrupt does not end",
    noticedBy: ["host/no-interrupt", "host/interrupt-reaches-all"],
    factory: withSource(() => ({ receive: () => new Promise(() => {}) })),
  },
  {
    fault: "an interrupt is used up by whoever sees it first",
    noticedBy: ["host/interrupt-reaches-all", "host/interrupt-stays"],
    factory: () => {
      const right = keepingHost();
      const source = right.host.interrupts();
      let seen = false;
      const once = (interrupt: Interrupt | undefined): Interrupt | undefined => {
        if (interrupt === undefined || seen) return undefined;
        seen = true;
        return interrupt;
      };
      const wrong: InterruptSource = {
        tryReceive: () => once(source?.tryReceive()),
        receive: async (signal) => once(await source?.receive(signal)),
      };
      return { ...right, host: altered(right.host, { interrupts: () => wrong }) };
    },
  },
  {
    fault: "the last interrupt counts",
    noticedBy: ["host/interrupt-stays"],
    factory: () => {
      const right = keepingHost();
      let last: Interrupt | undefined;
      const wrong: InterruptSource = { tryReceive: () => last, receive: async () => last };
      const interrupt = (next: Interrupt): void => {
        last = next;
      };
      return { ...right, host: altered(right.host, { interrupts: () => wrong }), interrupt };
    },
  },
  {
    fault: "it takes checkpoints and keeps them when there is time",
    noticedBy: ["host/checkpoint-kept", "host/checkpoint-fails-loudly"],
    factory: but((host) => ({
      checkpoint: async (checkpoint) => {
        setTimeout(() => void host.checkpoint(checkpoint).catch(() => undefined), 30);
      },
    })),
  },
  {
    fault: "it says nothing of checkpoints that it could not keep",
    noticedBy: ["host/checkpoint-fails-loudly"],
    factory: but((host) => ({ checkpoint: (checkpoint) => host.checkpoint(checkpoint).catch(() => undefined) })),
  },
  {
    fault: "it shows the newest event first",
    noticedBy: ["host/events-shown", "host/kept-in-order"],
    factory: but((host) => {
      const waiting: Parameters<Host["publish"]>[0][] = [];
      return {
        publish: async (envelope) => {
          waiting.push(envelope);
          setTimeout(() => void host.publish(waiting.pop() ?? envelope), 5);
        },
      };
    }),
  },
  {
    fault: "an observer that fails fails the publishing",
    noticedBy: ["host/failing-observer"],
    factory: () => {
      const right = keepingHost();
      const listeners: ((envelope: Parameters<Host["publish"]>[0]) => void)[] = [];
      const publish: Host["publish"] = async (envelope) => {
        for (const listener of listeners) listener(envelope);
      };
      return { ...right, host: altered(right.host, { publish }), observe: (one) => void listeners.push(one) };
    },
  },
  {
    fault: "it shows an event and keeps it afterwards",
    noticedBy: ["host/kept-before-shown"],
    factory: () => {
      const right = keepingHost();
      const listeners: ((envelope: Parameters<Host["publish"]>[0]) => void)[] = [];
      const publish: Host["publish"] = async (envelope) => {
        for (const listener of listeners) listener(envelope);
        await turn();
        await right.host.publish(envelope);
      };
      return { ...right, host: altered(right.host, { publish }), observe: (one) => void listeners.push(one) };
    },
  },
  {
    fault: "two events have one number",
    noticedBy: ["host/kept-in-order"],
    factory: () => {
      const right = keepingHost();
      const stored = async (): Promise<readonly Parameters<Host["publish"]>[0][]> =>
        ((await right.stored?.()) ?? []).map((envelope) => ({ ...envelope, seq: 1 }));
      return { ...right, stored };
    },
  },
  {
    fault: "the last usage report counts",
    noticedBy: ["host/usage-adds-up"],
    factory: () => {
      const right = keepingHost();
      let last = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
      const reportUsage: Host["reportUsage"] = async (usage) => {
        last = usage;
      };
      return { ...right, host: altered(right.host, { reportUsage }), totalUsage: () => last };
    },
  },
  {
    fault: "it does not look at its budget",
    noticedBy: ["host/budget"],
    factory: but(
      (host) => ({ reportUsage: (usage) => host.reportUsage(usage).catch(() => undefined) }),
      () => keepingHost({ budgetTokens: 1_000 }),
    ),
  },
  {
    fault: "it refuses once, and does not count what it refuses",
    noticedBy: ["host/budget"],
    factory: but(
      (host) => ({
        reportUsage: async (usage) => {
          if (usage.totalTokens > 1_000) throw new EngineError("budget.exceeded", { budget: "t", used: 1, limit: 0 });
          await host.reportUsage(usage);
        },
      }),
      () => keepingHost({ budgetTokens: 1_000 }),
    ),
  },
];
