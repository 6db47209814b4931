import { DEPENDENCY, type Engine, EngineError, isEffectJournal } from "@switchyard/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  createCheckpoint,
  createStepRunner,
  type DurableHost,
  defineEngine,
  getDependency,
  type RunSignal,
  runInSteps,
} from "../index.ts";

/** Engine that asks whether it may deploy, fails once, and then deploys. */
function deploying(deployments: string[], failures: { left: number }): Engine {
  return defineEngine(
    async (run, host, board) => {
      const journal = getDependency(run.deps, DEPENDENCY.effectJournal, isEffectJournal);
      const reply = await host.askUser({ id: "ok", parts: [{ type: "text", text: "Deploy?" }] });
      if (failures.left-- > 0) throw new EngineError("transport.network", { url: "http://a", problem: "no" });
      if (journal.find("deploy").kind === "new") {
        journal.intend([{ id: "deploy", name: "deploy", effects: "unsafe" }]);
        await host.checkpoint(createCheckpoint(run, board));
      }
      if (journal.find("deploy").kind === "intended") {
        journal.begin("deploy");
        deployments.push(JSON.stringify(reply.parts));
        journal.end("deploy", {});
      }
    },
    { supportsResume: true, emitsCheckpoint: true, emitsUserPrompt: true },
  );
}

/** A durable engine in memory, whose process dies at the given operations, counted over all executions. */
class MemoryHost implements DurableHost {
  readonly #journal: unknown[];
  readonly #deaths: ReadonlySet<number>;
  readonly #clock: { count: number };
  #position = 0;
  readonly questions: string[] = [];

  constructor(journal: unknown[], clock: { count: number }, deaths: ReadonlySet<number>) {
    this.#journal = journal;
    this.#clock = clock;
    this.#deaths = deaths;
  }

  async step<T>(_name: string, execute: () => Promise<T>): Promise<T> {
    const position = this.#position++;
    if (position >= this.#journal.length) {
      this.#live();
      const result = JSON.stringify(await execute());
      this.#live();
      this.#journal.push(result);
    }
    return JSON.parse(String(this.#journal[position]));
  }

  signals({ wait }: { wait: boolean }): Promise<readonly RunSignal[]> {
    const answer = { type: "answer", prompt_id: "ok", reply: "yes" } as const;
    return this.step("signals", async () => (wait ? [answer] : []));
  }

  async sleep(): Promise<void> {
    await this.step("sleep", async () => null);
  }

  #live(): void {
    this.#clock.count += 1;
    if (this.#deaths.has(this.#clock.count)) throw new Error("killed");
  }
}

test("a run ends and makes no effect twice, wherever its process dies [D4]", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 12 }), async (deaths) => {
      const [deployments, journal, clock] = [[] as string[], [] as unknown[], { count: 0 }];
      const failures = { left: 1 };
      for (;;) {
        const runner = createStepRunner({ engine: deploying(deployments, failures) });
        const host = new MemoryHost(journal, clock, new Set(deaths));
        try {
          const outcome = await runInSteps(runner, host, { runId: "r1", prompt: "deploy" });
          expect(outcome).toMatchObject({ run_id: "r1", status: "completed" });
          break;
        } catch (error) {
          expect(error).toMatchObject({ message: "killed" });
        }
      }
      expect(deployments.length).toBeLessThanOrEqual(1);
      if (deaths.length === 0) expect(deployments).toEqual(['[{"type":"text","text":"yes"}]']);
    }),
    { numRuns: 50 },
  );
});

test("a run that is cancelled by a signal ends, and a failure is retried up to the maximum", async () => {
  const host = (wait: readonly RunSignal[]): DurableHost => ({
    step: (_, execute) => execute(),
    signals: async (options) => (options.wait ? wait : []),
    sleep: async () => {},
  });
  const cancelled = createStepRunner({ engine: deploying([], { left: 0 }) });
  expect(await runInSteps(cancelled, host([{ type: "cancel" }]), { runId: "r1", prompt: "x" })).toMatchObject({
    status: "cancelled",
    error: { code: "run.cancelled" },
  });
  const failing = createStepRunner({ engine: deploying([], { left: 9 }) });
  const answer = { type: "answer", prompt_id: "ok", reply: "yes" } as const;
  const options = { runId: "r2", prompt: "x", maxAttempts: 2 };
  expect(await runInSteps(failing, host([answer]), options)).toMatchObject({ status: "failed", steps: 3 });
});
