import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { AgentEvent, TurnResult } from "@switchyard/contracts";
import { secret } from "@switchyard/secrets";
import { expect, test } from "vitest";
import { openEnvironment } from "../../test/open-environment.ts";
import { persistentAcme } from "../../test/persistent-acme.ts";

const KEY = "acme-key-0123456789";
const PROGRAM = fileURLToPath(new URL("../../test/rpc-agent.mjs", import.meta.url));

interface Conversation extends AsyncDisposable {
  prompt(prompt: string, signal?: AbortSignal): Promise<{ result: TurnResult; events: AgentEvent[] }>;
  noted(): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
  readonly log: string;
}

async function converse(config: Record<string, unknown> = {}, mode = "", resume?: string): Promise<Conversation> {
  const opened = await openEnvironment();
  const log = `${opened.folder}/log.jsonl`;
  const command = [process.execPath, PROGRAM, log, mode];
  const block = { command, stop_grace_ms: 2_000, ...config };
  const adapter = persistentAcme.create(block, { variables: { ACME_KEY: secret(KEY) } });
  const { environment } = opened;
  const session = await adapter.startSession({
    ...{ environment, workspacePath: environment.workingDirectory, resumeSessionId: resume },
  });
  return {
    log,
    async prompt(prompt, signal) {
      const events: AgentEvent[] = [];
      const result = await adapter.runTurn(session, { prompt, onEvent: (event) => events.push(event), signal });
      return { result, events };
    },
    async noted() {
      const text = await readFile(log, "utf8").catch(() => "");
      return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    },
    stop: () => adapter.stopSession(session),
    async [Symbol.asyncDispose]() {
      await adapter.stopSession(session);
      await opened[Symbol.asyncDispose]();
    },
  };
}

test("one process serves all turns, and is stopped with the session [adapter-persistent-1] [adapter-contract-5]", async () => {
  await using agent = await converse();
  expect(await agent.noted()).toEqual([]);
  expect((await agent.prompt("one")).result).toMatchObject({ exitReason: "turn_completed", finalMessage: "did: one" });
  expect((await agent.prompt("two")).result).toMatchObject({ finalMessage: "did: two", sessionId: "session-1" });
  await agent.stop();
  const noted = await agent.noted();
  expect(noted.filter((entry) => "started" in entry)).toHaveLength(1);
  expect(noted.at(-1)).toEqual({ signal: "SIGTERM" });
});

test("messages before the response they belong to are not lost [adapter-persistent-5]", async () => {
  await using agent = await converse();
  const { events } = await agent.prompt("one");
  expect(events.filter(({ type }) => type === "other_message").map(({ message }) => message)).toEqual(["welcome"]);
});

test("the handshake has the start-up time, not that of a turn [adapter-persistent-2] [adapter-timeouts-3]", async () => {
  await using agent = await converse({ startup_timeout_ms: 800 }, "silent");
  const { result } = await agent.prompt("one");
  expect(result.error).toMatchObject({ code: "adapter.response_timeout" });
});

test("the end of the process in mid-turn is port_exit, and the next turn has a new process [adapter-persistent-3] [adapter-resume-1]", async () => {
  await using agent = await converse();
  expect((await agent.prompt("die")).result).toMatchObject({
    exitReason: "turn_failed",
    error: { code: "adapter.port_exit" },
  });
  expect((await agent.prompt("again")).result.exitReason).toBe("turn_completed");
  const hellos = (await agent.noted()).filter(({ method }) => method === "hello");
  expect(hellos.map(({ params }) => params)).toEqual([{}, { resume: "session-1" }]);
});

test("every request is answered: a permission is refused and the turn continues, an unsupported request is an error [adapter-persistent-4] [adapter-permissions-1]", async () => {
  await using agent = await converse();
  const refused = await agent.prompt("ask permission");
  expect(refused.result.exitReason).toBe("turn_completed");
  expect((await agent.noted()).find(({ id, method }) => id === "p1" && method === undefined)).toMatchObject({
    result: { decision: "decline" },
  });
  expect((await agent.prompt("ask unknown")).result.exitReason).toBe("turn_completed");
  expect((await agent.noted()).find(({ id, method }) => id === "u1" && method === undefined)).toMatchObject({
    error: { code: -32601 },
  });
});

test("an answer may take its time: the turn waits for it as long as the agent does [adapter-persistent-4]", async () => {
  await using agent = await converse();
  expect((await agent.prompt("ask later")).result.exitReason).toBe("turn_completed");
  expect((await agent.noted()).find(({ id, method }) => id === "l1" && method === undefined)).toMatchObject({
    result: { found: "Shell" },
  });
});

test("the agent's message about a conversation that it does not open is reported without secrets [adapter-outcome-11]", async () => {
  await using agent = await converse({}, "refuse");
  const { result, events } = await agent.prompt("one");
  expect(result.error).toMatchObject({ code: "adapter.response_error" });
  expect(result.error?.message).toContain("no entry with ***REDACTED***");
  expect(JSON.stringify([result.error?.details, result.error?.cause, events])).not.toContain(KEY);
});

test("a question to a person ends the turn with it [adapter-outcome-12]", async () => {
  await using agent = await converse();
  const { result } = await agent.prompt("ask person");
  expect(result).toMatchObject({ exitReason: "turn_input_required", error: { code: "adapter.turn_input_required" } });
  expect(result.error?.message).toContain("Left or right?");
});

test("a cancelled turn is interrupted by the protocol before its process is ended [adapter-persistent-6]", async () => {
  await using agent = await converse();
  const controller = new AbortController();
  const turn = agent.prompt("hang", controller.signal);
  await expect.poll(async () => (await agent.noted()).some(({ hangs }) => hangs === true)).toBe(true);
  controller.abort();
  expect((await turn).result.exitReason).toBe("turn_cancelled");
  const noted = await agent.noted();
  const [interrupted, ended] = ["interrupted", "signal"].map((name) => noted.findIndex((entry) => name in entry));
  expect(interrupted).toBeGreaterThan(0);
  expect(ended).toBeGreaterThan(interrupted ?? 0);
});

test("of a total that grows over the conversation only this session's increase counts [adapter-usage-4]", async () => {
  await using agent = await converse({}, "", "session-of-old");
  const { result } = await agent.prompt("one");
  expect(result.sessionId).toBe("session-of-old");
  expect(result.usage.inputTokens).toBe(100);
});
