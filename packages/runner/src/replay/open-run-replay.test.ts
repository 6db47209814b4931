import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ModelRequest,
  type ModelResponse,
  type RunRecord,
  type RunRequest,
  type StoredRun,
  textMessage,
} from "@switchyard/contracts";
import {
  CASSETTE_FORMAT,
  CASSETTE_VERSION,
  type CassetteHeader,
  findMismatch,
  serializeCassette,
} from "@switchyard/llm/cassette";
import { createMasker } from "@switchyard/secrets";
import { expect, onTestFinished, test } from "vitest";
import { type AgentReplay, openRunReplay } from "./open-run-replay.ts";

const RECORD: RunRecord = {
  ...{ format: 1, run_id: "01JD", engine: "agent", title: "Fix it", status: "completed", attempt: 1 },
  ...{ created_at: "2026-01-01T00:00:00Z", created_by: "test" },
};
const REQUEST: RunRequest = { format: 1, input: { messages: [], workspace: "/recorded" } };

function requestIn(workspace: string, branch: string, task = "Fix it."): ModelRequest {
  const system = `Working directory: ${workspace}\nGit branch: ${branch}\nOS version: ${branch} 1.0`;
  return { model: "m", messages: [textMessage("system", system), textMessage("user", task)] };
}

/** Returns a stored run whose recording contains these requests, or this text. */
async function runWith(recording: readonly ModelRequest[] | string | undefined): Promise<StoredRun> {
  const folder = await mkdtemp(join(tmpdir(), "replay-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const header: CassetteHeader = { format: CASSETTE_FORMAT, version: CASSETTE_VERSION, description: "test" };
  const response: ModelResponse = {
    ...{ id: "1", model: "m", provider: "test", message: textMessage("assistant", "Done.") },
    ...{ finishReason: { unified: "stop" }, usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 }, warnings: [] },
  };
  if (recording !== undefined) {
    const text =
      typeof recording === "string"
        ? recording
        : serializeCassette({ header, calls: recording.map((request) => ({ request, response })) });
    await writeFile(join(folder, "recording.jsonl"), text);
  }
  return { runId: "01JD", folder, record: RECORD, request: REQUEST, problems: [] };
}

async function openAgentReplay(recording: readonly ModelRequest[]): Promise<AgentReplay> {
  const replay = await openRunReplay(await runWith(recording));
  if (replay.kind === "agent") return replay;
  throw new Error("It is not a replay of the built-in agent.");
}

test("a request that differs only in workspace, branch and operating system gets the recorded response", async () => {
  const replay = await openAgentReplay([requestIn("/recorded", "main")]);
  expect(replay).toMatchObject({ calls: 1, request: REQUEST });
  const client = replay.createClient({ workspace: "/elsewhere", masker: createMasker([]) });
  const { message } = await client.complete(requestIn("/elsewhere", "other"));
  expect(message.parts).toEqual(textMessage("assistant", "Done.").parts);
  expect(findMismatch(client)).toBeUndefined();
});

test("another task is a difference", async () => {
  const replay = await openAgentReplay([requestIn("/recorded", "main")]);
  const client = replay.createClient({ workspace: "/elsewhere", masker: createMasker([]) });
  const answer = client.complete(requestIn("/elsewhere", "main", "Something else."));
  await expect(answer).rejects.toMatchObject({ code: "cassette.mismatch" });
  expect(findMismatch(client)?.code).toBe("cassette.mismatch");
});

test("a recorded call that is not requested is a difference", async () => {
  const replay = await openAgentReplay([requestIn("/recorded", "main")]);
  const client = replay.createClient({ workspace: "/elsewhere", masker: createMasker([]) });
  expect(findMismatch(client)?.code).toBe("cassette.unused");
});

test.each([
  ["without a request", { request: undefined }, "its request was not stored."],
  ["without a record", { record: undefined }, "its request was not stored."],
])("a run %s cannot be replayed", async (_name, change, problem) => {
  const run = { ...(await runWith([requestIn("/recorded", "main")])), ...change };
  await expect(openRunReplay(run)).rejects.toMatchObject({ code: "run.not_replayable", details: { problem } });
});

test("a run without a usable recording cannot be replayed", async () => {
  const missing = openRunReplay(await runWith(undefined));
  await expect(missing).rejects.toMatchObject({ details: { problem: "its recording is missing." } });
  const empty = openRunReplay(await runWith([]));
  await expect(empty).rejects.toMatchObject({ details: { problem: "its recording is empty." } });
  await expect(openRunReplay(await runWith("{}\n"))).rejects.toMatchObject({ code: "cassette.malformed" });
  // Another engine calls models through the gateway, which records them in its own format.
  const other = { ...(await runWith([requestIn("/recorded", "main")])), record: { ...RECORD, engine: "codex" } };
  await expect(openRunReplay(other)).rejects.toMatchObject({ code: "cassette.malformed" });
});
