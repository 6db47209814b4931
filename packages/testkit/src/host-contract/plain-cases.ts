import assert from "node:assert/strict";
import type { Envelope } from "@switchyard/contracts";
import { sampleCheckpoint } from "../checkpoint/sample-checkpoint.ts";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import { assertRefused, isPending, outcomeOf, settles } from "../contract/expectations.ts";
import { RUN_ID } from "../engine-contract/attempt-run.ts";
import { sampleEnvelope, sampleToken } from "../envelope/sample-envelope.ts";
import type { HostSubject } from "./host-subject.ts";

const QUESTION = { parts: [{ type: "text", text: "Go on?" }], source: "contract" } as const;
const MANY = 20;

/** Returns an event of the run. */
export function eventOfRun(message: string): Envelope {
  return sampleEnvelope(`engine.run.${RUN_ID}.session.contract.warning`, message);
}

/**
 * Conformance cases that every host must pass. They test publishing, interrupts, user prompts, checkpoints and usage
 * reports.
 */
export const plainCases: readonly CaseBody<HostSubject>[] = [
  {
    id: "host/five-interfaces",
    requirement: ["engine-host-1", "engine-overview-3"],
    title: "Implements publishing, interrupts, user prompts, checkpoints and usage reports",
    async check({ host }) {
      const members = ["publish", "interrupts", "askUser", "checkpoint", "reportUsage"] as const;
      for (const member of members) assert.equal(typeof host[member], "function", `${member} is missing`);
    },
  },
  {
    id: "host/publish",
    requirement: "engine-host-1",
    title: "Resolves publishing of stored events and of deltas",
    async check({ host }) {
      await host.publish(eventOfRun("1"));
      await host.publish(sampleToken(RUN_ID, "2"));
    },
  },
  {
    id: "host/at-once",
    requirement: "engine-host-2",
    title: "Allows many concurrent calls of all methods",
    async check({ host, budgetTokens }) {
      const signal = AbortSignal.abort();
      const calls = Array.from({ length: MANY }, (_, index) => [
        host.publish(eventOfRun(`event ${index}`)),
        host.checkpoint(sampleCheckpoint(RUN_ID, 1 + (index % 3))),
        budgetTokens === undefined ? host.reportUsage({ inputTokens: 1, outputTokens: 1, totalTokens: 2 }) : undefined,
        host.interrupts()?.receive(signal),
      ]);
      await Promise.all(calls.flat());
    },
  },
  {
    id: "host/no-user",
    requirement: "engine-user-prompter-1",
    title: "Rejects a question with class not_available if there is no user",
    async check({ host, hasUser }) {
      applies(hasUser !== true, "the host has a user who answers");
      await assertRefused(() => host.askUser(QUESTION), "not_available", "a question without a user");
    },
  },
  {
    id: "host/user-answers",
    requirement: ["engine-user-reply-1", "engine-user-prompter-3"],
    title: "Returns the user's answer as message parts, for each of several questions its own",
    async check({ host, hasUser }) {
      applies(hasUser === true, "the host has no user who answers");
      for (const reply of await Promise.all([host.askUser(QUESTION), host.askUser(QUESTION)])) {
        assert.ok(Array.isArray(reply.parts), "the reply has no parts");
      }
    },
  },
  {
    id: "host/question-cancelled",
    requirement: "engine-user-prompter-3",
    title: "Does not wait for an answer if the question's signal has aborted",
    async check({ host }) {
      const asking = outcomeOf(() => host.askUser(QUESTION, { signal: AbortSignal.abort() }));
      assert.ok("error" in (await settles(asking, "The end of the question")), "the question was answered");
    },
  },
  {
    id: "host/checkpoint-taken",
    requirement: "engine-checkpointer-1",
    title: "Accepts a checkpoint without error, also if the host stores none",
    async check({ host }) {
      for (const steps of [1, 2, 3]) await host.checkpoint(sampleCheckpoint(RUN_ID, steps));
    },
  },
  {
    id: "host/usage-taken",
    requirement: "engine-usage-reporter-4",
    title: "Never rejects a usage report without a budget, however large",
    async check({ host, budgetTokens }) {
      applies(budgetTokens === undefined, "the host has a budget");
      const inputTokens = 1_000_000_000;
      for (let report = 0; report < 3; report += 1) {
        await host.reportUsage({ inputTokens, outputTokens: 1, totalTokens: inputTokens + 1, costMicros: inputTokens });
      }
    },
  },
  {
    id: "host/no-interrupt",
    requirement: ["engine-interrupter-1", "engine-noop-host-2"],
    title: "Reports no interrupt until one is requested, and stops waiting when the signal aborts",
    async check({ host }) {
      const source = host.interrupts();
      applies(source, "the run cannot be interrupted");
      assert.equal(source.tryReceive(), undefined, "there is an interrupt that was not requested");
      const controller = new AbortController();
      const waiting = source.receive(controller.signal);
      assert.equal(await isPending(waiting), true, "waiting ended without an interrupt");
      controller.abort();
      assert.equal(await waiting, undefined);
      assert.equal(await source.receive(AbortSignal.abort()), undefined);
    },
  },
];
