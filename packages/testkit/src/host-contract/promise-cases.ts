import assert from "node:assert/strict";
import type { Interrupt } from "@switchyard/contracts";
import { sampleCheckpoint } from "../checkpoint/sample-checkpoint.ts";
import { assertCheckpoint } from "../checkpoint-store-contract/checkpoint-store-subject.ts";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import { assertRefused, becomes, outcomeOf, settle, settles } from "../contract/expectations.ts";
import { RUN_ID } from "../engine-contract/attempt-run.ts";
import type { HostSubject } from "./host-subject.ts";
import { eventOfRun } from "./plain-cases.ts";

const FIRST: Interrupt = { cause: "user_cancel", detail: "enough" };

function spend(tokens: number): { inputTokens: number; outputTokens: number; totalTokens: number } {
  return { inputTokens: tokens - 1, outputTokens: 1, totalTokens: tokens };
}

/** Conformance cases for the optional guarantees of a host. */
export const promiseCases: readonly CaseBody<HostSubject>[] = [
  {
    id: "host/interrupt-reaches-all",
    requirement: ["engine-engine-13", "engine-interrupter-3"],
    title: "Wakes waiting readers with an interrupt and returns it to later ones, also from a source obtained earlier",
    async check({ host, interrupt }) {
      applies(interrupt, "the subject cannot interrupt the run");
      const source = host.interrupts();
      assert.ok(source !== undefined, "a host that can be interrupted has no interrupt source");
      const waiting = source.receive(new AbortController().signal);
      await settle();
      interrupt(FIRST);
      assert.deepEqual(await waiting, FIRST);
      assert.deepEqual([source.tryReceive(), host.interrupts()?.tryReceive()], [FIRST, FIRST]);
      assert.deepEqual(await host.interrupts()?.receive(new AbortController().signal), FIRST);
    },
  },
  {
    id: "host/interrupt-stays",
    requirement: "engine-engine-13",
    title: "Keeps the first interrupt: reading does not consume it, and a later one does not replace it",
    async check({ host, interrupt }) {
      applies(interrupt, "the subject cannot interrupt the run");
      interrupt(FIRST);
      interrupt({ cause: "host_shutdown" });
      for (let look = 0; look < 3; look += 1) assert.deepEqual(host.interrupts()?.tryReceive(), FIRST);
    },
  },
  {
    id: "host/checkpoint-kept",
    requirement: ["engine-checkpointer-3", "D2"],
    title: "Loads an accepted checkpoint or a newer one",
    async check({ host, load }) {
      applies(load, "the host does not store checkpoints");
      for (const steps of [1, 2, 3]) {
        await host.checkpoint(sampleCheckpoint(RUN_ID, steps));
        assertCheckpoint(await load(), sampleCheckpoint(RUN_ID, steps));
      }
    },
  },
  {
    id: "host/checkpoint-fails-loudly",
    requirement: ["engine-checkpointer-3", "D2"],
    title: "Rejects a checkpoint that cannot be stored, and keeps the previous one",
    async check({ host, load, fillDisk }) {
      applies(load !== undefined && fillDisk !== undefined, "the subject cannot make storing fail");
      await host.checkpoint(sampleCheckpoint(RUN_ID, 1));
      await fillDisk();
      await assertRefused(
        () => host.checkpoint(sampleCheckpoint(RUN_ID, 2)),
        "internal",
        "a checkpoint on a full disk",
      );
      assertCheckpoint(await load(), sampleCheckpoint(RUN_ID, 1));
    },
  },
  {
    id: "host/events-shown",
    requirement: "engine-bus-1",
    title: "Delivers events to users in publishing order",
    async check({ host, observe }) {
      applies(observe, "the host does not show events to users");
      const shown: string[] = [];
      observe(({ id }) => void shown.push(id));
      for (const id of ["1", "2", "3"]) await host.publish(eventOfRun(id));
      await becomes(() => shown.length === 3, "Showing three events");
      assert.deepEqual(shown, ["1", "2", "3"]);
    },
  },
  {
    id: "host/failing-observer",
    requirement: "engine-publisher-2",
    title: "Resolves publishing although a listener of the events fails",
    async check({ host, observe }) {
      applies(observe, "the host does not show events to users");
      observe(() => {
        throw new Error("the listener failed");
      });
      const publishing = outcomeOf(() => host.publish(eventOfRun("1")));
      assert.equal("error" in (await settles(publishing, "Publishing")), false, "publishing failed");
    },
  },
  {
    id: "host/kept-before-shown",
    requirement: "D8",
    title: "Stores an event before it is delivered to users",
    async check({ host, observe, stored }) {
      applies(observe !== undefined && stored !== undefined, "the host does not store events");
      const looks: Promise<boolean>[] = [];
      observe(({ id }) => {
        looks.push(Promise.resolve(stored()).then((events) => events.some((event) => event.id === id)));
      });
      for (const id of ["1", "2", "3"]) await host.publish(eventOfRun(id));
      await becomes(() => looks.length === 3, "Showing three events");
      assert.deepEqual(await Promise.all(looks), [true, true, true]);
    },
  },
  {
    id: "host/kept-in-order",
    requirement: "D8",
    title: "Numbers stored events without gaps, in publishing order",
    async check({ host, stored }) {
      applies(stored, "the host does not store events");
      const before = (await stored()).length;
      await Promise.all(["1", "2", "3", "4"].map((id) => host.publish(eventOfRun(id))));
      const events = (await stored()).slice(before);
      assert.deepEqual(
        events.map(({ id }) => id),
        ["1", "2", "3", "4"],
      );
      assert.deepEqual(
        events.map(({ seq }) => seq),
        [1, 2, 3, 4].map((number) => before + number),
      );
    },
  },
  {
    id: "host/usage-adds-up",
    requirement: "engine-usage-reporter-1",
    title: "Adds up usage reports",
    async check({ host, totalUsage }) {
      applies(totalUsage, "the host does not sum up usage");
      const before = totalUsage();
      await Promise.all([spend(2), spend(3)].map((usage) => host.reportUsage(usage)));
      const { inputTokens, outputTokens, totalTokens } = totalUsage();
      assert.deepEqual(
        [inputTokens - before.inputTokens, outputTokens - before.outputTokens, totalTokens - before.totalTokens],
        [3, 2, 5],
      );
    },
  },
  {
    id: "host/budget",
    requirement: ["engine-usage-reporter-2", "D14"],
    title:
      "Rejects a report that exhausts the budget, and all later ones, with class budget_exceeded, and counts their usage",
    async check({ host, budgetTokens, totalUsage }) {
      applies(budgetTokens, "the host has no budget");
      const before = totalUsage?.().totalTokens ?? 0;
      await assertRefused(() => host.reportUsage(spend(budgetTokens + 1)), "budget_exceeded", "usage above the budget");
      await assertRefused(() => host.reportUsage(spend(2)), "budget_exceeded", "usage after the budget is exhausted");
      if (totalUsage !== undefined) assert.equal(totalUsage().totalTokens - before, budgetTokens + 3);
    },
  },
];
