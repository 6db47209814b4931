import { type Board, EngineError, type Host, hasErrorClass, type Run } from "@switchyard/contracts";
import type { EngineFactory } from "../../src/index.ts";
import { countingSubject } from "../right/counting-engine.ts";
import { but, claiming, executing, modest, publishing, rejecting, seeing, unrulyEngines } from "./unruly-engines.ts";
import type { Wrong } from "./wrong.ts";

/** The run without its checkpoint, as at a fresh start. */
function afresh({ resumeFrom: _, ...run }: Run): Run {
  return run;
}

function withDependency(run: Run): Run {
  const deps = run.deps.clone();
  if (!deps.has("counter.step")) deps.set("counter.step", 1);
  return { ...run, deps };
}

/** Reports usage without regard to the host's response. */
function spendsOn(host: Host): Host["reportUsage"] {
  return async (usage) => {
    await host.reportUsage(usage).catch(() => undefined);
  };
}

async function keepingBoard(run: Run, board: Board, execute: (run: Run) => Promise<Board>): Promise<Board> {
  const { resumeFrom } = run;
  if (resumeFrom === undefined || resumeFrom.execId !== run.id) return execute(run);
  return execute({ ...run, resumeFrom: { ...resumeFrom, board: board.snapshot() } });
}

/** Engines that use their host incorrectly. */
const ruthlessEngines: readonly Wrong<EngineFactory>[] = [
  {
    fault: "a publishing that fails fails the run",
    noticedBy: ["engine/publish-fails"],
    factory: executing((execute) => async (run, host, board) => {
      let failure: unknown;
      const publish = async (envelope: Parameters<Host["publish"]>[0]): Promise<void> => {
        await host.publish(envelope).catch((error: unknown) => {
          failure = error;
        });
      };
      const done = await execute(run, { ...bound(host), publish }, board);
      if (failure !== undefined)
        throw new EngineError("engine.failed", { engine: "it", problem: "bus" }, { cause: failure });
      return done;
    }),
  },
  {
    fault: "it counts tokens that are no numbers",
    noticedBy: ["engine/usage-counts"],
    factory: seeing((host) => ({ reportUsage: (usage) => host.reportUsage({ ...usage, totalTokens: Number.NaN }) })),
  },
  {
    fault: "a usage report that fails fails the run",
    noticedBy: ["engine/usage-fails"],
    factory: seeing((host) => ({
      reportUsage: (usage) =>
        host.reportUsage(usage).catch((cause: unknown) => {
          throw new EngineError("budget.exceeded", { budget: "tokens", used: 1, limit: 0 }, { cause });
        }),
    })),
  },
  {
    fault: "it does not mind a used up budget",
    noticedBy: ["engine/budget-ends", "engine/budget-stops-spending"],
    factory: seeing((host) => ({ reportUsage: spendsOn(host) })),
  },
  {
    fault: "it spends what is left to do before it minds a used up budget",
    noticedBy: ["engine/budget-stops-spending"],
    factory: executing((execute) => async (run, host, board) => {
      let spent: unknown;
      const reportUsage = async (usage: Parameters<Host["reportUsage"]>[0]): Promise<void> => {
        await host.reportUsage(usage).catch((error: unknown) => {
          spent = error;
        });
      };
      const done = await execute(run, { ...bound(host), reportUsage }, board);
      if (spent !== undefined) throw spent;
      return done;
    }),
  },
  {
    fault: "it answers its questions itself when nobody else does",
    noticedBy: ["engine/prompt-refused"],
    factory: seeing((host) => ({
      askUser: (prompt, options) => host.askUser(prompt, options).catch(() => ({ parts: [] })),
    })),
  },
  {
    fault: "it does not wait for answers",
    noticedBy: ["engine/prompt-answered", "engine/prompt-cancelled"],
    factory: seeing((host) => ({
      askUser: async (prompt) => {
        host.askUser(prompt).catch(() => undefined);
        return { parts: [] };
      },
    })),
  },
  {
    fault: "its questions have a role",
    noticedBy: ["engine/prompt-answered"],
    factory: seeing((host) => ({
      askUser: (prompt, options) => host.askUser(Object.assign({ ...prompt }, { role: "assistant" }), options),
    })),
  },
  {
    fault: "it waits for an answer when it is cancelled",
    noticedBy: ["engine/prompt-cancelled"],
    factory: seeing((host) => ({ askUser: (prompt) => host.askUser(prompt) })),
  },
];

function bound(host: Host): Host {
  return {
    publish: (envelope) => host.publish(envelope),
    interrupts: () => host.interrupts(),
    askUser: (prompt, options) => host.askUser(prompt, options),
    checkpoint: (checkpoint) => host.checkpoint(checkpoint),
    reportUsage: (usage) => host.reportUsage(usage),
  };
}

/** Engines that do not fulfil their declared capabilities. */
const boastfulEngines: readonly Wrong<EngineFactory>[] = [
  {
    fault: "its dependencies are one text",
    noticedBy: ["engine/claims-well-formed"],
    factory: but(() => ({ capabilities: () => JSON.parse('{"requiredDependencies": "counter.step"}') })),
  },
  {
    fault: "it claims more once it has run",
    noticedBy: ["engine/claims-stay"],
    factory: but((engine) => {
      let ran = false;
      return {
        capabilities: () => ({ ...engine.capabilities?.(), acceptsSteering: ran }),
        execute: async (run, host, board) => {
          ran = true;
          return engine.execute(run, host, board);
        },
      };
    }),
  },
  {
    fault: "it does without what it claims to need",
    noticedBy: ["engine/missing-dependency"],
    factory: executing((execute) => (run, host, board) => execute(withDependency(run), host, board)),
  },
  {
    fault: "it needs what it does not claim to need",
    noticedBy: ["engine/undeclared-dependency"],
    factory: claiming({ requiredDependencies: [] }),
  },
  {
    fault: "it asks and does not claim it",
    noticedBy: ["engine/headless", "engine/asks-as-claimed"],
    factory: claiming({ emitsUserPrompt: false }),
  },
  {
    fault: "it claims to ask and never does",
    noticedBy: ["engine/asks-as-claimed"],
    factory: seeing(() => ({ askUser: async () => ({ parts: [] }) })),
  },
  {
    fault: "it writes checkpoints and does not claim it",
    noticedBy: ["engine/checkpoints-as-claimed"],
    factory: claiming({ emitsCheckpoint: false }),
  },
  {
    fault: "it claims checkpoints and writes none",
    noticedBy: ["engine/checkpoints-as-claimed"],
    factory: seeing(() => ({ checkpoint: async () => {} })),
  },
  {
    fault: "a suggestion is over when the checkpoint is written",
    noticedBy: ["engine/suggestion"],
    factory: but(() => ({ suggestCheckpoint: async () => {} })),
  },
  {
    fault: "it claims to resume and refuses every checkpoint",
    noticedBy: [
      "engine/resume-as-claimed",
      "engine/resume-through-json",
      "engine/resume-board",
      "engine/resume-events",
    ],
    factory: executing((execute) => async (run, host, board) => {
      if (run.resumeFrom !== undefined) throw new EngineError("checkpoint.unsupported", { engine: "it" });
      return execute(run, host, board);
    }),
  },
];

/** Engines whose checkpoints are wrong. */
const carelessEngines: readonly Wrong<EngineFactory>[] = [
  {
    fault: "its checkpoints have ids of their own",
    noticedBy: ["engine/checkpoint-of-run"],
    factory: seeing((host, run) => ({
      checkpoint: (checkpoint) => host.checkpoint({ ...checkpoint, execId: `${run.id}-${checkpoint.iteration}` }),
    })),
  },
  {
    fault: "its payload does not survive JSON",
    noticedBy: ["engine/checkpoint-plain"],
    factory: seeing((host) => ({
      checkpoint: (checkpoint) => host.checkpoint({ ...checkpoint, payload: { next: 1, at: new Date() } }),
    })),
  },
  {
    fault: "every attempt begins a new run",
    noticedBy: ["engine/checkpoint-times"],
    factory: seeing((host) => ({
      checkpoint: (checkpoint) => host.checkpoint({ ...checkpoint, originalStartedAt: checkpoint.timestamp }),
    })),
  },
  {
    fault: "its checkpoints have no attributes",
    noticedBy: ["engine/checkpoint-attributes"],
    factory: seeing((host) => ({
      checkpoint: (checkpoint) => host.checkpoint({ ...checkpoint, attributes: undefined }),
    })),
  },
  {
    fault: "its checkpoints hold the board itself",
    noticedBy: ["engine/checkpoint-apart"],
    factory: executing((execute) => (run, host, board) => {
      const live = {
        get vars() {
          return board.vars();
        },
        get channels() {
          return board.channels();
        },
      };
      const checkpoint: Host["checkpoint"] = (one) => host.checkpoint({ ...one, board: live });
      return execute(run, { ...bound(host), checkpoint }, board);
    }),
  },
  {
    fault: "it does not mind when a checkpoint is refused",
    noticedBy: ["engine/checkpoint-refused", "engine/checkpoint-refused-stops"],
    factory: seeing((host) => ({ checkpoint: (checkpoint) => host.checkpoint(checkpoint).catch(() => undefined) })),
  },
  {
    fault: "it minds a refused checkpoint at its end",
    noticedBy: ["engine/checkpoint-refused-stops"],
    factory: executing((execute) => async (run, host, board) => {
      let refusal: unknown;
      const checkpoint: Host["checkpoint"] = async (one) => {
        await host.checkpoint(one).catch((error: unknown) => {
          refusal = error;
        });
      };
      const done = await execute(run, { ...bound(host), checkpoint }, board);
      if (refusal !== undefined) throw refusal;
      return done;
    }),
  },
];

/** Engines that resume from checkpoints incorrectly. */
const forgetfulEngines: readonly Wrong<EngineFactory>[] = [
  {
    fault: "it goes on from the checkpoint of any run",
    noticedBy: ["engine/resume-foreign", "engine/resume-refused-untouched"],
    factory: executing((execute) => (run, host, board) => {
      const { resumeFrom } = run;
      if (resumeFrom === undefined || resumeFrom.execId === run.id) return execute(run, host, board);
      return execute({ ...run, resumeFrom: { ...resumeFrom, execId: run.id, payload: { next: 1 } } }, host, board);
    }),
  },
  {
    fault: "it looks at its support before it looks at the run",
    noticedBy: ["engine/resume-foreign"],
    factory: modest((execute) => async (run, host, board) => {
      if (run.resumeFrom !== undefined) throw new EngineError("checkpoint.unsupported", { engine: "it" });
      return execute(run, host, board);
    }),
  },
  {
    fault: "it starts afresh instead of resuming",
    noticedBy: ["engine/resume-unsupported", "engine/resume-foreign", "engine/resume-refused-untouched"],
    factory: modest((execute) => (run, host, board) => execute(afresh(run), host, board)),
  },
  {
    fault: "it goes on with the board that was passed",
    noticedBy: ["engine/resume-board", "engine/resume-result"],
    factory: executing((execute) => (run, host, board) => keepingBoard(run, board, (one) => execute(one, host, board))),
  },
  {
    fault: "it knows its checkpoints again by their identity only",
    noticedBy: ["engine/resume-through-json", "engine/resume-board"],
    factory: () => {
      const known = new WeakSet<object>();
      return countingSubject((engine) => ({
        ...engine,
        execute: async (run, host, board) => {
          const { resumeFrom } = run;
          if (resumeFrom !== undefined && !known.has(resumeFrom)) throw new EngineError("checkpoint.unsupported", {});
          const checkpoint: Host["checkpoint"] = async (one) => {
            known.add(one);
            await host.checkpoint(one);
          };
          return engine.execute(run, { ...bound(host), checkpoint }, board);
        },
      }));
    },
  },
  {
    fault: "it does the last step again",
    noticedBy: ["engine/resume-result"],
    factory: executing((execute) => (run, host, board) => {
      const { resumeFrom } = run;
      if (resumeFrom === undefined) return execute(run, host, board);
      const iteration = Math.max(0, (resumeFrom.iteration ?? 0) - 1);
      return execute({ ...run, resumeFrom: { ...resumeFrom, iteration } }, host, board);
    }),
  },
  {
    fault: "a resumed run looks like a fresh one",
    noticedBy: ["engine/resume-events"],
    factory: publishing((envelope, publish) =>
      publish(envelope.type === "run_start" ? { ...envelope, payload: { resumed: false } } : envelope),
    ),
  },
  {
    fault: "every attempt is the first",
    noticedBy: ["engine/resume-events"],
    factory: publishing((envelope, publish) => publish({ ...envelope, attempt: 1 })),
  },
  {
    fault: "it does not look at the version of its definition",
    noticedBy: ["engine/resume-drift"],
    factory: executing((execute) => (run, host, board) => {
      const { resumeFrom } = run;
      return execute(
        resumeFrom === undefined ? run : { ...run, resumeFrom: { ...resumeFrom, specVersion: "" } },
        host,
        board,
      );
    }),
  },
  {
    fault: "drift is an error in the checkpoint",
    noticedBy: ["engine/resume-drift"],
    factory: rejecting((error) =>
      hasErrorClass(error, "not_available") ? new EngineError("config.invalid", { field: "x", problem: "y" }) : error,
    ),
  },
];

/** Engines with one fault each. */
export const wrongEngines: readonly Wrong<EngineFactory>[] = [
  ...unrulyEngines,
  ...ruthlessEngines,
  ...boastfulEngines,
  ...carelessEngines,
  ...forgetfulEngines,
];
