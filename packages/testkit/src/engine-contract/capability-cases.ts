import assert from "node:assert/strict";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import { isPending } from "../contract/expectations.ts";
import { assertCompleted, assertRejected, attemptRun, startRun } from "./attempt-run.ts";
import type { EngineSituation, EngineSubject } from "./engine-subject.ts";

const FLAGS = ["supportsResume", "emitsUserPrompt", "emitsCheckpoint", "acceptsSteering"] as const;

async function dependenciesOf({ dependencies }: EngineSituation): Promise<(readonly [unknown, unknown])[]> {
  return [...((await dependencies?.()) ?? [])];
}

/** Conformance cases that check that an engine uses exactly the host functions that its capabilities declare. */
export const capabilityCases: readonly CaseBody<EngineSubject>[] = [
  {
    id: "engine/claims-well-formed",
    requirement: ["engine-capabilities-1", "engine-capabilities-2"],
    title: "Claims are true, false or absent, and dependencies are a list of names",
    async check({ engine }) {
      const claims = engine.capabilities?.() ?? {};
      for (const flag of FLAGS)
        assert.ok(["boolean", "undefined"].includes(typeof claims[flag]), `${flag} is no claim`);
      const names: unknown = claims.requiredDependencies ?? [];
      assert.ok(Array.isArray(names) && names.every((name) => typeof name === "string"), "dependencies are no names");
    },
  },
  {
    id: "engine/claims-stay",
    requirement: "engine-capabilities-7",
    title: "Claims are the same before and after a run",
    async check(subject) {
      const before = structuredClone(subject.engine.capabilities?.());
      await attemptRun(subject);
      assert.deepEqual(subject.engine.capabilities?.(), before);
    },
  },
  {
    id: "engine/missing-dependency",
    requirement: ["engine-capabilities-1", "engine-dependencies-5"],
    title:
      "Without a dependency that it claims to need, the run fails with class not_found, validation or not_available",
    async check(subject) {
      const required = subject.engine.capabilities?.().requiredDependencies ?? [];
      applies(required.length > 0, "the engine needs no dependency");
      for (const name of required) {
        const dependencies = (await dependenciesOf(subject)).filter(([key]) => key !== name);
        const attempt = await attemptRun(subject, { dependencies });
        assertRejected(attempt, ["not_found", "validation", "not_available"], `A run without ${name}`);
      }
    },
  },
  {
    id: "engine/undeclared-dependency",
    requirement: "engine-capabilities-7",
    title: "With the dependencies that it claims to need and no others, the run completes",
    async check(subject) {
      const required = subject.engine.capabilities?.().requiredDependencies ?? [];
      const dependencies = (await dependenciesOf(subject)).filter(([key]) => required.some((name) => name === key));
      assertCompleted(await attemptRun(subject, { dependencies }), `A run with ${required.join(", ") || "nothing"}`);
    },
  },
  {
    id: "engine/headless",
    requirement: "engine-capabilities-7",
    title: "An engine that does not claim to ask the user never asks",
    async check(subject) {
      const { waiting, failing, asking } = subject;
      const situations = [subject, waiting, failing, asking].filter((one) => one !== undefined);
      const quiet = situations.filter(({ engine }) => engine.capabilities?.().emitsUserPrompt !== true);
      applies(quiet.length > 0, "the engine claims to ask");
      for (const situation of quiet) {
        const controller = new AbortController();
        const { host, over } = await startRun(situation, { run: { signal: controller.signal } });
        await isPending(over);
        // The run is aborted, because a waiting engine would never end.
        if (situation !== subject) controller.abort();
        await over;
        assert.equal(host.prompts.length, 0, "the user was asked");
      }
    },
  },
  {
    id: "engine/asks-as-claimed",
    requirement: "engine-capabilities-7",
    title: "An engine that asks the user claims it, and asks in the run that shows it",
    async check({ asking }) {
      applies(asking, "the subject has no run that asks");
      assert.equal(asking.engine.capabilities?.().emitsUserPrompt, true, "the engine does not claim to ask");
      const { host } = await attemptRun(asking);
      assert.ok(host.prompts.length > 0, "the user was never asked");
    },
  },
  {
    id: "engine/checkpoints-as-claimed",
    requirement: "engine-capabilities-7",
    title: "An engine that claims to write checkpoints writes them, and one that does not writes none",
    async check(subject) {
      const claims = subject.engine.capabilities?.().emitsCheckpoint === true;
      const { host } = await attemptRun(subject);
      assert.equal(host.checkpoints.length > 0, claims, `${host.checkpoints.length} checkpoints were written`);
    },
  },
  {
    id: "engine/suggestion",
    requirement: "engine-checkpoint-suggester-1",
    title: "Suggesting a checkpoint returns at once, before, during and after a run",
    async check(subject) {
      const { engine } = subject;
      applies(engine.suggestCheckpoint, "the engine takes no suggestions");
      const suggest = (): void => {
        const given: unknown = engine.suggestCheckpoint?.();
        assert.equal(given, undefined, "a suggestion gave something back");
      };
      suggest();
      const attempt = await attemptRun(subject, {
        wrap: (recorder) => {
          suggest();
          return recorder;
        },
      });
      assertCompleted(attempt, "A run with a suggested checkpoint");
      suggest();
    },
  },
];
