import { inertEnvironment } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { call, familyClient, textParts } from "../../test/family-client.ts";
import { familySession, resultTextsOf } from "../../test/family-session.ts";
import { collect, counting, gate } from "../../test/run-session.ts";
import { createAnthropicProfile, parseBoundary, Session, type SessionBoundary } from "../index.ts";
import { GroupedSaves } from "./grouped-saves.ts";

const scripts = {
  go: [
    call(["spawn_agent", { task: "one" }], ["spawn_agent", { task: "two", model: "claude-small", max_turns: 9 }]),
    call(["wait", { agent_id: "agent-1" }], ["wait", { agent_id: "agent-2" }]),
    textParts("all done"),
  ],
  one: [call(["look", {}]), textParts("first")],
  two: [call(["look", {}]), call(["look", {}]), textParts("second")],
};

describe("a session with subagents and without an engine", () => {
  test("resumes from each stored boundary, including its children [D9]", async () => {
    const kept: string[] = [];
    const { session } = familySession({
      ...{ environment: inertEnvironment(), tools: [counting("look", "readonly")], scripts },
      onBoundary: async (boundary) => {
        await new Promise((resolve) => setImmediate(resolve));
        kept.push(JSON.stringify(boundary));
      },
    });
    await collect(session.submit("go"));
    const expected = resultTextsOf(session, "wait");
    expect(expected).toHaveLength(2);
    expect(kept.length).toBeGreaterThan(4);
    for (const text of kept) {
      const resumeFrom = parseBoundary(JSON.parse(text));
      expect(JSON.parse(JSON.stringify(resumeFrom))).toEqual(JSON.parse(text));
      const client = familyClient({ scripts });
      const profile = createAnthropicProfile({ model: "claude" });
      const tools = [counting("look", "readonly")];
      const again = new Session({ profile, client, tools, environment: inertEnvironment(), resumeFrom });
      await collect(again.resume());
      expect(resultTextsOf(again, "wait")).toEqual(expected);
      expect([again.history.length, again.subagents.size]).toEqual([session.history.length, 2]);
      expect(again.subagents.get("agent-2")?.result).toEqual(session.subagents.get("agent-2")?.result);
      const models = client.requests.filter(({ input }) => input === "two").map(({ request }) => request.model);
      expect(new Set([...models, "claude-small"])).toEqual(new Set(["claude-small"]));
      await again.close();
    }
  });

  test("stores messages that arrive while storing waits for something else", async () => {
    const [isWaiting, resume] = [gate(), gate()];
    const kept: SessionBoundary[] = [];
    const { session } = familySession({
      ...{ environment: inertEnvironment(), tools: [counting("look", "readonly")], scripts },
      onBoundary: async (boundary) => {
        if (boundary.children?.some(({ status }) => status === "running") === true) {
          isWaiting.open();
          await resume.opened;
        }
        kept.push(JSON.parse(JSON.stringify(boundary)));
      },
    });
    const cycle = collect(session.submit("go"));
    await isWaiting.opened;
    session.steer("and quickly");
    session.followUp("and then rest");
    session.subagents.get("agent-1")?.session.steer("you as well");
    resume.open();
    await cycle.catch(() => {});
    const first = kept.find(({ children }) => children !== undefined);
    expect(first?.progress).toMatchObject({ steering: ["and quickly"], followUps: ["and then rest"] });
    expect(first?.children?.[0]?.boundary.progress.steering).toEqual(["you as well"]);
  });

  test("starts no subagents if it is closed instead of resumed", async () => {
    const kept: string[] = [];
    const { session } = familySession({
      ...{ environment: inertEnvironment(), tools: [counting("look", "readonly")], scripts },
      onBoundary: async (boundary) => void kept.push(JSON.stringify(boundary)),
    });
    await collect(session.submit("go"));
    const resumeFrom = parseBoundary(JSON.parse(kept[1] ?? ""));
    expect(resumeFrom.children?.map(({ status }) => status)).toContain("running");
    const again = familySession({ environment: inertEnvironment(), scripts: {}, resumeFrom });
    await again.session.close();
    expect([again.session.state, again.client.requests.length]).toEqual(["closed", 0]);
  });

  test("has boundaries without children if it spawned no subagents", async () => {
    const kept: object[] = [];
    const { session } = familySession({
      ...{ environment: inertEnvironment(), tools: [counting("look", "readonly")] },
      scripts: { go: [call(["look", {}]), textParts("done")] },
      onBoundary: async (boundary) => void kept.push(boundary),
    });
    await collect(session.submit("go"));
    expect(kept.map((boundary) => "children" in boundary)).toEqual([false, false]);
    expect(session.subagents.size).toBe(0);
  });
});

describe("saves of a family", () => {
  test("run one after the other; all requests during a save share the next one", async () => {
    let [running, most, saves] = [0, 0, 0];
    const grouped = new GroupedSaves(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      saves += 1;
      running -= 1;
    });
    const first = grouped.request();
    await Promise.resolve();
    await Promise.resolve();
    await Promise.all([first, grouped.request(), grouped.request(), grouped.request()]);
    expect([most, saves]).toEqual([1, 2]);
  });

  test("that fail are reported to the callers that requested them, and to no others", async () => {
    let saves = 0;
    const grouped = new GroupedSaves(async () => {
      saves += 1;
      if (saves === 1) throw new Error("full");
    });
    const first = grouped.request().catch(String);
    expect(await first).toBe("Error: full");
    await expect(grouped.request()).resolves.toBeUndefined();
  });
});
