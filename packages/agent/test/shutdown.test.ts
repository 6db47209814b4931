import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { call } from "./family-client.ts";
import { familySession, resultsIn } from "./family-session.ts";
import { openWorkspace, type Workspace } from "./open-workspace.ts";

/** Shell command that ignores SIGTERM, as do the processes that it starts. */
const STUBBORN =
  "trap '' TERM; echo $$ > stubborn; until [ -e daemon ]; do sleep 0.01; done; echo up; sleep 60; sleep 60";
const DAEMON = "echo $$ > daemon.new; mv daemon.new daemon; exec sleep 60";

async function isRunning(workspace: Workspace, file: string): Promise<boolean> {
  const pid = (await workspace.read(file)).trim();
  expect(pid).toMatch(/^\d+$/);
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" });
  // A killed process may remain a zombie until its parent reaps it.
  return !/^(Z|\s*$)/.test(stdout);
}

test("an abort takes the steps of the graceful shutdown in their order [loop-B-13] [loop-B-14] [loop-9.11-5] [loop-9.1-6]", async () => {
  await using workspace = await openWorkspace();
  const order: string[] = [];
  const { session } = familySession({
    environment: workspace.environment,
    scripts: {
      go: [
        call(["spawn_agent", { task: "child" }]),
        call(["shell", { command: STUBBORN, timeout_ms: 60_000 }], ["shell", { command: DAEMON, background: true }]),
      ],
      child: [[]],
    },
    onCall: async (input, { signal }) => {
      if (input !== "child") return;
      await new Promise<void>((resolve) => {
        signal?.addEventListener("abort", () => resolve(), { once: true });
        if (signal?.aborted) resolve();
      });
      order.push("model stream closed");
    },
  });
  const events = session.events();
  session.submit("go");
  let abortedAt = 0;
  for await (const { type, agentId, data } of events) {
    if (type === "tool_call_output_delta" && "content" in data && data.content === "up\n") {
      expect([await isRunning(workspace, "stubborn"), await isRunning(workspace, "daemon")]).toEqual([true, true]);
      abortedAt = performance.now();
      order.push("abort");
      void session.abort();
    }
    if (abortedAt === 0 || !/^(tool_call_end|subagent_ended|session_end)$/.test(type)) continue;
    if (type === "tool_call_end") expect(performance.now() - abortedAt).toBeGreaterThanOrEqual(1_990);
    order.push(`${agentId ?? "root"} ${type}`);
  }
  // A subagent that has started no processes is closed as soon as its model stream is closed.
  expect(order.slice(0, 2)).toEqual(["abort", "model stream closed"]);
  expect(order.slice(2, -1).sort()).toEqual(["agent-1 session_end", "root subagent_ended", "root tool_call_end"]);
  expect(order.indexOf("agent-1 session_end")).toBeLessThan(order.indexOf("root subagent_ended"));
  expect(order.at(-1)).toBe("root session_end");
  expect([await isRunning(workspace, "stubborn"), await isRunning(workspace, "daemon")]).toEqual([false, false]);
  expect(session.state).toBe("closed");
  const [, stubborn] = resultsIn(session);
  expect(stubborn).toMatchObject({
    isError: true,
    content: expect.stringContaining("up\n[The command was cancelled."),
  });
});
