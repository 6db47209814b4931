import assert from "node:assert/strict";
import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import { isPending, outcomeOf } from "../contract/expectations.ts";
import {
  type AdapterBench,
  assertRefusedStart,
  completedOf,
  createListener,
  LAST,
  ofType,
  runSession,
  startOf,
  turnOf,
  WORKS,
} from "./adapter-bench.ts";

const HANGS = [...WORKS.slice(0, 2), { do: "hang" }] as const;

/** Wraps an environment and counts the programs that are started in the environment. */
function watchSpawns(environment: ExecutionEnvironment): {
  readonly environment: ExecutionEnvironment;
  spawned(): number;
} {
  let count = 0;
  const spawn: ExecutionEnvironment["spawn"] = (...args) => {
    count += 1;
    return environment.spawn(...args);
  };
  const watched = new Proxy(environment, {
    get(target, name) {
      if (name === "spawn") return spawn;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { environment: watched, spawned: () => count };
}

/** Conformance cases for starting, resuming and stopping sessions. */
export const sessionCases: readonly CaseBody<AdapterBench>[] = [
  {
    id: "adapter/start-runs-nothing",
    requirement: ["adapter-contract-2"],
    title: "Does not start the agent when a session is started",
    async check(bench) {
      const subject = await bench.open();
      const session = await subject.adapter.startSession(startOf(subject));
      assert.deepEqual(subject.received(), [], "The agent was started.");
      await subject.adapter.stopSession(session);
      assert.deepEqual(subject.received(), [], "Stopping the session started the agent.");
    },
  },
  {
    id: "adapter/stop-unused",
    requirement: ["adapter-contract-5"],
    title: "Does nothing when a session without a process is stopped",
    async check(bench) {
      const subject = await bench.open();
      const session = await subject.adapter.startSession(startOf(subject));
      assert.equal(await subject.adapter.stopSession(session), undefined);
    },
  },
  {
    id: "adapter/workspace-empty",
    requirement: ["adapter-launch-5"],
    title: "Rejects a workspace without a path",
    check: async (bench) =>
      assertRefusedStart(await bench.run({}, { start: { workspacePath: "" } }), "adapter.invalid_workspace_cwd"),
  },
  {
    id: "adapter/workspace-relative",
    requirement: ["adapter-launch-5"],
    title: "Rejects a relative workspace path",
    check: async (bench) =>
      assertRefusedStart(await bench.run({}, { start: { workspacePath: "." } }), "adapter.invalid_workspace_cwd"),
  },
  {
    id: "adapter/workspace-missing",
    requirement: ["adapter-launch-5"],
    title: "Rejects a workspace that does not exist",
    async check(bench) {
      const subject = await bench.open();
      const workspacePath = `${subject.environment.workingDirectory}/nowhere`;
      assertRefusedStart(await runSession(subject, { start: { workspacePath } }), "adapter.invalid_workspace_cwd");
    },
  },
  {
    id: "adapter/workspace-file",
    requirement: ["adapter-launch-5"],
    title: "Rejects a workspace that is a file",
    async check(bench) {
      const subject = await bench.open();
      const workspacePath = `${subject.environment.workingDirectory}/file`;
      await subject.environment.writeFile(workspacePath, "x");
      assertRefusedStart(await runSession(subject, { start: { workspacePath } }), "adapter.invalid_workspace_cwd");
    },
  },
  {
    id: "adapter/workspace-outside",
    requirement: ["adapter-launch-6"],
    title: "Rejects a workspace outside the environment's workspace, also behind a symbolic link",
    async check(bench) {
      const subject = await bench.open();
      const { environment } = subject;
      const code = "adapter.invalid_workspace_cwd";
      assertRefusedStart(await runSession(subject, { start: { workspacePath: "/" } }), code);
      await environment.exec(["ln", "-s", "/", "link"]);
      const workspacePath = `${environment.workingDirectory}/link`;
      assertRefusedStart(await runSession(subject, { start: { workspacePath } }), code);
    },
  },
  {
    id: "adapter/workspace-gone",
    requirement: ["adapter-launch-7"],
    title: "Fails the turn without starting the agent if the workspace was removed before the turn",
    async check(bench) {
      const subject = await bench.open();
      const { environment, adapter } = subject;
      const workspacePath = `${environment.workingDirectory}/folder`;
      await environment.makeDirectory(workspacePath);
      const session = await adapter.startSession({ ...startOf(subject), workspacePath });
      await environment.remove(workspacePath);
      const { result } = await createListener(adapter, session)({ prompt: "Go on." });
      await adapter.stopSession(session);
      assert.equal(result.error?.code, "adapter.invalid_workspace_cwd");
      assert.deepEqual(subject.received(), []);
    },
  },
  {
    id: "adapter/folder",
    requirement: ["adapter-launch-8"],
    title: "Starts the agent in the working folder of its session",
    async check(bench) {
      const subject = await bench.open();
      const workspacePath = `${subject.environment.workingDirectory}/inner`;
      await subject.environment.makeDirectory(workspacePath);
      const run = await runSession(subject, { start: { workspacePath } });
      completedOf(run);
      const cwd = run.received[0]?.cwd ?? "";
      assert.ok(cwd.endsWith("/inner"), `The agent ran in ${cwd}.`);
    },
  },
  {
    id: "adapter/command-missing",
    requirement: ["adapter-launch-3"],
    title: "Rejects a program that does not exist before any turn",
    check: async (bench) =>
      assertRefusedStart(await bench.run({ config: { command: "no-such-agent-here" } }), "adapter.agent_not_found"),
  },
  {
    id: "adapter/command-blank",
    requirement: ["adapter-launch-4"],
    title: "Rejects a blank command",
    check: async (bench) =>
      assertRefusedStart(await bench.run({ config: { command: "  " } }), "adapter.agent_not_found"),
  },
  {
    id: "adapter/turns-share-session",
    requirement: ["adapter-fork-12", "adapter-resume-3", "adapter-resume-5"],
    title: "Continues the conversation of the first turn in a second turn, and none in the first",
    async check(bench) {
      const subject = await bench.open();
      applies(subject.adapter.capabilities.resume === "id", "the agent does not resume by session id");
      const run = await runSession(subject, { prompts: ["One.", "Two."] });
      assert.deepEqual(
        run.received.map(({ prompt, isResumed }) => [prompt, isResumed]),
        [
          ["One.", false],
          ["Two.", true],
        ],
      );
      assert.equal(run.received[1]?.sessionId, run.turns[0]?.result.sessionId);
      assert.notEqual(run.sessionId, "");
    },
  },
  {
    id: "adapter/resume",
    requirement: ["adapter-resume-1"],
    title: "Resumes an earlier session by its id from the first turn on",
    async check(bench) {
      const subject = await bench.open();
      applies(subject.adapter.capabilities.resume === "id", "the agent does not resume by session id");
      const resumeSessionId = "0f8e3b6a-1c1d-4c0e-9f6e-7a5d4c3b2a10";
      const run = await runSession(subject, { start: { resumeSessionId } });
      completedOf(run);
      assert.deepEqual([run.received[0]?.isResumed, run.received[0]?.sessionId], [true, resumeSessionId]);
    },
  },
  {
    id: "adapter/session-started-once",
    requirement: ["adapter-events-1"],
    title: "Emits session_started once, with session id and process id",
    async check(bench) {
      const run = await bench.run({}, { prompts: ["One.", "Two."] });
      const started = run.turns.flatMap((turn) => ofType(turn, "session_started"));
      assert.equal(started.length, 1, `session_started was emitted ${started.length} times.`);
      assert.equal(started[0]?.sessionId, run.turns[0]?.result.sessionId);
      assert.equal(started[0]?.agentPid, run.received[0]?.pid);
    },
  },
  {
    id: "adapter/one-turn-at-a-time",
    requirement: ["adapter-contract-3"],
    title: "Rejects a second turn while one is running, and continues the first",
    async check(bench) {
      const subject = await bench.open({ turns: [HANGS] });
      const { adapter } = subject;
      const session = await adapter.startSession(startOf(subject));
      const first = adapter.runTurn(session, { prompt: "One.", onEvent: () => {} });
      await Promise.race([subject.whenHanging(), first]);
      const second = await outcomeOf(() => adapter.runTurn(session, { prompt: "Two.", onEvent: () => {} }));
      assert.equal(subject.received().length, 1, "Two turns ran concurrently.");
      await adapter.stopSession(session);
      assert.ok("error" in second && EngineError.is(second.error), "The second turn was not refused.");
      assert.equal((await first).exitReason, "turn_cancelled");
    },
  },
  {
    id: "adapter/foreign-session",
    requirement: ["adapter-contract-10", "adapter-contract-8"],
    title: "Rejects a session of another adapter",
    async check(bench) {
      const [first, other] = [await bench.open(), await bench.open()];
      const session = await other.adapter.startSession(startOf(other));
      const outcome = await outcomeOf(() => first.adapter.runTurn(session, { prompt: "Go on.", onEvent: () => {} }));
      await other.adapter.stopSession(session);
      assert.ok("error" in outcome && EngineError.is(outcome.error), "A foreign session was taken.");
      assert.deepEqual(first.received(), []);
    },
  },
  {
    id: "adapter/sessions-apart",
    requirement: ["adapter-contract-8"],
    title: "Continues a session, with the events of its own turn only, while another session runs and is stopped",
    async check(bench) {
      const subject = await bench.open({ turns: [{ steps: HANGS }, { steps: WORKS }] });
      const { adapter } = subject;
      const [firstSubject, other] = [
        await adapter.startSession(startOf(subject)),
        await adapter.startSession(startOf(subject)),
      ];
      const first = createListener(adapter, firstSubject)({ prompt: "One." });
      await Promise.race([subject.whenHanging(), first]);
      const second = await createListener(adapter, other)({ prompt: "Two." });
      await adapter.stopSession(other);
      assert.ok(await isPending(first), "The turn ended together with the turn of another session.");
      await adapter.stopSession(firstSubject);
      const lastEvents = [await first, second].map(({ events }) => events.filter(({ type }) => LAST.includes(type)));
      assert.deepEqual(
        lastEvents.map((events) => events.map(({ type }) => type)),
        [["turn_cancelled"], ["turn_completed"]],
        "The terminal events of the two sessions are wrong",
      );
    },
  },
  {
    id: "adapter/through-environment",
    requirement: ["adapter-ssh-1"],
    title: "Starts the agent through the environment of its session, local or remote",
    async check(bench) {
      const subject = await bench.open();
      const watched = watchSpawns(subject.environment);
      const run = await runSession(subject, { start: { environment: watched.environment } });
      completedOf(run);
      assert.ok(watched.spawned() > 0, "The agent was started on the host instead of through the environment.");
    },
  },
  {
    id: "adapter/no-turn-after-stop",
    requirement: ["adapter-contract-4"],
    title: "Rejects a turn of a stopped session",
    async check(bench) {
      const subject = await bench.open();
      const session = await subject.adapter.startSession(startOf(subject));
      await subject.adapter.stopSession(session);
      const outcome = await outcomeOf(() => subject.adapter.runTurn(session, { prompt: "Go on.", onEvent: () => {} }));
      assert.ok("error" in outcome && EngineError.is(outcome.error), "The turn was not refused.");
      assert.deepEqual(subject.received(), []);
    },
  },
  {
    id: "adapter/stop-ends-turn",
    requirement: ["adapter-fork-11", "adapter-contract-4"],
    title: "Ends the running turn when its session is stopped, and leaves no process running",
    async check(bench) {
      const run = await bench.run({ turns: [HANGS] }, { cancel: "stop" });
      assert.equal(turnOf(run).result.exitReason, "turn_cancelled");
      assert.deepEqual(run.survivors, [], "Processes are left running.");
    },
  },
  {
    id: "adapter/next-turn-after-failure",
    requirement: ["adapter-contract-4"],
    title: "Allows turns and a stop after a failed turn",
    async check(bench) {
      const turns = [{ steps: WORKS.slice(0, 1), exitCode: 3 }, { steps: WORKS }];
      const run = await bench.run({ turns }, { prompts: ["One.", "Two."] });
      const reasons = run.turns.map(({ result }) => result.exitReason);
      assert.deepEqual(reasons, ["turn_failed", "turn_completed"]);
    },
  },
  {
    id: "adapter/prompt-verbatim",
    requirement: ["adapter-arguments-6", "adapter-arguments-2"],
    title: "Passes a prompt to the agent byte for byte, whatever it contains",
    async check(bench) {
      const prompts = ["-x --help", "a 'b' \"c\" $(touch planted) `id` \\ ünï 😀", "line one\nline two\n\n", "--"];
      const run = await bench.run({}, { prompts });
      assert.deepEqual(
        run.received.map(({ prompt }) => prompt),
        prompts,
      );
      assert.equal(await run.subject.environment.exists("planted"), false);
    },
  },
  {
    id: "adapter/prompt-long",
    requirement: ["adapter-arguments-1", "adapter-arguments-3"],
    title: "Passes a prompt of 200,000 bytes completely, or rejects it early with a clear error",
    async check(bench) {
      const prompt = "x".repeat(200_000);
      const run = await bench.run({}, { prompts: [prompt] });
      const { result } = turnOf(run);
      if (run.received.length === 0) assert.equal(result.error?.code, "adapter.prompt_too_long");
      else assert.equal(run.received[0]?.prompt.length, prompt.length);
      assert.equal(result.exitReason, run.received.length === 0 ? "turn_failed" : "turn_completed");
    },
  },
  {
    id: "adapter/variables",
    requirement: ["adapter-launch-10"],
    title: "Passes only the core variables and the named ones to the agent",
    async check(bench) {
      const variables = { CONTRACT_NAMED: "named-value", CONTRACT_OTHER: "other-value" };
      const run = await bench.run({ config: { env: ["CONTRACT_NAMED"] }, variables });
      completedOf(run);
      const env = run.received[0]?.env ?? {};
      assert.equal(env["CONTRACT_NAMED"], "named-value");
      assert.equal(env["CONTRACT_OTHER"], undefined);
      assert.notEqual(env["PATH"], undefined);
    },
  },
  {
    id: "adapter/blank-variables",
    requirement: ["adapter-credentials-5"],
    title: "Does not pass blank variable values to the agent",
    async check(bench) {
      const run = await bench.run({ config: { env: ["CONTRACT_NAMED"] }, variables: { CONTRACT_NAMED: " " } });
      completedOf(run);
      assert.equal(run.received[0]?.env["CONTRACT_NAMED"], undefined);
    },
  },
  {
    id: "adapter/secrets-off-the-command-line",
    requirement: ["adapter-credentials-3"],
    title: "Passes no variable values in command-line arguments",
    async check(bench) {
      const value = "contract-secret-value-0123";
      const run = await bench.run({ config: { env: ["CONTRACT_NAMED"] }, variables: { CONTRACT_NAMED: value } });
      completedOf(run);
      assert.ok(run.received.length > 0 && run.received.every(({ args }) => args.every((arg) => !arg.includes(value))));
    },
  },
];
