import { DEPENDENCY, SESSION_INPUT } from "@switchyard/contracts";
import { createDependencies } from "@switchyard/engine";
import { text } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { startRun } from "../../test/start-run.ts";

const REMAINING = ["__subagent.main-1", "__subagent_turns.main-1", "__subagent_prompt.main-1"];

test("a run that does not resume removes the subagents of an earlier run from its board", async () => {
  await using workspace = await openWorkspace();
  const { engine, board, host, execution } = startRun(workspace, { steps: [text("one"), text("two")] });
  await execution;
  for (const name of REMAINING) board.setVar(name, "left");
  board.set(SESSION_INPUT, { messages: [{ role: "user", content: "go on" }] });
  const deps = createDependencies([[DEPENDENCY.environment, workspace.environment]]);
  await engine.execute({ id: "run-2", attributes: {}, deps, signal: new AbortController().signal }, host, board);
  expect(REMAINING.filter((name) => board.hasVar(name))).toEqual([]);
});

test("a run that was cancelled before it began does not ask the model", async () => {
  await using workspace = await openWorkspace();
  const { client, execution } = startRun(workspace, { steps: [text("one")], signal: AbortSignal.abort() });
  await expect(execution).rejects.toMatchObject({ code: expect.stringMatching(/cancelled|interrupted/) });
  expect(client.requests).toEqual([]);
});
