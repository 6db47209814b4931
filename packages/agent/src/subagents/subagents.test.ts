import { describe, expect, test } from "vitest";
import { call, familyClient, say } from "../../test/family-client.ts";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, dataOf } from "../../test/run-session.ts";
import { createAnthropicProfile, Session } from "../index.ts";

describe("a subagent", () => {
  test("is spawned with a task, works on its own, and its result comes back [loop-7.2-1] [loop-9.9-1]", async () => {
    await using workspace = await openWorkspace({ "a.txt": "alpha\n" });
    const client = familyClient({
      scripts: {
        go: [call(["spawn_agent", { task: "look" }]), call(["wait", { agent_id: "agent-1" }]), say("parent done")],
        look: [call(["read_file", { file_path: "a.txt" }]), say("it says alpha")],
      },
    });
    const profile = createAnthropicProfile({ model: "claude" });
    const session = new Session({ profile, environment: workspace.environment, client });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "subagent_started")).toEqual([{ agent_id: "agent-1", content: "look", status: "running" }]);
  });
});
