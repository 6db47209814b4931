import { describe, expect, test } from "vitest";
import { displayWidth } from "../text/display-width.ts";
import { type RunRow, renderRunList } from "./render-run-list.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const LONG = "Move the session store to SQLite and keep the old files readable until everything is migrated";
const ROWS: readonly RunRow[] = [
  {
    ...{ id: "01jd0000000000000000000001", shortId: "01jd000001", status: "completed", createdMs: NOW - 180_000 },
    ...{ engine: "claude-code", model: "anthropic/claude-sonnet-5-5", costMicros: 123_400, task: LONG },
  },
  {
    ...{ id: "01jd0000000000000000000002", shortId: "01jd000002", status: "running (cut off)", createdMs: NOW - 7.2e6 },
    ...{ engine: "agent", model: "openai/gpt-6.2-sol", costMicros: 2_500_000 },
    task: "日本語の説明を書いて\u001b[2J\nand more",
  },
  { id: "damaged-run", shortId: "damaged-ru", status: "damaged", engine: "", model: "", task: "run.json is missing." },
];

function listAt(columns: number, hasColour = false): string[] {
  return renderRunList(ROWS, { output: { isTerminal: true, columns, hasColour }, now: NOW });
}

describe("on a terminal", () => {
  test.each([20, 30, 40, 60, 80, 120, 200])("of %d columns, every line fits and shows the task", (columns) => {
    const lines = listAt(columns);
    for (const line of lines) expect(displayWidth(line), line).toBeLessThanOrEqual(columns);
    const start = lines[0]?.indexOf("TASK") ?? -1;
    expect(start).toBeGreaterThan(0);
    expect(lines[1]?.slice(start)).toMatch(/^Move t/);
  });

  test("of 60 columns, id, age, status and engine are shown", () => {
    expect(listAt(60)).toEqual([
      "RUN         AGE  STATUS     ENGINE       TASK",
      "01jd000001  3m   completed  claude-code  Move the session s…",
      "01jd000002  2h   cut off    agent        日本語の説明を書い…",
      "damaged-ru       damaged                 run.json is missin…",
    ]);
  });

  test("of 80 columns, the cost is added", () => {
    expect(listAt(80)[0]).toMatch(/^RUN +AGE +STATUS +ENGINE +COST +TASK$/);
    expect(listAt(80)[2]).toContain("$2.50");
  });

  test("of 200 columns, the model is added and the task is complete", () => {
    expect(listAt(200)[0]).toMatch(/^RUN +AGE +STATUS +ENGINE +COST +MODEL +TASK$/);
    expect(listAt(200)[1]).toMatch(new RegExp(`anthropic/claude-sonnet-5-5 +${LONG}$`));
  });

  test("with colours, the status is coloured and nothing else moves", () => {
    const coloured = listAt(80, true);
    expect(coloured[1]).toContain("\u001b[32mcompleted\u001b[39m");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes colours
    expect(coloured.map((line) => line.replace(/\u001b\[\d+m/g, ""))).toEqual(listAt(80));
  });
});

test("elsewhere, ids, times and tasks are complete on lines of any length", () => {
  const output = { isTerminal: false, columns: 60, hasColour: false };
  expect(renderRunList(ROWS, { output, now: NOW })).toEqual([
    "RUN                         STATUS             STARTED               ENGINE       COST     MODEL                        TASK",
    `01jd0000000000000000000001  completed          2026-03-01T11:57:00Z  claude-code  $0.1234  anthropic/claude-sonnet-5-5  ${LONG}`,
    "01jd0000000000000000000002  running (cut off)  2026-03-01T10:00:00Z  agent        $2.50    openai/gpt-6.2-sol           日本語の説明を書いて␛[2J and more",
    "damaged-run                 damaged                                                                                     run.json is missing.",
  ]);
});
