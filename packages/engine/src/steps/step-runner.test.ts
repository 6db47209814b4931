import { DEPENDENCY, type Engine, EngineError, isEffectJournal } from "@switchyard/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createCheckpoint,
  createStepRunner,
  defineEngine,
  getDependency,
  type Step,
  type StepInput,
  type StepRunner,
  type StepState,
} from "../index.ts";

const RESUMABLE = { supportsResume: true, emitsCheckpoint: true } as const;

/** Stores the state as text, as a durable host does. */
function stored(state: StepState): StepState {
  return JSON.parse(JSON.stringify(state));
}

/** Engine that makes `rounds` payments, one after the other. Payments with an unknown outcome are not repeated. */
function paying(rounds: number, payments: string[]): Engine {
  return defineEngine(
    async (run, host, board) => {
      const journal = getDependency(run.deps, DEPENDENCY.effectJournal, isEffectJournal);
      for (let round = Number(run.resumeFrom?.iteration ?? 0) + 1; round <= rounds; round += 1) {
        const id = `pay-${round}`;
        const save = () => host.checkpoint(createCheckpoint(run, board, { iteration: round - 1 }));
        if (journal.find(id).kind === "new") {
          journal.intend([{ id, name: "pay", effects: "unsafe" }]);
          await save();
        }
        const status = journal.find(id);
        if (status.kind === "intended") {
          journal.begin(id);
          payments.push(id);
          journal.end(id, "paid");
        }
        board.appendSliceVar("outcomes", status.kind === "unknown" ? "unknown" : "paid");
        journal.forget([id]);
        await host.checkpoint(createCheckpoint(run, board, { iteration: round }));
      }
      board.appendChannelMessage("__main_channel", { role: "assistant", parts: [{ type: "text", text: "all paid" }] });
    },
    { ...RESUMABLE, name: "paying" },
  );
}

/** Advances until the run ends, as a host without crashes. */
async function finish(runner: StepRunner, first: StepInput): Promise<Step[]> {
  const steps = [await runner.advance(undefined, first)];
  for (let last = steps.at(-1); last?.status === "working"; last = steps.at(-1)) {
    steps.push(await runner.advance(stored(last.state), { claim: runner.claim() }));
  }
  return steps;
}

describe("an engine that resumes", () => {
  test("makes each effect in the step after the one that declares it", async () => {
    const payments: string[] = [];
    const runner = createStepRunner({ engine: paying(2, payments), engineName: "paying" });
    const steps = await finish(runner, { runId: "r1", prompt: "pay" });
    expect(payments).toEqual(["pay-1", "pay-2"]);
    expect(steps.map(({ status, effects }) => [status, ...effects.map(({ key }) => key)])).toEqual([
      ...[["working", "r1/pay-1"], ["working"], ["working", "r1/pay-2"], ["working"], ["completed"]],
    ]);
    expect(steps.at(-1)?.result).toEqual({ exit_code: 0, final_message: "all paid" });
    expect(steps.flatMap(({ events }) => events.map(({ type, seq }) => [type, seq]))).toEqual([
      ["run_start", 1],
      ["run_end", 2],
    ]);
  });

  test("makes no effect twice, whatever step a crash repeats, and ends [D4]", async () => {
    const crash = fc.constantFrom("none", "before the claim", "after the claim", "after the step");
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(crash, { maxLength: 12 }), async (rounds, crashes) => {
        const payments: string[] = [];
        const open = () => createStepRunner({ engine: paying(rounds, payments), engineName: "paying" });
        let runner = open();
        let state: StepState | undefined;
        let claim: string | undefined;
        const seqs: (number | undefined)[] = [];
        for (const remaining = [...crashes]; state?.status !== "completed"; ) {
          const next = remaining.shift() ?? "none";
          if (next === "before the claim") runner = open();
          claim ??= runner.claim();
          if (next === "after the claim") runner = open();
          const step: Step = await runner.advance(state === undefined ? undefined : stored(state), {
            ...{ runId: "r1", prompt: "pay", claim },
          });
          if (next === "after the step") {
            runner = open();
            continue;
          }
          state = step.state;
          claim = undefined;
          seqs.push(...step.events.map(({ seq }) => seq));
        }
        expect(new Set(payments).size).toBe(payments.length);
        expect(seqs).toEqual(seqs.map((_, index) => index + 1));
        const isSafe = crashes.every((kind) => kind === "none" || kind === "before the claim");
        if (isSafe) expect(payments).toHaveLength(rounds);
      }),
      { numRuns: 50 },
    );
  });

  test("continues after a failure from its last checkpoint, as a further attempt", async () => {
    let failures = 1;
    const engine = defineEngine(
      async (run, host, board) => {
        if (run.resumeFrom === undefined) {
          board.setVar("when", new Date(7));
          board.setVar("what", new Uint8Array([1, 2]));
          board.setVar("odd", { $type: "date" });
          await host.checkpoint(createCheckpoint(run, board, { iteration: 1 }));
        }
        if (failures-- > 0) throw new EngineError("transport.network", { url: "http://acme", problem: "no" });
        board.setVar("attempt", run.resume?.attempt);
      },
      { ...RESUMABLE, name: "failing" },
    );
    const runner = createStepRunner({ engine });
    const first = await runner.advance(undefined, { prompt: "go" });
    const failed = await runner.advance(stored(first.state));
    expect([failed.status, failed.error?.code, failed.state.attempt]).toEqual(["failed", "transport.network", 1]);
    const last = await runner.advance(stored(failed.state));
    expect([last.status, last.state.attempt]).toEqual(["completed", 2]);
    expect([...failed.events, ...last.events].map(({ type, attempt }) => `${type} ${attempt}`)).toEqual([
      ...["run_end 1", "run_start 2", "run_end 2"],
    ]);
  });

  test("keeps its intended effects when it fails, and makes them once in the next attempt", async () => {
    const payments: string[] = [];
    let failures = 1;
    const inner = paying(1, payments);
    const engine: Engine = {
      ...inner,
      async execute(run, host, board) {
        if (run.resumeFrom !== undefined && failures-- > 0)
          throw new EngineError("transport.network", { url: "http://a" });
        return inner.execute(run, host, board);
      },
    };
    const runner = createStepRunner({ engine, engineName: "paying" });
    const first = await runner.advance(undefined, { prompt: "pay" });
    const failed = await runner.advance(stored(first.state), { claim: runner.claim() });
    expect([failed.status, failed.needsClaim, failed.effects.length, payments]).toEqual(["failed", true, 1, []]);
    let step = failed;
    while (step.status !== "completed") step = await runner.advance(stored(step.state), { claim: runner.claim() });
    expect(payments).toEqual(["pay-1"]);
  });

  test("gets dates and bytes of its state back, and secrets are masked in events only", async () => {
    const seen: unknown[] = [];
    const engine = defineEngine(
      async (run, host, board) => {
        if (run.resumeFrom === undefined) {
          board.setVar("values", {
            when: new Date(7),
            bytes: new Uint8Array([1]),
            $type: "mine",
            key: "s3cr3t-s3cr3t",
          });
          await host.checkpoint(createCheckpoint(run, board));
        }
        seen.push(board.getVar("values"));
        await host.askUser({ parts: [{ type: "text", text: "Is s3cr3t-s3cr3t right?" }] });
      },
      { ...RESUMABLE, emitsUserPrompt: true },
    );
    const runner = createStepRunner({ engine, secrets: ["s3cr3t-s3cr3t"] });
    const first = await runner.advance(undefined, { prompt: "go" });
    const asked = await runner.advance(stored(first.state));
    expect(seen).toEqual([{ when: new Date(7), bytes: new Uint8Array([1]), $type: "mine", key: "s3cr3t-s3cr3t" }]);
    expect(asked.status).toBe("waiting");
    expect(JSON.stringify(asked.events)).not.toContain("s3cr3t");
    expect(JSON.stringify(asked.questions)).not.toContain("s3cr3t");
    const [question] = asked.questions;
    const done = await runner.advance(stored(asked.state), { answers: { [question?.id ?? ""]: "yes" } });
    expect([done.status, done.events.map(({ type }) => type)]).toEqual(["completed", ["user_replied", "run_end"]]);
  });
});

describe("an engine that cannot resume", () => {
  function whole(act: () => void): StepRunner {
    const engine = defineEngine(
      async (run, host, board) => {
        await host.checkpoint(createCheckpoint(run, board));
        act();
      },
      { name: "whole" },
    );
    return createStepRunner({ engine, engineName: "whole" });
  }

  test("runs in the second step, and is not executed again if that step is repeated [D4]", async () => {
    let executions = 0;
    const runner = whole(() => {
      executions += 1;
    });
    const first = await runner.advance(undefined, { runId: "r1", prompt: "go" });
    expect([first.status, first.needsClaim, first.effects[0]?.key, executions]).toEqual(["working", true, "r1/run", 0]);
    const claim = runner.claim();
    expect((await runner.advance(stored(first.state), { claim })).status).toBe("completed");
    const repeated = await runner.advance(stored(first.state), { claim });
    expect([repeated.status, repeated.error?.code, executions]).toEqual([
      ...["interrupted", "transport.unknown_outcome", 1],
    ]);
  });

  test("is not executed again after it failed", async () => {
    let executions = 0;
    const runner = whole(() => {
      executions += 1;
      throw new Error("broken");
    });
    const first = await runner.advance(undefined, { prompt: "go" });
    const failed = await runner.advance(stored(first.state), { claim: runner.claim() });
    const again = await runner.advance(stored(failed.state), { claim: runner.claim() });
    expect([failed.status, again.status, executions]).toEqual(["failed", "interrupted", 1]);
  });
});

describe("a state", () => {
  const runner = createStepRunner({ engine: paying(1, []), engineName: "paying" });
  const codeOf = (state: unknown): Promise<unknown> =>
    Reflect.apply(runner.advance, runner, [state]).then(
      () => "accepted",
      (error: unknown) => (EngineError.is(error) ? error.code : error),
    );

  test("of a newer release, of another run or of no run is refused", async () => {
    const { state } = await runner.advance(undefined, { prompt: "pay" });
    expect(await codeOf({ ...state, format: 2 })).toBe("checkpoint.newer_format");
    expect(await codeOf({ ...state, run_id: "other" })).toBe("checkpoint.foreign");
    expect(await codeOf({ ...state, effects: "none" })).toBe("checkpoint.invalid");
    expect(await codeOf(7)).toBe("checkpoint.invalid");
    expect(await codeOf(stored(state))).toBe("accepted");
  });

  test("is needed or a task, and a run id that can be used", async () => {
    await expect(runner.advance(undefined, {})).rejects.toMatchObject({ code: "config.invalid" });
    await expect(runner.advance(undefined, { runId: "a.b", prompt: "x" })).rejects.toMatchObject({
      code: "run.invalid_id",
    });
  });
});
