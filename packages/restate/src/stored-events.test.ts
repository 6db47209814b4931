import type { Envelope } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { eventsAfter, eventsKey } from "./stored-events.ts";

/** Creates an event of a run. */
function eventOf(seq: number): Envelope {
  const headers = { run_id: "r1", agent_id: "main" };
  const payload = { content: `event ${seq}` };
  return { id: `${seq}`, type: "user_input", subject: "", time: "", seq, attempt: 1, headers, payload };
}

test("the stored events of a run are returned in the order of its steps, also of ten steps and more", async () => {
  const steps = Array.from({ length: 12 }, (_, index) => index + 1);
  const stored = new Map(steps.map((step) => [eventsKey(step), [eventOf(2 * step - 1), eventOf(2 * step)]]));
  const state = {
    // As a text, the name of the tenth step comes before that of the second one.
    stateKeys: async () => ["status", ...stored.keys()].sort(),
    get: async (name: string) => stored.get(name) ?? null,
  };
  const seqsAfter = async (seq: number) => (await eventsAfter(state, seq)).map((event) => event.seq);
  expect(await seqsAfter(0)).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
  expect(await seqsAfter(20)).toEqual([21, 22, 23, 24]);
});
