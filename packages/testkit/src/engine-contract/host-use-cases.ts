import assert from "node:assert/strict";
import { EngineError } from "@switchyard/contracts";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import { isPending } from "../contract/expectations.ts";
import { assertCompleted, assertRejected, attemptRun, startRun } from "./attempt-run.ts";
import type { EngineSubject } from "./engine-subject.ts";

const SPENT = new EngineError("budget.exceeded", { budget: "tokens", used: 2, limit: 1 });

async function usesTokens(subject: EngineSubject): Promise<void> {
  const { host } = await attemptRun(subject);
  applies(host.usages.length > 0, "the engine reports no usage");
}

/** Conformance cases for an engine's calls of the host: publishing events, reporting usage and asking the user. */
export const hostUseCases: readonly CaseBody<EngineSubject>[] = [
  {
    id: "engine/publish-fails",
    requirement: "engine-publisher-1",
    title: "Completes the run if publishing fails",
    async check(subject) {
      const attempt = await attemptRun(subject, { recording: { publishFailure: new Error("no bus") } });
      assertCompleted(attempt, "A run whose events cannot be published");
    },
  },
  {
    id: "engine/usage-counts",
    requirement: ["engine-usage-reporter-1", "engine-token-usage-2"],
    title: "Reports usage in whole tokens, with their sum as total and cached tokens as part of the input",
    async check(subject) {
      await usesTokens(subject);
      const { host } = await attemptRun(subject);
      for (const { inputTokens, outputTokens, totalTokens, cacheReadTokens = 0 } of host.usages) {
        const counts = [inputTokens, outputTokens, totalTokens, cacheReadTokens];
        assert.ok(
          counts.every((count) => Number.isSafeInteger(count) && count >= 0),
          `usage ${counts.join(", ")}`,
        );
        assert.equal(totalTokens, inputTokens + outputTokens);
        assert.ok(cacheReadTokens <= inputTokens, `${cacheReadTokens} of ${inputTokens} input tokens were cached`);
      }
    },
  },
  {
    id: "engine/usage-fails",
    requirement: "engine-usage-reporter-3",
    title: "Completes the run if a usage report fails",
    async check(subject) {
      await usesTokens(subject);
      const failures = [new Error("the exporter failed"), new EngineError("prompt.unavailable")];
      for (const usageFailure of failures) {
        const attempt = await attemptRun(subject, { recording: { usageFailure } });
        assertCompleted(attempt, `A run whose usage reports fail with ${usageFailure.message}`);
      }
    },
  },
  {
    id: "engine/budget-ends",
    requirement: "engine-usage-reporter-2",
    title: "Rejects with class budget_exceeded if the budget is exhausted, also if the host wraps the error",
    async check(subject) {
      await usesTokens(subject);
      for (const usageFailure of [SPENT, new Error("The host rejects the call.", { cause: SPENT })]) {
        const attempt = await attemptRun(subject, { recording: { usageFailure } });
        assertRejected(attempt, "budget_exceeded", "A run without budget");
      }
    },
  },
  {
    id: "engine/budget-stops-spending",
    requirement: "engine-usage-reporter-2",
    title: "Uses no further tokens after the budget is exhausted",
    async check(subject) {
      await usesTokens(subject);
      const { host } = await attemptRun(subject, { recording: { usageFailure: SPENT } });
      assert.equal(host.usages.length, 1, `usage was reported ${host.usages.length} times`);
    },
  },
  {
    id: "engine/prompt-refused",
    requirement: "engine-user-prompter-2",
    title: "Rejects with class not_available if no user can answer a question",
    async check(subject) {
      applies(subject.asking, "the subject has no run that asks the user");
      const attempt = await attemptRun(subject.asking);
      assertRejected(attempt, "not_available", "A run whose question was rejected");
    },
  },
  {
    id: "engine/prompt-answered",
    requirement: ["engine-user-prompter-3", "engine-user-prompt-1", "engine-user-prompt-2"],
    title: "Asks a question with parts and no role, waits for the answer, and then continues",
    async check(subject) {
      applies(subject.asking, "the subject has no run that asks the user");
      let reply = (): void => {};
      const answered = new Promise<void>((resolve) => {
        reply = resolve;
      });
      const askUser = async (): Promise<{ parts: [{ type: "text"; text: string }] }> => {
        await answered;
        return { parts: [{ type: "text", text: "yes" }] };
      };
      const asking = await startRun(subject.asking, { recording: { askUser } });
      assert.equal(await isPending(asking.over), true, "the run did not wait for the answer");
      const [prompt] = asking.host.prompts;
      assert.ok(prompt !== undefined && prompt.parts.length > 0, "the question has no parts");
      assert.equal("role" in prompt, false, "the question has a role");
      reply();
      assertCompleted(await asking.over, "A run whose question was answered");
    },
  },
  {
    id: "engine/prompt-cancelled",
    requirement: "engine-user-prompter-3",
    title: "Ends a run that waits for an answer when it is cancelled",
    async check(subject) {
      applies(subject.asking, "the subject has no run that asks the user");
      const controller = new AbortController();
      const recording = { askUser: () => new Promise<never>(() => {}) };
      const asking = await startRun(subject.asking, { recording, run: { signal: controller.signal } });
      assert.equal(await isPending(asking.over), true, "the run did not wait for the answer");
      controller.abort();
      assertRejected(await asking.over, "aborted", "A run that was cancelled while it asked");
    },
  },
];
