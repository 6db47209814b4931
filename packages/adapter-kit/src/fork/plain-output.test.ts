import { readFile, writeFile } from "node:fs/promises";
import type { AgentEvent, ExecutionEnvironment, TurnResult } from "@switchyard/contracts";
import { secret } from "@switchyard/secrets";
import { expect, test } from "vitest";
import { acme } from "../../test/acme.ts";
import { openEnvironment } from "../../test/open-environment.ts";
import { plainAcme } from "../../test/plain-acme.ts";
import type { AdapterKind } from "../index.ts";

const WORKS = `console.log("\\u001b[31mreading\\u001b[0m files"); console.error("Credits: 1")`;

/** A command of a few lines that notes its arguments in the workspace. */
async function makeCommand(folder: string, body: string): Promise<string[]> {
  const note = 'require("node:fs").appendFileSync("asked", JSON.stringify(process.argv.slice(2)) + "\\n");';
  await writeFile(`${folder}/agent.cjs`, `${note} ${body}`);
  return [process.execPath, `${folder}/agent.cjs`];
}

interface Output {
  readonly results: TurnResult[];
  readonly events: AgentEvent[];
  readonly launches: string[][];
}

async function runPrompts(body: string, prompts: readonly string[], kind: AdapterKind = plainAcme): Promise<Output> {
  await using opened = await openEnvironment();
  const { environment } = opened;
  const command = await makeCommand(opened.folder, body);
  const adapter = kind.create({ command }, { variables: { ACME_KEY: secret("acme-key-0123456789") } });
  const session = await adapter.startSession({
    ...{ environment, workspacePath: environment.workingDirectory, resumeSessionId: "an-old-one" },
  });
  const events: AgentEvent[] = [];
  const results: TurnResult[] = [];
  for (const prompt of prompts) {
    results.push(await adapter.runTurn(session, { prompt, onEvent: (event) => events.push(event) }));
  }
  await adapter.stopSession(session);
  const text = await readFile(`${environment.workingDirectory}/asked`, "utf8").catch(() => "");
  return { results, events, launches: text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)])) };
}

test("plain output is emitted without colours, and nothing is invented [adapter-plain-output-1] [adapter-plain-output-2] [adapter-events-5]", async () => {
  const { results, events } = await runPrompts(WORKS, ["Do it."]);
  expect(results[0]).toMatchObject({ exitReason: "turn_completed", usageMeasured: false });
  const logged = events.map(({ type, message }) => [type, message]);
  expect(logged).toContainEqual(["notification", "reading files"]);
  expect(events.some(({ type }) => type === "token_usage" || type === "tool_result")).toBe(false);
});

test("the session is announced before any output if the program announces none [adapter-fork-13] [adapter-capabilities-1]", async () => {
  const { events } = await runPrompts(WORKS, ["Do it."]);
  expect(events[0]).toMatchObject({ type: "session_started", sessionId: "an-old-one" });
  expect(plainAcme.capabilities).toMatchObject({ usage: "none", resume: "folder" });
  expect(plainAcme.capabilities.permissions).not.toBe("");
});

test("resume by folder sets its flag only after a first success, and one process runs each turn [adapter-resume-4] [adapter-fork-1] [adapter-arguments-2]", async () => {
  const { launches, results } = await runPrompts(WORKS, ["-one", "two"]);
  expect(launches).toEqual([["-one"], ["--again", "--", "two"]].map((args, at) => (at === 0 ? ["--", ...args] : args)));
  expect(results.map(({ exitReason }) => exitReason)).toEqual(["turn_completed", "turn_completed"]);
  const failing = await runPrompts("process.exit(3)", ["one", "two"]);
  expect(failing.launches.flat()).not.toContain("--again");
});

test("a marker of failed authentication with an otherwise empty run is response_error [adapter-outcome-13]", async () => {
  const marker = `console.error("Authentication failed.")`;
  const { results } = await runPrompts(marker, ["Do it."]);
  expect(results[0]?.error).toMatchObject({ code: "adapter.response_error" });
  const worked = await runPrompts(`console.log("x"); ${marker}`, ["Do it."]);
  expect(worked.results[0]?.error).toMatchObject({ code: "adapter.turn_failed" });
});

test("a prompt that is too long for an argument is refused before the program starts [adapter-arguments-3]", async () => {
  const { results, launches } = await runPrompts(WORKS, ["x".repeat(200_000), "short"]);
  expect(results[0]?.error).toMatchObject({ code: "adapter.prompt_too_long" });
  expect(results[0]?.error?.message).toContain("200000 bytes");
  expect(launches).toEqual([["--", "short"]]);
});

test("a missing credential is an error with the name of the variable, before any turn; a remote session is not checked against local variables [adapter-credentials-1] [adapter-credentials-2] [adapter-credentials-4]", async () => {
  await using opened = await openEnvironment();
  const start = (environment: ExecutionEnvironment) =>
    plainAcme
      .create({ command: process.execPath })
      .startSession({ environment, workspacePath: environment.workingDirectory });
  await expect(start(opened.environment)).rejects.toThrow("ACME_KEY is not set");
  const missing = plainAcme.create({ command: "no-such-agent" });
  const { environment } = opened;
  await expect(
    missing.startSession({ environment, workspacePath: environment.workingDirectory }),
  ).rejects.toMatchObject({ code: "adapter.agent_not_found" });
  const remote = new Proxy(environment, {
    get(inner, field) {
      const value: unknown = Reflect.get(inner, field, inner);
      if (field === "name") return "ssh:host";
      return typeof value === "function" ? value.bind(inner) : value;
    },
  });
  expect(await start(remote)).toHaveProperty("id");
});

test("the last report counts, and a session id that changes reaches the result [adapter-fork-6] [adapter-events-10]", async () => {
  const lines = [
    { type: "hello", session: "one" },
    { type: "text", text: "x" },
    { type: "bye", ok: false, why: "too early" },
    { type: "hello", session: "two" },
    { type: "bye", ok: true },
  ];
  const program = lines.map((line) => `console.log(${JSON.stringify(JSON.stringify(line))});`).join(" ");
  const { results, events } = await runPrompts(program, ["Do it."], acme);
  expect(results[0]).toMatchObject({ exitReason: "turn_completed", sessionId: "two" });
  expect(events.filter(({ type }) => type === "session_started")).toHaveLength(1);
});

test("an adapter that cannot resume ignores an old id [adapter-resume-2]", async () => {
  const forgetful = { ...plainAcme.capabilities, resume: "none" } as const;
  const { defineAdapter, forkPerTurnAdapter } = await import("../index.ts");
  const kind = defineAdapter({
    ...{ kind: "acme-forgetful", defaultCommand: "acme", credentials: [], capabilities: forgetful },
    readConfig: () => undefined,
    create: (settings) =>
      forkPerTurnAdapter(settings, {
        start: () => undefined,
        buildTurn: ({ isResumed, sessionId }) => ({ args: [String(isResumed), sessionId] }),
        parseLine: (line, turn) => turn.text(line),
      }),
  });
  const { launches } = await runPrompts('console.log("x")', ["one"], kind);
  expect(launches).toEqual([["false", ""]]);
});
