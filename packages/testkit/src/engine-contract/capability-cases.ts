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
    title: "Declares capabilities as true, false or absent, and dependencies as a list of names",
    async check({ engine }) {
      const claims = engine.capabilities?.() ?? {};
      for (const flag of FLAGS)
        assert.ok(["boolean", "undefined"].includes(typeof claims[flag]), `${flag} is not a boolean`);
      const names: unknown = claims.requiredDependencies ?? [];
      assert.ok(Array.isArray(names) && names.every((name) => typeof name === "string"), "dependencies are not names");
    },
  },
  {
    id: "engine/claims-stay",
    requirement: "engine-capabilities-7",
    title: "Declares the same capabilities before and after a run",
    async check(subject) {
      const before = structuredClone(subject.engine.capabilities?.());
      await attemptRun(subject);
      assert.deepEqual(subject.engine.capabilities?.(), before);
    },
  },
  {
    id: "engine/missing-dependency",
    requirement: ["engine-capabilities-1", "engine-dependencies-5"],
    title: "Fails with class not_found, validation or not_available if a declared dependency is missing",
    async check(subject) {
      const required = subject.engine.capabilities?.().requiredDependencies ?? [];
      applies(required.length > 0, "the engine requires no dependency");
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
    title: "Completes a run with exactly the declared dependencies",
    async check(subject) {
      const required = subject.engine.capabilities?.().requiredDependencies ?? [];
      const dependencies = (await dependenciesOf(subject)).filter(([key]) => required.some((name) => name === key));
      assertCompleted(await attemptRun(subject, { dependencies }), `A run with ${required.join(", ") || "nothing"}`);
    },
  },
  {
    id: "engine/headless",
    requirement: "engine-capabilities-7",
    title: "Never asks the user without declaring it",
    async check(subject) {
      const { waiting, failing, asking } = subject;
      const situations = [subject, waiting, failing, asking].filter((one) => one !== undefined);
      const quiet = situations.filter(({ engine }) => engine.capabilities?.().emitsUserPrompt !== true);
      applies(quiet.length > 0, "the engine declares that it asks the user");
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
    title: "Declares that it asks the user if it does, and asks in the run that shows it",
    async check({ asking }) {
      applies(asking, "the subject has no run that asks the user");
      assert.equal(
        asking.engine.capabilities?.().emitsUserPrompt,
        true,
        "the engine does not declare that it asks the user",
      );
      const { host } = await attemptRun(asking);
      assert.ok(host.prompts.length > 0, "the user was never asked");
    },
  },
  {
    id: "engine/checkpoints-as-claimed",
    requirement: "engine-capabilities-7",
    title: "Saves checkpoints only if it declares that it does",
    async check(subject) {
      const claims = subject.engine.capabilities?.().emitsCheckpoint === true;
      const { host } = await attemptRun(subject);
      assert.equal(host.checkpoints.length > 0, claims, `${host.checkpoints.length} checkpoints were saved`);
    },
  },
  {
    id: "engine/suggestion",
    requirement: "engine-checkpoint-suggester-1",
    title: "Returns from suggestCheckpoint immediately, before, during and after a run",
    async check(subject) {
      const { engine } = subject;
      applies(engine.suggestCheckpoint, "the engine accepts no suggestions");
      const suggest = (): void => {
        const returned: unknown = engine.suggestCheckpoint?.();
        assert.equal(returned, undefined, "suggestCheckpoint returned a value");
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
