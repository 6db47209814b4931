import type { ExecutionEnvironment } from "@switchyard/contracts";
import { scriptedClient, text } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, gate, textsOf } from "../../test/run-session.ts";
import { createAnthropicProfile, createGeminiProfile, Session } from "../index.ts";

const claude = createAnthropicProfile({ model: "m" });

/** Creates an environment that records reads and blocks them until `open` is called. */
function watched(environment: ExecutionEnvironment): {
  environment: ExecutionEnvironment;
  reads: string[];
  open: () => void;
} {
  const reads: string[] = [];
  const { opened, open } = gate();
  const readBytes: ExecutionEnvironment["readBytes"] = async (path, options) => {
    reads.push(path);
    await opened;
    return environment.readBytes(path, options);
  };
  const view: ExecutionEnvironment = Object.assign(Object.create(environment), { readBytes });
  return { environment: view, reads, open };
}

function begin(environment: ExecutionEnvironment, profile = claude) {
  const client = scriptedClient([text("done")]);
  const session = new Session({ profile, environment, client });
  const done = collect(session.submit("go"));
  return { session, done, prompt: () => client.requests.flatMap((request) => textsOf(request, "system")).join() };
}

function documentsIn(reads: readonly string[]): string[] {
  return reads.filter((path) => path.endsWith(".md")).map((path) => path.slice(path.lastIndexOf("/") + 1));
}

describe("sessions that begin at the same moment in one environment", () => {
  test("inspect the workspace once, and all of them receive the result", async () => {
    await using workspace = await openWorkspace({ "AGENTS.md": "Use tabs." });
    const { environment, reads, open } = watched(workspace.environment);
    const sessions = [begin(environment), begin(environment), begin(environment)];
    open();
    await Promise.all(sessions.map(({ done }) => done));
    expect(documentsIn(reads)).toEqual(["AGENTS.md", "CLAUDE.md"]);
    for (const { prompt } of sessions) expect(prompt()).toContain("Use tabs.");
  });

  test("search separately if they read different files", async () => {
    await using workspace = await openWorkspace({ "CLAUDE.md": "for claude", "GEMINI.md": "for gemini" });
    const { environment, open } = watched(workspace.environment);
    const [anthropic, gemini] = [begin(environment), begin(environment, createGeminiProfile({ model: "m" }))];
    open();
    await Promise.all([anthropic.done, gemini.done]);
    expect([anthropic.prompt().includes("for claude"), anthropic.prompt().includes("for gemini")]).toEqual([
      true,
      false,
    ]);
    expect([gemini.prompt().includes("for claude"), gemini.prompt().includes("for gemini")]).toEqual([false, true]);
  });

  test("stop waiting separately, and the inspection stops with the last of them", async () => {
    await using workspace = await openWorkspace({ "AGENTS.md": "Use tabs." });
    const { environment, open } = watched(workspace.environment);
    const [given, kept] = [begin(environment), begin(environment)];
    await given.session.abort();
    expect((await given.done).at(-1)?.type).toBe("session_end");
    open();
    await kept.done;
    expect(kept.prompt()).toContain("Use tabs.");

    const never = watched(workspace.environment);
    const all = [begin(never.environment), begin(never.environment)];
    await Promise.all(all.map(({ session }) => session.abort()));
    expect(all.map(({ session }) => session.state)).toEqual(["closed", "closed"]);
  });
});

test("a session that begins later inspects separately, even if others are still inspecting", async () => {
  await using workspace = await openWorkspace({ "AGENTS.md": "Use tabs." });
  const { environment, reads, open } = watched(workspace.environment);
  const first = begin(environment);
  await expect.poll(() => reads.length).toBeGreaterThan(0);
  await workspace.write("CLAUDE.md", "Use spaces.");
  const second = begin(environment);
  open();
  await Promise.all([first.done, second.done]);
  expect(documentsIn(reads).filter((name) => name === "AGENTS.md")).toHaveLength(2);
  expect(second.prompt()).toContain("Use spaces.");
});
