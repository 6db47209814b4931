import { expect } from "vitest";
import { type ParityRow, TASK } from "./parity-row.ts";

const COMMAND: ParityRow = {
  row: 4,
  title: "a shell command runs and its output comes back [loop-9.12-4]",
  inputs: [TASK],
  script: ({ wording }) => ({
    [TASK]: [{ calls: [wording.shell("echo out of $((6 * 7)); echo beside >&2; pwd > where")] }, { say: "It ran." }],
  }),
  async check(scene) {
    const [result] = scene.results;
    expect(result?.content).toContain("out of 42\n");
    expect(result?.content).toContain("beside\n");
    expect(result?.content).toMatch(/\[Exit code: 0\. Duration: \d+ms\]/);
    const { environment } = scene.workspace;
    expect(await scene.workspace.read("where")).toBe(`${environment.workingDirectory}\n`);
    const streamed = scene.eventsOf("tool_call_output_delta").map(({ content }) => content);
    expect(streamed.join("")).toContain("out of 42\n");
  },
};

function isAlive(pid: string): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
}

const TIMEOUT: ParityRow = {
  row: 5,
  title: "a shell timeout is handled [loop-9.12-5]",
  inputs: [TASK],
  script: ({ wording }) => ({
    [TASK]: [
      { calls: [wording.shell("sleep 30 & echo $$ $! > pids; echo begun; wait", 500)] },
      { calls: [wording.shell("echo shorter")] },
      { say: "That was too long." },
    ],
  }),
  async check(scene) {
    const [timedOut, shorter] = scene.results;
    expect(timedOut?.content).toContain("begun\n[ERROR: Command timed out after 500ms. Partial output is shown above.");
    expect(shorter?.content).toContain("shorter\n");
    expect(scene.eventsOf("tool_call_end")).toMatchObject([{ is_error: true }, { is_error: false }]);
    const pids = (await scene.workspace.read("pids")).trim().split(" ");
    // The process was killed. The system may need a moment to remove one whose parent has ended.
    await expect.poll(() => pids.map(isAlive)).toEqual([false, false]);
  },
};

const PARALLEL: ParityRow = {
  row: 9,
  title: "parallel calls run side by side and their results keep their order [loop-9.12-9] [loop-9.3-5]",
  inputs: [TASK],
  script: ({ wording }) => ({
    [TASK]: [
      { calls: [wording.shell("mkfifo there back")] },
      // Each of them ends only if the other one runs as well.
      {
        calls: [
          wording.shell("echo ping > there; cat back; echo first", 20_000),
          wording.shell("cat there; echo pong > back; echo second", 20_000),
        ],
      },
      { say: "They met." },
    ],
  }),
  async check(scene) {
    expect(scene.profile.supportsParallelToolCalls).toBe(true);
    const [, first, second] = scene.results;
    expect(first?.content).toContain("pong\nfirst\n");
    expect(second?.content).toContain("ping\nsecond\n");
    const kinds = scene.events.map(({ type }) => type).filter((type) => /^tool_call_(start|end)$/.test(type));
    expect(kinds.slice(2, 4)).toEqual(["tool_call_start", "tool_call_start"]);
  },
};

/** The rows about commands. */
export const COMMAND_ROWS: readonly ParityRow[] = [COMMAND, TIMEOUT, PARALLEL];
