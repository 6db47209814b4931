import assert from "node:assert/strict";
import { EngineError, type Envelope, EVENT_TABLE, HEADER } from "@switchyard/contracts";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import { settle } from "../contract/expectations.ts";
import { type Attempt, assertCompleted, attemptRun, CALLERS_VARIABLE, RUN_ID } from "./attempt-run.ts";
import type { EngineSubject } from "./engine-subject.ts";
import { deltaProblem, subjectProblem } from "./event-problems.ts";

const PREFIX = `engine.run.${RUN_ID}.`;

/**
 * Runs the engine once for each way a run can end: completed, interrupted, cancelled, rejected and, if available,
 * failed.
 */
async function everyEnding(subject: EngineSubject): Promise<Readonly<Record<string, Attempt>>> {
  const foreign = { execId: "another-run", board: { vars: {} }, timestamp: "2026-01-01T00:00:00.000Z" };
  const endings: Record<string, Attempt> = {
    completed: await attemptRun(subject),
    interrupted: await attemptRun(subject, { recording: { interrupt: { cause: "user_cancel" } } }),
    cancelled: await attemptRun(subject, { run: { signal: AbortSignal.abort() } }),
    refused: await attemptRun(subject, { run: { resumeFrom: foreign } }),
  };
  if (subject.failing !== undefined) endings["failed"] = await attemptRun(subject.failing);
  return endings;
}

function countOf({ host }: Attempt, name: "start" | "end"): number {
  return host.envelopes.filter(({ subject }) => subject === PREFIX + name).length;
}

/** Returns the types of the start and end events of each step. */
function stepsOf(envelopes: readonly Envelope[]): Map<string, string[]> {
  const steps = new Map<string, string[]>();
  for (const { type, subject } of envelopes) {
    if (!type.startsWith("step_")) continue;
    const step = subject.slice(0, subject.lastIndexOf("."));
    steps.set(step, [...(steps.get(step) ?? []), type]);
  }
  return steps;
}

/** Conformance cases for the start and end of runs, and their events. */
export const lifecycleCases: readonly CaseBody<EngineSubject>[] = [
  {
    id: "engine/same-board",
    requirement: ["engine-engine-1", "engine-engine-2"],
    title: "Resolves a completed run with the same board object that it was given",
    async check(subject) {
      assertCompleted(await attemptRun(subject));
    },
  },
  {
    id: "engine/start-once",
    requirement: "engine-engine-10",
    title: "Publishes the start of the run exactly once, before any other event, whatever the outcome",
    async check(subject) {
      for (const [ending, attempt] of Object.entries(await everyEnding(subject))) {
        assert.equal(countOf(attempt, "start"), 1, `starts of a run that was ${ending}`);
        assert.equal(attempt.host.envelopes[0]?.type, "run_start", `the first event of a run that was ${ending}`);
      }
    },
  },
  {
    id: "engine/end-once",
    requirement: "engine-engine-11",
    title: "Publishes the end of the run exactly once, before execute settles, whatever the outcome",
    async check(subject) {
      for (const [ending, attempt] of Object.entries(await everyEnding(subject))) {
        assert.equal(countOf(attempt, "end"), 1, `ends of a run that was ${ending}`);
      }
    },
  },
  {
    id: "engine/end-last",
    requirement: "engine-engine-11",
    title: "Publishes nothing after the end of the run or after execute has settled",
    async check(subject) {
      for (const [ending, { host }] of Object.entries(await everyEnding(subject))) {
        await settle();
        assert.equal(host.envelopes.at(-1)?.type, "run_end", `the last event of a run that was ${ending}`);
      }
    },
  },
  {
    id: "engine/end-tells-outcome",
    requirement: ["engine-engine-11", "engine-engine-5"],
    title: "Reports the outcome in the run's end event, with the error unless the run completed",
    async check(subject) {
      const outcomes: Record<string, string> = { refused: "failed" };
      for (const [ending, { host }] of Object.entries(await everyEnding(subject))) {
        const [end] = host.ofType("run_end");
        assert.equal(end?.payload.outcome, outcomes[ending] ?? ending, `the end of a run that was ${ending}`);
        assert.equal(end?.payload.error === undefined, ending === "completed", `the error of a run that was ${ending}`);
      }
    },
  },
  {
    id: "engine/partial-state",
    requirement: "engine-engine-6",
    title: "Leaves its state on the caller's board, whatever the outcome",
    async check(subject) {
      for (const [ending, { board }] of Object.entries(await everyEnding(subject))) {
        assert.equal(board.getVar(CALLERS_VARIABLE), "kept", `the caller's variable after a run that was ${ending}`);
      }
    },
  },
  {
    id: "engine/failure-classified",
    requirement: "engine-engine-5",
    title: "Rejects a failed run with a classified error that preserves its cause",
    async check(subject) {
      applies(subject.failing, "the subject has no run that fails");
      const { error } = await attemptRun(subject.failing);
      if (error === undefined) assert.fail("the run that fails has completed");
      assert.equal(EngineError.is(error), true, `the run failed with an unclassified error: ${String(error)}`);
    },
  },
  {
    id: "engine/subjects",
    requirement: ["engine-subjects-1", "engine-subjects-2", "engine-subjects-3", "engine-subjects-4"],
    title:
      "Publishes every event under the subject of its kind, below the run's prefix, with a header that names the run",
    async check(subject) {
      for (const { host } of Object.values(await everyEnding(subject))) {
        for (const envelope of host.envelopes) {
          assert.equal(subjectProblem(envelope, RUN_ID), undefined, `${envelope.type} on ${envelope.subject}`);
          assert.equal(envelope.headers[HEADER.runId], RUN_ID, `the run header of ${envelope.type}`);
        }
      }
    },
  },
  {
    id: "engine/envelopes",
    requirement: "engine-envelope-1",
    title: "Sets a unique id, a time and the attempt number on every event",
    async check(subject) {
      const { host } = await attemptRun(subject);
      const ids = host.envelopes.map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length, "two events have the same id");
      for (const { type, time, attempt, id } of host.envelopes) {
        assert.ok(id !== "" && !Number.isNaN(Date.parse(time)), `${type} has the id "${id}" and the time "${time}"`);
        assert.equal(attempt, 1, `the attempt of ${type}`);
      }
    },
  },
  {
    id: "engine/steps-paired",
    requirement: ["engine-subjects-5", "engine-subjects-3"],
    title: "Ends each started step exactly once, as complete or with an error, whatever the outcome",
    async check(subject) {
      const attempts = Object.values(await everyEnding(subject));
      const steps = attempts.flatMap(({ host }) => [...stepsOf(host.envelopes)]);
      applies(steps.length > 0, "the engine publishes no steps");
      for (const [step, types] of steps) {
        for (let index = 0; index < types.length; index += 2) {
          assert.equal(types[index], "step_start", `${step}: ${types.join(", ")}`);
          assert.match(types[index + 1] ?? "no end", /^step_(complete|error)$/, `${step}: ${types.join(", ")}`);
        }
      }
    },
  },
  {
    id: "engine/actor-of-agent",
    requirement: ["engine-subjects-6", "engine-subjects-7"],
    title: "Names the actor of a step or delta with one subject segment that begins with the agent in the header",
    async check(subject) {
      const { host } = await attemptRun(subject);
      const acted = host.envelopes.filter(({ type }) => /^(step|stream)\./.test(EVENT_TABLE[type].subject));
      applies(acted.length > 0, "the engine publishes neither steps nor increments");
      for (const { subject: routed, headers } of acted) {
        const agent = (headers[HEADER.agentId] ?? "").replace(/[.*>]/g, "_");
        const actor = routed.split(".")[4] ?? "";
        assert.ok(agent !== "" && actor.startsWith(agent), `the actor ${actor} of the agent "${agent}" on ${routed}`);
      }
    },
  },
  {
    id: "engine/increments",
    requirement: ["engine-stream-delta-2", "engine-stream-delta-3", "engine-stream-delta-4"],
    title: "Includes the fields that a delta's type requires",
    async check(subject) {
      const { host } = await attemptRun(subject);
      const deltas = host.envelopes.filter(({ type }) => EVENT_TABLE[type].subject === "stream.delta");
      applies(deltas.length > 0, "the engine streams nothing");
      for (const { type, payload } of deltas) assert.equal(deltaProblem(payload), undefined, `an increment in ${type}`);
    },
  },
];
