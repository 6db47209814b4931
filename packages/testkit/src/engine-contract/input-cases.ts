import assert from "node:assert/strict";
import { type InterruptSource, SESSION_RESULT } from "@switchyard/contracts";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertCompleted, attemptRun, RUN_ID, resumeRun } from "./attempt-run.ts";
import type { EngineSubject } from "./engine-subject.ts";
import { watchedHost } from "./watched-host.ts";

const HOST_MEMBERS = ["publish", "interrupts", "askUser", "checkpoint", "reportUsage"];
const SOURCE_MEMBERS = ["tryReceive", "receive"];

/** Returns a proxy of an object that reports access to members other than the given ones. */
function guarded<T extends object>(target: T, members: readonly string[], onForeign: (name: string) => void): T {
  return new Proxy(target, {
    get(original, name) {
      const member: unknown = Reflect.get(original, name, original);
      if (typeof name === "string" && !members.includes(name)) return () => onForeign(name);
      return typeof member === "function" ? member.bind(original) : member;
    },
  });
}

/** Conformance cases for an engine's use of its inputs, and for concurrent runs. */
export const inputCases: readonly CaseBody<EngineSubject>[] = [
  {
    id: "engine/attributes-stay",
    requirement: "engine-engine-8",
    title: "Never changes the attributes of a run, whatever the outcome",
    async check(subject) {
      for (const recording of [{}, { interrupt: { cause: "user_cancel" } } as const]) {
        const attributes = { "agent.id": "contract", "tenant.id": "t" };
        await attemptRun(subject, { recording, run: { attributes } });
        assert.deepEqual(attributes, { "agent.id": "contract", "tenant.id": "t" });
      }
    },
  },
  {
    id: "engine/checkpoint-stays",
    requirement: "engine-engine-9",
    title: "Never changes the checkpoint of a run, whether it resumes from it or rejects it",
    async check(subject) {
      const { host } = await attemptRun(subject);
      const checkpoints = host.checkpoints.map(({ board, ...rest }) => {
        return { ...rest, board: { vars: board.vars, channels: board.channels } };
      });
      const foreign = { execId: "another-run", board: { vars: { n: 1 }, channels: {} }, timestamp: "", attributes: {} };
      for (const checkpoint of [...checkpoints.slice(-2), foreign, { ...foreign, execId: RUN_ID }]) {
        const original = structuredClone(checkpoint);
        await resumeRun(subject, original);
        assert.deepEqual(original, structuredClone(checkpoint));
      }
    },
  },
  {
    id: "engine/frozen-run",
    requirement: ["engine-run-7", "engine-engine-8"],
    title: "Accepts a frozen run",
    async check(subject) {
      assertCompleted(await attemptRun(subject, { isFrozen: true }), "A frozen run");
    },
  },
  {
    id: "engine/host-only",
    requirement: "engine-engine-7",
    title: "Calls only the five host interfaces, and closes none of the host's resources",
    async check(subject) {
      const foreign: string[] = [];
      const onForeign = (name: string): void => void foreign.push(name);
      const attempt = await attemptRun(subject, {
        wrap: (recorder) => {
          const source = recorder.interrupts();
          const interrupts = (): InterruptSource | undefined =>
            source === undefined ? undefined : guarded(source, SOURCE_MEMBERS, onForeign);
          return guarded({ ...watchedHost(recorder, () => {}), interrupts }, HOST_MEMBERS, onForeign);
        },
      });
      assertCompleted(attempt, "A run with a guarded host");
      // `then` is ignored, because awaiting an object accesses this member.
      assert.deepEqual(
        foreign.filter((name) => name !== "then"),
        [],
      );
    },
  },
  {
    id: "engine/again",
    requirement: "engine-engine-1",
    title: "Executes any number of runs, also after a stopped run",
    async check(subject) {
      assertCompleted(await attemptRun(subject), "The first run");
      await attemptRun(subject, { recording: { interrupt: { cause: "user_cancel" } } });
      const repeated = await attemptRun(subject, { run: { id: "contract-again" } });
      assertCompleted(repeated, "A later run");
      for (const { subject: routed } of repeated.host.envelopes) assert.match(routed, /^engine\.run\.contract-again\./);
    },
  },
  {
    id: "engine/two-at-once",
    requirement: ["engine-engine-1", "engine-subjects-11"],
    title: "Completes two concurrent runs without mixing them",
    async check(subject) {
      const ids = ["contract-one", "contract-two"];
      const attempts = await Promise.all(ids.map((id) => attemptRun(subject, { run: { id } })));
      for (const [index, attempt] of attempts.entries()) {
        assertCompleted(attempt, `The run ${ids[index]}`);
        const events = attempt.host.envelopes.filter(({ subject: routed }) =>
          routed.startsWith(`engine.run.${ids[index]}.`),
        );
        assert.equal(events.length, attempt.host.envelopes.length, `${ids[index]} published events of another run`);
        const [start, end] = [attempt.host.ofType("run_start"), attempt.host.ofType("run_end")];
        assert.deepEqual([start.length, end.length], [1, 1], `starts and ends of ${ids[index]}`);
      }
      if (subject.isPredictable === false) return;
      const [one, two] = attempts.map(({ board }) => board.get(SESSION_RESULT)?.final_message);
      assert.equal(one, two, "the results differ");
    },
  },
];
