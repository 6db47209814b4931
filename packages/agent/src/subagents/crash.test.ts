import { SESSION_RESULT } from "@switchyard/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { call, say } from "../../test/family-client.ts";
import { essenceOfFamily, type FamilyScript, type PlayedFamily, playFamily } from "../../test/family-world.ts";

const put = (key: string, value: string) => call(["put", { key, value }]);
const look = (key: string) => call(["look", { key }]);

/** Two children at the same time, one of them asked a second time, one closed. */
const SAFE: FamilyScript = {
  scripts: {
    go: [
      call(["spawn_agent", { task: "first" }], ["put", { key: "p", value: "0" }], ["spawn_agent", { task: "second" }]),
      call(["wait", { agent_id: "agent-1" }]),
      call(["send_input", { agent_id: "agent-1", message: "once more" }]),
      call(["wait", { agent_id: "agent-1" }], ["wait", { agent_id: "agent-2" }]),
      call(["close_agent", { agent_id: "agent-2" }]),
      call(["send_input", { agent_id: "agent-2", message: "still there?" }], ["wait", { agent_id: "nobody" }]),
      say("all done"),
    ],
    first: [put("a", "1"), look("a"), say("first is done"), put("c", "3"), say("first is done again")],
    second: [look("b"), call(["put", { key: "b", value: "2" }], ["look", { key: "never" }]), say("second is done")],
  },
};

/** Every result of a call in every conversation of a run, as its last checkpoint and its board have it. */
function resultsOf({ board }: PlayedFamily): { toolCallId: string; name: string; content: string }[] {
  return Object.entries(board.vars()).flatMap(([name, value]) => {
    if (!/^__(agent|subagent)_turns/.test(name) || !Array.isArray(value)) return [];
    return value.flatMap((turn) => (turn.type === "tool_results" ? turn.results : []));
  });
}

describe("a family that is cut off", () => {
  test("at any moment ends as if nothing had been [D9] [D14] [loop-7.1-2]", { timeout: 60_000 }, async () => {
    const whole = await playFamily(SAFE);
    expect(whole.error).toBeUndefined();
    expect(whole.board.get(SESSION_RESULT)).toMatchObject({ exit_code: 0, final_message: "all done" });
    expect(whole.moments.length).toBeGreaterThan(120);
    const expected = essenceOfFamily(whole);
    for (const [index, label] of whole.moments.entries()) {
      const cut = await playFamily(SAFE, [index + 1]);
      expect(cut.attempts, label).toBe(2);
      expect(essenceOfFamily(cut), `killed at ${label} (${index + 1})`).toEqual(expected);
    }
  });
});
