import { spawnSync } from "node:child_process";
import { text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, createSession, dataOf } from "../../test/run-session.ts";
import {
  callTool,
  createAnthropicProfile,
  createOpenAiProfile,
  parseBoundary,
  type Session,
  type SessionBoundary,
} from "../index.ts";

const START = { id: "call_start" };

function background(command: string, options: { id: string } = START): ReturnType<typeof toolCall> {
  return toolCall("shell", { command, background: true }, options);
}

function poll(args: Record<string, unknown> = {}): ReturnType<typeof toolCall> {
  return toolCall("shell_output", { id: START.id, ...args });
}

/** Returns the tool results that the model received, in order. */
async function answersOf(session: Session): Promise<string[]> {
  return dataOf(await collect(session.submit("go")), "tool_call_end").map(({ content }) => content);
}

function isAlive(pid: number): boolean {
  const state = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
  return state !== "" && !state.startsWith("Z");
}

describe("a background command", () => {
  test("returns an id at once, its output and exit code on request, and no output twice", async () => {
    await using workspace = await openWorkspace();
    const command = "echo one; echo two >&2; until test -e go; do sleep 0.02; done; echo three; exit 3";
    const { session } = createSession(workspace, {
      steps: [
        background(command),
        poll({ wait_ms: 500 }),
        toolCall("write_file", { file_path: "go", content: "" }),
        poll({ wait_ms: 60_000 }),
        poll({ wait_ms: 60_000 }),
        text("done"),
      ],
    });
    const [started, first, , second, third] = await answersOf(session);
    expect(started).toContain("call_start");
    expect(first?.split("\n").slice(0, 2).sort()).toEqual(["one", "two"]);
    expect(first).toMatch(/\[Still running after \d+ms\.\]$/);
    expect(second).toMatch(/^three\n\[Exit code: 3\. Duration: \d+ms\]$/);
    expect(third).toMatch(/^\[Exit code: 3\. Duration: \d+ms\]$/);
    expect(session.backgroundCommands).toMatchObject([{ id: "call_start", command, isRunning: false, exitCode: 3 }]);
    await session.close();
  });

  test("that ended are removed once many others have ended, so that output is not stored forever", async () => {
    await using workspace = await openWorkspace();
    const command = (index: number) => toolCall("shell", { command: "true", background: true }, { id: `run_${index}` });
    const wait = (index: number) => toolCall("shell_output", { id: `run_${index}`, wait_ms: 60_000 });
    const steps = Array.from({ length: 40 }, (_, index) => [command(index), wait(index)]).flat();
    const { session } = createSession(workspace, {
      steps: [...steps, wait(0), wait(39), text("done")],
      config: { enableLoopDetection: false },
    });
    const answers = await answersOf(session);
    expect(answers.at(-2)).toContain("is lost");
    expect(answers.at(-1)).toMatch(/^\[Exit code: 0/);
    expect(session.backgroundCommands.map(({ id }) => id)).toEqual(
      Array.from({ length: 33 }, (_, i) => `run_${i + 7}`),
    );
    await session.close();
  });

  test("is ended by shell_kill with everything it started", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      steps: [
        background("sleep 300 & echo $! > pid; echo up; wait"),
        toolCall("shell", { command: "until test -s pid; do sleep 0.02; done" }),
        toolCall("shell_kill", { id: START.id }),
        text("done"),
      ],
    });
    const [, , killed] = await answersOf(session);
    expect(killed).toMatch(/up\n\[Exit code: 143 \(SIGTERM\)\. Duration: \d+ms\]$/);
    expect(isAlive(Number(await workspace.read("pid")))).toBe(false);
    await session.close();
  });

  test.each(["close", "abort"] as const)("does not outlive the session: %s", async (end) => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      steps: [
        background("trap '' TERM; echo $$ > pid; while :; do sleep 0.1; done"),
        toolCall("shell", { command: "until test -s pid; do sleep 0.02; done" }),
        text("done"),
      ],
    });
    await collect(session.submit("go"));
    const pid = Number(await workspace.read("pid"));
    expect(isAlive(pid)).toBe(true);
    expect(session.backgroundCommands).toMatchObject([{ isRunning: true }]);
    const events = session.events();
    await session[end]();
    expect(isAlive(pid)).toBe(false);
    expect(dataOf(await collect(events), "session_end")).toHaveLength(1);
  });

  test("is ended by an abort during a model call, before the session reports that it is closed", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      steps: [
        background("echo $$ > pid; sleep 300"),
        toolCall("shell", { command: "until test -s pid; do sleep 0.02; done" }),
        () => {
          void session.abort();
          return text("too late");
        },
      ],
    });
    const events = await collect(session.submit("go"));
    expect(events.at(-1)?.type).toBe("session_end");
    expect(isAlive(Number(await workspace.read("pid")))).toBe(false);
  });

  test("that is never polled stores the end of its output in bounded memory", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      config: { toolOutputLimits: { shell_output: 0 } },
      steps: [background("seq 1 200000"), poll({ wait_ms: 60_000 }), text("done")],
    });
    const [, output = ""] = await answersOf(session);
    expect(output.length).toBeLessThan(300 * 1024);
    expect(output).toMatch(/^\[\d+ characters before this were dropped; ask more often\.\]\n/);
    expect(output).toContain("199999\n200000\n[Exit code: 0.");
    await session.close();
  });

  test("has no input and does not wait for any", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      steps: [background("cat; echo end"), poll({ wait_ms: 60_000 }), text("done")],
    });
    expect((await answersOf(session))[1]).toMatch(/^end\n\[Exit code: 0\./);
    await session.close();
  });

  test("of a run that was interrupted is lost, which is reported", async () => {
    await using workspace = await openWorkspace();
    const boundaries: SessionBoundary[] = [];
    const first = createSession(workspace, {
      steps: [background("sleep 300"), text("done")],
      onBoundary: async (boundary) => {
        boundaries.push(parseBoundary(JSON.parse(JSON.stringify(boundary))));
      },
    });
    await collect(first.session.submit("go"));
    await first.session.close();
    const { session } = createSession(workspace, {
      steps: [
        poll(),
        toolCall("shell_kill", { id: START.id }),
        toolCall("shell_output", { id: "other" }),
        text("done"),
      ],
      resumeFrom: boundaries.at(-1),
    });
    const ends = dataOf(await collect(session.resume()), "tool_call_end");
    expect(ends.map(({ is_error }) => is_error)).toEqual([true, true, true]);
    expect(ends[0]?.content).toContain("The background command call_start is lost");
    expect(ends[1]?.content).toContain("is lost");
    expect(ends[2]?.content).toBe('There is no background command "other". There are none.');
    await session.close();
  });

  test("whose outcome is unknown after an interrupted run is never started twice", async () => {
    await using workspace = await openWorkspace();
    const boundaries: SessionBoundary[] = [];
    const first = createSession(workspace, {
      steps: [background("echo started >> log; sleep 300"), text("done")],
      onBoundary: async (boundary) => {
        boundaries.push(parseBoundary(JSON.parse(JSON.stringify(boundary))));
      },
    });
    await collect(first.session.submit("go"));
    await first.session.close();
    const { session } = createSession(workspace, { steps: [text("done")], resumeFrom: boundaries[0] });
    const [end] = dataOf(await collect(session.resume()), "tool_call_end");
    expect(end?.content).toMatch(/^unknown_outcome/);
    expect(session.backgroundCommands).toEqual([]);
    await session.close();
  });

  test("is refused when sixteen are running", async () => {
    await using workspace = await openWorkspace();
    const many = Array.from({ length: 17 }, (_, index) => background("sleep 300", { id: `call_${index}` }));
    const { session } = createSession(workspace, { steps: [...many, text("done")] });
    const answers = await answersOf(session);
    expect(answers[15]).toContain("runs in the background");
    expect(answers[16]).toBe(
      "Tool error (shell): The limit of 16 running background commands was reached.\nWait for one of them to end, or end one that is not needed.",
    );
    await session.close();
  });

  test("runs in a shell of the environment's that offers only spawn", async () => {
    await using workspace = await openWorkspace();
    const { environment } = workspace;
    const { spawnShell: _, ...offered } = environment;
    const plain = {
      ...offered,
      workingDirectory: environment.workingDirectory,
      platform: environment.platform,
      spawn: (argv: readonly string[]) => environment.spawn(argv),
    };
    const { session } = createSession(workspace, {
      environment: plain,
      steps: [background("echo $0"), poll({ wait_ms: 60_000 }), text("done")],
    });
    expect((await answersOf(session))[1]).toMatch(/^\/bin\/sh\n/);
    await session.close();
  });
});

test("outside of a session a background command is rejected, because nothing would end it", async () => {
  await using workspace = await openWorkspace();
  for (const profile of [createOpenAiProfile({ model: "m" }), createAnthropicProfile({ model: "m" })]) {
    const result = await callTool({
      profile,
      environment: workspace.environment,
      name: "shell",
      arguments: { command: "touch made", background: true },
    });
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining("need a session") });
    expect(await workspace.environment.exists("made")).toBe(false);
  }
});
