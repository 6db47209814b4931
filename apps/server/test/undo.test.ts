import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@switchyard/client";
import { EngineError } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { parseTokens } from "../src/index.ts";
import { ASK, answering, DONE, openServer } from "./open-server.ts";
import { gate, stepEngine } from "./step-engine.ts";

/** Engine that replaces the content of a file. */
const changing = answering(async ({ workspace = "" }) => {
  await writeFile(join(workspace, "note.txt"), "after\n");
  return DONE;
});

async function codeOf(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.catch((cause: unknown) => cause);
  return EngineError.is(error) ? error.code : String(error);
}

test("a dry run shows the changes of a run, undo reverts them once, and the run records the time", async () => {
  const server = await openServer(changing);
  const { runs } = createClient({ url: server.url });
  const { run_id: runId } = await runs.create(ASK, { files: { "note.txt": "before\n" } });
  await runs.wait(runId);
  const note = (): Promise<string> => readFile(join(`${server.state}-workspaces`, runId, "note.txt"), "utf8");
  expect(await runs.undo(runId, { dryRun: true })).toMatchObject({ undone: false });
  expect(await note()).toBe("after\n");
  expect((await runs.get(runId)).undone_at).toBeUndefined();
  const undone = await runs.undo(runId);
  expect(undone).toMatchObject({ run_id: runId, undone: true });
  expect(undone.workspace_diff).toContain("+after");
  expect(await note()).toBe("before\n");
  expect((await runs.get(runId)).undone_at).toMatch(/^\d{4}-/);
  expect(await codeOf(runs.undo(runId))).toBe("run.not_undoable");
});

test("a file edited since the run is not overwritten", async () => {
  const server = await openServer(changing);
  const { runs } = createClient({ url: server.url });
  const { run_id: runId } = await runs.create(ASK, { files: { "note.txt": "before\n" } });
  await runs.wait(runId);
  const path = join(`${server.state}-workspaces`, runId, "note.txt");
  await writeFile(path, "edited by hand\n");
  expect(await codeOf(runs.undo(runId))).toBe("run.not_undoable");
  expect(await readFile(path, "utf8")).toBe("edited by hand\n");
});

test("a run in progress and a run of another caller are not reverted", async () => {
  const blocked = gate();
  const [owner, other] = ["owner-token-of-nobody-0123456789", "other-token-of-nobody-0123456789"];
  const tokens = parseTokens(
    `${owner} owner=o roles=runner,approver\n${other} owner=p roles=runner,approver\n`,
    "tokens.txt",
  );
  const server = await openServer(stepEngine({ before: () => blocked.opened }), { tokens });
  const { runs } = createClient({ url: server.url, token: owner });
  const { run_id: runId } = await runs.create(ASK);
  expect(await codeOf(runs.undo(runId))).toBe("server.run_at_work");
  expect(await codeOf(createClient({ url: server.url, token: other }).runs.undo(runId))).toBe("server.unknown_run");
  blocked.open();
  await runs.wait(runId);
});
