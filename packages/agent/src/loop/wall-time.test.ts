import { setImmediate } from "node:timers/promises";
import type { UserReply } from "@switchyard/contracts";
import { inertEnvironment, recordingHost, text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { call, textParts } from "../../test/family-client.ts";
import { familySession } from "../../test/family-session.ts";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, createSession, dataOf, tool } from "../../test/run-session.ts";
import { startRun } from "../../test/start-run.ts";
import { createApprovalPolicy, type SessionEvent } from "../index.ts";

const HOUR_MS = 3_600_000;

/** Creates a clock that advances only in tools and while waiting for people. */
function world() {
  let nowMs = 1_000_000;
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  const slow = tool("slow", () => {
    pass(400);
    return "";
  });
  const answer = async (): Promise<UserReply> => {
    // The reply arrives after the agent has done everything it can do meanwhile.
    await setImmediate();
    pass(HOUR_MS);
    return { parts: [{ type: "text", text: "allow_once" }] };
  };
  const setup = {
    now: () => nowMs,
    tools: [{ ...slow, effects: "idempotent" as const }],
    config: { maxWallTimeMs: 1_000 },
  };
  return { ...setup, answer };
}

const slowly = (times: number) => Array.from({ length: times }, () => call(["slow", {}]));

describe("the limit on the time worked", () => {
  test("applies to an input that is submitted when the one before ends [loop-2.8-1]", async () => {
    await using workspace = await openWorkspace();
    const { answer: _, ...setup } = world();
    const steps = [text("first"), ...Array.from({ length: 4 }, () => toolCall("slow")), text("never")];
    const { session } = createSession(workspace, { ...setup, steps });
    const events: SessionEvent[] = [];
    session.listen((event) => {
      events.push(event);
      if (event.type === "processing_end" && event.data.rounds === 0) session.submit("second");
    });
    session.submit("first");
    await session.settled();
    expect(session.state).toBe("idle");
    expect(dataOf(events, "turn_limit")).toEqual([{ limit: "max_wall_time_ms", count: 1_200 }]);
  });

  test("applies to a subagent that works after its parent's end, and after a crash [loop-2.8-1] [D9]", async () => {
    const { answer: _, ...setup } = world();
    const scripts = {
      go: [call(["spawn_agent", { task: "child" }]), textParts("bye")],
      child: [...slowly(4), textParts("never")],
    };
    const stored: string[] = [];
    const onBoundary = async (boundary: unknown): Promise<void> => void stored.push(JSON.stringify(boundary));
    const { session } = familySession({ environment: inertEnvironment(), ...setup, scripts, onBoundary });
    const events: SessionEvent[] = [];
    session.listen((event) => events.push(event));
    session.submit("go");
    await session.subagents.get("agent-1")?.session.settled();
    await session.settled();
    const child = session.subagents.get("agent-1")?.session;
    await child?.settled();
    expect(dataOf(events, "turn_limit")).toEqual([{ limit: "max_wall_time_ms", count: 1_200 }]);
    expect(child?.history.at(-1)).toMatchObject({ type: "tool_results" });
    // The parent had ended long before the child.
    const snapshot = session.save();
    expect(snapshot.boundary.children?.[0]?.boundary.progress.activeMs).toBe(1_200);
    const later = familySession({ environment: inertEnvironment(), ...setup, scripts, resumeFrom: snapshot.boundary });
    expect(later.session.save().boundary.progress.activeMs).toBe(1_200);
  });

  test("excludes the time in which a subagent's question waits, also if its parent waits for it [loop-2.8-1]", async () => {
    const { answer, ...setup } = world();
    const { session } = familySession({
      ...{ environment: inertEnvironment(), ...setup, askUser: answer },
      scripts: {
        go: [call(["spawn_agent", { task: "child" }]), call(["wait", { agent_id: "agent-1" }]), textParts("done")],
        child: [call(["ask_user", { question: "Which?" }]), ...slowly(2), textParts("asked")],
      },
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "turn_limit")).toEqual([]);
    expect(session.save().boundary.progress.activeMs).toBe(800);
  });

  test("excludes the time in which a policy asks a user itself [loop-2.8-1] [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const { answer, ...setup } = world();
    const { session } = createSession(workspace, {
      ...setup,
      approve: createApprovalPolicy({ rules: [], ask: answer }),
      steps: [toolCall("slow"), text("done")],
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "processing_end")).toMatchObject([{ outcome: "completed" }]);
    expect(session.save().boundary.progress.activeMs).toBe(400);
  });

  test("excludes the time in which the host of an engine is asked for a permission [loop-2.8-1] [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const { answer, ...setup } = world();
    const { execution, host } = startRun(workspace, {
      ...setup,
      host: recordingHost({ askUser: answer }),
      approval: { rules: [] },
      steps: [toolCall("slow"), text("done")],
    });
    await execution;
    expect(host.ofType("processing_end")[0]?.payload.outcome).toBe("completed");
  });
});
