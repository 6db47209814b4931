import type { RunRecord } from "@switchyard/contracts";
import { openFileStore } from "@switchyard/stores/file";
import { describe, expect, test } from "vitest";
import { BIN, makeFolder, switchyard } from "./start-switchyard.ts";
import { noTmux, startOnScreen } from "./tmux.ts";

const TASK = "Move the session store to SQLite and keep the old files readable until all of them are migrated";
const ENDINGS = ["completed", "failed", "interrupted"] as const;

/** Creates a state folder with a number of runs, each an hour older than the one before. */
async function storeRuns(count: number): Promise<string> {
  const state = await makeFolder();
  const store = openFileStore({ directory: state });
  for (let index = 0; index < count; index++) {
    const id = `run-${String(index).padStart(4, "0")}-of-this-test`;
    const record: RunRecord = {
      ...{ format: 1, run_id: id, engine: "claude-code", model: "anthropic/claude-sonnet-5-5", attempt: 1 },
      ...{ title: `${index}: ${TASK}`, status: ENDINGS[index % 3] ?? "error", created_by: "0.0.0" },
      created_at: new Date(Date.now() - index * 3_600_000 - 60_000).toISOString(),
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2, cost_micros: 1_500_000 },
    };
    const input = { messages: [{ role: "user" as const, content: TASK }] };
    await (await store.create(record, { format: 1, input, settings: {} })).release();
  }
  await store.close();
  return state;
}

const LIST = ["runs", "list", "--state"];
/** Shell script that sets the width of the terminal and starts a command. */
const SIZED = 'stty cols "$0"; exec "$@"';
const withoutTmux = await noTmux();

describe("switchyard runs list", () => {
  test("lists the 20 newest runs and the number of the others; --limit changes that, --json lists all", async () => {
    const state = await storeRuns(23);
    const list = async (...words: readonly string[]) =>
      (await switchyard(["runs", "list", "--state", state, ...words])).stdout.split("\n");
    const usual = await list();
    expect(usual.slice(1, 21).every((line) => /^run-00[01]\d-of-this-test /.test(line))).toBe(true);
    expect(usual.slice(21)).toEqual(["", "3 more. See --limit, --status and --search."]);
    expect(await list("--limit", "0")).toHaveLength(24);
    expect((await list("--limit", "2")).slice(1, 3).map((line) => line.slice(0, 8))).toEqual(["run-0000", "run-0001"]);
    const all: unknown[] = JSON.parse((await list("--json")).join("\n"));
    expect(all).toHaveLength(23);
    expect(all[0]).toMatchObject({ run_id: "run-0000-of-this-test", title: `0: ${TASK}`, cut_off: false });
    expect(JSON.parse((await list("--json", "--limit", "3")).join("\n"))).toHaveLength(3);
  });

  test("filters by status, and by text in task or id in any case", async () => {
    const state = await storeRuns(9);
    const idsOf = async (...words: readonly string[]) => {
      const { stdout } = await switchyard(["runs", "list", "--json", "--state", state, ...words]);
      const runs: { run_id: string }[] = JSON.parse(stdout);
      return runs.map(({ run_id }) => run_id.slice(0, 8));
    };
    expect(await idsOf("--status", "failed")).toEqual(["run-0001", "run-0004", "run-0007"]);
    expect(await idsOf("--status", "failed,interrupted")).toHaveLength(6);
    expect(await idsOf("--search", "4: move THE")).toEqual(["run-0004"]);
    expect(await idsOf("--search", "RUN-0008")).toEqual(["run-0008"]);
    expect(await idsOf("--search", "sqlite", "--status", "failed", "--limit", "1")).toEqual(["run-0001"]);
    const none = await switchyard(["runs", "list", "--state", state, "--search", "nothing has this"]);
    expect(none).toMatchObject({ exitCode: 0, stdout: "No run matches, of 9 stored runs." });
    const wrong = await switchyard(["runs", "list", "--state", state, "--status", "sleeping"]);
    expect(wrong).toMatchObject({ exitCode: 2, stdout: "" });
    expect(wrong.stderr).toContain("Allowed choices are queued, running,");
  });

  test("nothing is truncated in a pipe", async () => {
    const { stdout } = await switchyard(["runs", "list", "--state", await storeRuns(1)]);
    expect(stdout).toMatch(
      new RegExp(`^run-0000-of-this-test +completed +\\S+Z +claude-code +\\$1\\.50 .* 0: ${TASK}$`, "m"),
    );
  });

  test.for([40, 60, 80])("fits a terminal of %d columns and shows the task", async (columns, { skip }) => {
    skip(withoutTmux !== undefined, withoutTmux);
    const state = await storeRuns(3);
    const screen = await startOnScreen(["sh", "-c", SIZED, String(columns), process.execPath, BIN, ...LIST, state]);
    expect(await screen.ended()).toBe(0);
    const lines = (await screen.shown()).split("\n").filter((line) => /^(RUN|run-)/.test(line));
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(columns);
    expect(lines[1]).toMatch(/^run-0000-o .*completed .*0: Move .*…$/);
    if (columns >= 60) expect(lines[1]).toMatch(/ 1m +completed +claude-code +/);
    if (columns >= 80) expect(lines[1]).toContain("$1.50");
  });
});
