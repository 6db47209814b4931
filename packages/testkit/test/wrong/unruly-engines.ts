import {
  type Board,
  type Capabilities,
  type Engine,
  EngineError,
  type Envelope,
  type Host,
  hasErrorClass,
  type Run,
} from "@switchyard/contracts";
import { plainBoard } from "../../src/board/plain-board.ts";
import type { EngineFactory } from "../../src/index.ts";
import { type CountingMode, countingSubject, modestEngine } from "../right/counting-engine.ts";
import { altered, type Wrong } from "./wrong.ts";

type Execute = Engine["execute"];

/** A counting engine that is correct except for some members, in every situation. */
export function but(changes: (right: Engine, mode: CountingMode) => Partial<Engine>): EngineFactory {
  return () => countingSubject((engine, mode) => altered(engine, changes(engine, mode)));
}

/** An engine whose execution is wrong. */
export function executing(change: (execute: Execute) => Execute): EngineFactory {
  return but((engine) => ({ execute: change((run, host, board) => engine.execute(run, host, board)) }));
}

/** An engine that uses another host than the given one. */
export function seeing(change: (host: Host, run: Run) => Partial<Host>): EngineFactory {
  return executing((execute) => (run, host, board) => execute(run, altered(host, change(host, run)), board));
}

/** An engine whose events are wrong. */
export function publishing(change: (envelope: Envelope, publish: Host["publish"]) => Promise<void>): EngineFactory {
  return seeing((host) => ({ publish: (envelope) => change(envelope, (one) => host.publish(one)) }));
}

/** An engine that declares other capabilities. */
export function claiming(claims: Capabilities): EngineFactory {
  return but((engine) => ({ capabilities: () => ({ ...engine.capabilities?.(), ...claims }) }));
}

/** An engine that rejects with another error. */
export function rejecting(change: (error: unknown, run: Run, host: Host) => unknown): EngineFactory {
  return executing((execute) => async (run, host, board) => {
    try {
      return await execute(run, host, board);
    } catch (error) {
      throw change(error, run, host);
    }
  });
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

let sharedRun: Run | undefined;

function clear(board: Board): void {
  for (const name of Object.keys(board.vars())) board.deleteVar(name);
}

/** Engines that begin, end or stop incorrectly. */
export const unrulyEngines: readonly Wrong<EngineFactory>[] = [
  {
    fault: "it gives back a board of its own",
    noticedBy: ["engine/same-board"],
    factory: executing(
      (execute) => async (run, host, board) => plainBoard((await execute(run, host, board)).snapshot()),
    ),
  },
  {
    fault: "it publishes its start twice",
    noticedBy: ["engine/start-once"],
    factory: publishing(async (envelope, publish) => {
      await publish(envelope);
      if (envelope.type === "run_start") await publish(envelope);
    }),
  },
  {
    fault: "it publishes its end only when it has completed",
    noticedBy: ["engine/end-once", "engine/end-last"],
    factory: publishing(async (envelope, publish) => {
      if (envelope.type !== "run_end" || envelope.payload.outcome === "completed") await publish(envelope);
    }),
  },
  {
    fault: "it publishes its end when there is time",
    noticedBy: ["engine/end-once"],
    factory: publishing(async (envelope, publish) => {
      if (envelope.type === "run_end") void turn().then(() => publish(envelope));
      else await publish(envelope);
    }),
  },
  {
    fault: "it says something behind its end",
    noticedBy: ["engine/end-last"],
    factory: publishing(async (envelope, publish) => {
      await publish(envelope);
      const payload = { message: "by the way" };
      if (envelope.type === "run_end") await publish({ ...envelope, type: "warning", payload });
    }),
  },
  {
    fault: "it always says that it has completed",
    noticedBy: ["engine/end-tells-outcome"],
    factory: publishing(async (envelope, publish) => {
      await publish(envelope.type === "run_end" ? { ...envelope, payload: { outcome: "completed" } } : envelope);
    }),
  },
  {
    fault: "it clears the board when it fails",
    noticedBy: ["engine/partial-state"],
    factory: executing((execute) => async (run, host, board) => {
      try {
        return await execute(run, host, board);
      } catch (error) {
        clear(board);
        throw error;
      }
    }),
  },
  {
    fault: "its failures have no class",
    noticedBy: ["engine/failure-classified", "engine/interrupt-before", "engine/abort-before"],
    factory: rejecting((error) => new Error(String(error))),
  },
  {
    fault: "its events are below the prefix of another run",
    noticedBy: ["engine/subjects", "engine/again", "engine/two-at-once"],
    factory: publishing((envelope, publish) =>
      publish({ ...envelope, subject: envelope.subject.replace(/^engine\.run\.[^.]+/, "engine.run.other") }),
    ),
  },
  {
    fault: "its events do not name the run",
    noticedBy: ["engine/subjects"],
    factory: publishing((envelope, publish) => publish({ ...envelope, headers: {} })),
  },
  {
    fault: "all its events have one id",
    noticedBy: ["engine/envelopes"],
    factory: publishing((envelope, publish) => publish({ ...envelope, id: "event" })),
  },
  {
    fault: "it does not tell when a step failed",
    noticedBy: ["engine/steps-paired"],
    factory: publishing(async (envelope, publish) => {
      if (envelope.type !== "step_error") await publish(envelope);
    }),
  },
  {
    fault: "its actors have a dot",
    noticedBy: ["engine/actor-of-agent", "engine/subjects"],
    factory: publishing((envelope, publish) =>
      publish({ ...envelope, subject: envelope.subject.replace(/\.(step|stream)\.contract/, ".$1.a.contract") }),
    ),
  },
  {
    fault: "its increments name no type",
    noticedBy: ["engine/increments"],
    factory: publishing(async (envelope, publish) => {
      const isDelta = envelope.type === "assistant_text_delta";
      await publish(isDelta ? Object.assign({ ...envelope }, { payload: { content: "1" } }) : envelope);
    }),
  },
  {
    fault: "it does not look for interrupts",
    noticedBy: [
      "engine/interrupt-before",
      "engine/interrupt-at-any-call",
      "engine/interrupt-wakes",
      "engine/interrupt-cause",
    ],
    factory: seeing(() => ({ interrupts: () => undefined })),
  },
  {
    fault: "it forgets why it was interrupted",
    noticedBy: ["engine/interrupt-cause", "engine/interrupt-every-cause"],
    factory: rejecting((error) => {
      return hasErrorClass(error, "interrupted") ? new EngineError("run.interrupted", { cause: "unknown" }) : error;
    }),
  },
  {
    fault: "it works on when the host shuts down",
    noticedBy: ["engine/interrupt-every-cause"],
    factory: seeing((host) => {
      const first = host.interrupts()?.tryReceive();
      return first?.cause === "host_shutdown" ? { interrupts: () => undefined } : {};
    }),
  },
  {
    fault: "it looks for interrupts once, at its beginning",
    noticedBy: ["engine/interrupt-at-any-call", "engine/interrupt-wakes"],
    factory: seeing((host) => {
      const first = host.interrupts()?.tryReceive();
      return { interrupts: () => ({ tryReceive: () => first, receive: () => new Promise(() => {}) }) };
    }),
  },
  {
    fault: "it takes it for granted that interrupts may come",
    noticedBy: ["engine/no-interrupts"],
    factory: executing((execute) => async (run, host, board) => {
      if (host.interrupts() === undefined)
        throw new EngineError("engine.failed", { engine: "it", problem: "no source" });
      return execute(run, host, board);
    }),
  },
  {
    fault: "it does not look at its signal",
    noticedBy: ["engine/abort-before", "engine/deadline", "engine/abort-at-any-call", "engine/abort-wakes"],
    factory: executing((execute) => (run, host, board) => {
      return execute({ ...run, signal: new AbortController().signal }, host, board);
    }),
  },
  {
    fault: "it takes a deadline for a cancellation",
    noticedBy: ["engine/deadline"],
    factory: rejecting((error) => (hasErrorClass(error, "timeout") ? new EngineError("run.cancelled") : error)),
  },
  {
    fault: "it rejects and goes on behind that",
    noticedBy: ["engine/quiet-when-over"],
    factory: executing((execute) => async (run, host, board) => {
      const stopped = new Promise<never>((_, reject) => {
        const stop = (): void => reject(new EngineError("run.cancelled"));
        run.signal.addEventListener("abort", stop, { once: true });
      });
      return Promise.race([execute({ ...run, signal: new AbortController().signal }, host, board), stopped]);
    }),
  },
  {
    fault: "it marks the attributes of the run",
    noticedBy: ["engine/attributes-stay", "engine/frozen-run"],
    factory: executing((execute) => async (run, host, board) => {
      Object.assign(run.attributes, { "engine.kind": "counter" });
      return execute(run, host, board);
    }),
  },
  {
    fault: "it marks the checkpoint it goes on from",
    noticedBy: ["engine/checkpoint-stays"],
    factory: executing((execute) => async (run, host, board) => {
      if (run.resumeFrom !== undefined) Object.assign(run.resumeFrom, { iteration: 99 });
      return execute(run, host, board);
    }),
  },
  {
    fault: "it closes its host",
    noticedBy: ["engine/host-only"],
    factory: executing((execute) => async (run, host, board) => {
      const done = await execute(run, host, board);
      if ("close" in host || Reflect.get(host, "close") !== undefined) Reflect.get(host, "close")();
      return done;
    }),
  },
  {
    fault: "it runs once",
    noticedBy: ["engine/again"],
    factory: but((engine) => {
      let ran = false;
      return {
        execute: async (run, host, board) => {
          if (ran) throw new EngineError("engine.failed", { engine: "it", problem: "it ran already" });
          ran = true;
          return engine.execute(run, host, board);
        },
      };
    }),
  },
  {
    fault: "it keeps its run where all runs find it",
    noticedBy: ["engine/two-at-once"],
    factory: executing((execute) => async (run, host, board) => {
      sharedRun = run;
      await turn();
      return execute(sharedRun, host, board);
    }),
  },
];

/** An engine without capabilities that is correct except for its execution. */
export function modest(change: (execute: Execute) => Execute): EngineFactory {
  return () =>
    altered(modestEngine(), { execute: change((run, host, board) => modestEngine().execute(run, host, board)) });
}
