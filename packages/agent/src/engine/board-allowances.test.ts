import type { Checkpoint, UserReply } from "@switchyard/contracts";
import { recordingHost, text, toolCall } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { openWorkspace, type Workspace } from "../../test/open-workspace.ts";
import { counting } from "../../test/run-session.ts";
import { type RunSetup, startRun } from "../../test/start-run.ts";
import { AGENT_ALLOWED } from "./board-allowances.ts";

const POLICY = { rules: [{ tool: "look", outcome: "allow" as const }] };

function reply(answer: string): UserReply {
  return { parts: [{ type: "text", text: answer }] };
}

/** Returns the names of the tools that a run resumed from a checkpoint asks about. */
async function promptsOf(workspace: Workspace, setup: RunSetup): Promise<readonly unknown[]> {
  const host = recordingHost({ askUser: () => reply("deny") });
  await startRun(workspace, { approval: POLICY, ...setup, host }).execution;
  return host.prompts.map(({ metadata }) => metadata?.["tool"]);
}

/** Returns the checkpoint after a call that the user allowed for the session. */
async function checkpointAfter(answer: string, workspace: Workspace): Promise<Checkpoint> {
  const host = recordingHost({ askUser: () => reply(answer) });
  const steps = [toolCall("put", { to: "a" }), text("done")];
  await startRun(workspace, { host, tools: [counting("put", "idempotent")], approval: POLICY, steps }).execution;
  const last = host.checkpoints.at(-1);
  if (last === undefined) throw new Error("there is no checkpoint");
  return last;
}

const again = { tools: [counting("put", "idempotent")], steps: [toolCall("put", { to: "a" }), text("done")] };

test("calls that a user allowed for the session are not asked about again if the run resumes elsewhere [D9]", async () => {
  await using workspace = await openWorkspace();
  const from = await checkpointAfter("allow_session", workspace);
  expect(await promptsOf(workspace, { ...again, from })).toEqual([]);
  const other = [toolCall("put", { to: "b" }), toolCall("put", { to: "a" }), text("done")];
  expect(await promptsOf(workspace, { ...again, steps: other, from })).toEqual(["put"]);
});

test("calls that were allowed once are asked about again", async () => {
  await using workspace = await openWorkspace();
  const from = await checkpointAfter("allow_once", workspace);
  expect(from.board.vars[AGENT_ALLOWED.name]).toBeUndefined();
  expect(await promptsOf(workspace, { ...again, from })).toEqual(["put"]);
});

test("an allowed call applies to the same rules and the same run only, and never against a rule", async () => {
  await using workspace = await openWorkspace();
  const from = await checkpointAfter("allow_session", workspace);
  expect(await promptsOf(workspace, { ...again, from, approval: { rules: [] } })).toEqual(["put"]);
  await using elsewhere = await openWorkspace();
  expect(await promptsOf(elsewhere, { ...again, from })).toEqual(["put"]);
  const forbidden = { rules: [{ tool: "put", outcome: "deny" as const }] };
  const put = counting("put", "idempotent");
  expect(await promptsOf(workspace, { ...again, tools: [put], from, approval: forbidden })).toEqual([]);
  expect(put.calls).toBe(0);
  const stored = from.board.vars[AGENT_ALLOWED.name];
  for (const value of [{ ...Object(stored), run: "run-2" }, { ...Object(stored), calls: [7] }, "nonsense", null]) {
    const vars = { ...from.board.vars, [AGENT_ALLOWED.name]: value };
    expect(await promptsOf(workspace, { ...again, from: { ...from, board: { ...from.board, vars } } })).toEqual([
      "put",
    ]);
  }
});
