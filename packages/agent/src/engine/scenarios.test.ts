import { MAIN_CHANNEL } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { IN_FRESH_PROCESSES, type PlayedScenario, playScenario } from "../../test/fresh-process/play-scenario.ts";

/** A process for each step is a lot of processes. */
const TIMEOUT_MS = 120_000;

function typesOf({ envelopes }: PlayedScenario): string[] {
  return envelopes.map(({ type }) => type).filter((type) => !type.endsWith("_delta"));
}

/** How often each of these types occurs. */
function countOf(played: PlayedScenario, type: string): number {
  return typesOf(played).filter((other) => other === type).length;
}

function rolesOf({ board }: PlayedScenario): string[] {
  return (board.channels?.[MAIN_CHANNEL] ?? []).map(({ role }) => role);
}

/** As many steps as it has, each of them in a process of its own where that is asked for. */
function assertProcesses({ processes }: PlayedScenario, steps: number): void {
  expect(processes).toBe(IN_FRESH_PROCESSES ? steps : 1);
}

test(
  "a session that reads, writes, edits and runs ends the same in one process or in one per step [D9] [D14]",
  async () => {
    await using played = await playScenario("editing");
    const { result, workspace, usages } = played;
    expect(result).toMatchObject({ exit_code: 0, final_message: "All is as it should be.", turns: 6 });
    expect(result.transcript?.map(({ role, tool_result: output }) => output?.status ?? role)).toEqual([
      "user",
      ...["assistant", "ok", "ok"],
      ...["assistant", "ok"],
      ...["assistant", "ok", "ok"],
      ...["assistant", "ok"],
      ...["assistant", "ok"],
      "assistant",
    ]);
    expect(await workspace.read("notes.txt")).toBe("one\n2\n");
    expect(await workspace.read("ledger.txt")).toBe("once\n");
    expect(usages.map(({ responseId }) => responseId)).toEqual([1, 2, 3, 4, 5, 6].map((number) => `answer-${number}`));
    expect(result.input_tokens).toBe(usages.reduce((sum, { inputTokens }) => sum + inputTokens, 0));
    expect(countOf(played, "tool_call_end")).toBe(7);
    expect([countOf(played, "step_start"), countOf(played, "step_complete")]).toEqual([6, 6]);
    expect(typesOf(played).slice(-3)).toEqual(["processing_end", "session_end", "run_end"]);
    assertProcesses(played, 9);
  },
  TIMEOUT_MS,
);

test(
  "failures, repetitions and limits are the same in one process or in one per step [D9]",
  async () => {
    await using played = await playScenario("stumbling");
    expect(played.result).toMatchObject({ exit_code: 1, turns: 6 });
    expect(rolesOf(played)).toEqual(["user", ...Array.from({ length: 6 }, () => ["assistant", "tool"]).flat()]);
    expect(countOf(played, "turn_limit")).toBe(1);
    expect(countOf(played, "tool_call_end")).toBe(7);
    assertProcesses(played, 12);
  },
  TIMEOUT_MS,
);

test(
  "what a session began with stays what it is in one process or in one per step [D9]",
  async () => {
    await using played = await playScenario("continued");
    expect(rolesOf(played).slice(0, 4)).toEqual(["system", "user", "user", "assistant"]);
    expect(played.result).toMatchObject({ exit_code: 0, final_message: "alpha", turns: 3 });
    expect(countOf(played, "user_input")).toBe(1);
    assertProcesses(played, 4);
  },
  TIMEOUT_MS,
);
