import { symlink } from "node:fs/promises";
import { join } from "node:path";
import type { UserReply } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { call, familyClient, textParts } from "../../test/family-client.ts";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, dataOf } from "../../test/run-session.ts";
import {
  type ApprovalRequest,
  createAnthropicProfile,
  createApprovalPolicy,
  type HookContext,
  Session,
} from "../index.ts";

const profile = createAnthropicProfile({ model: "claude" });

describe("decisions about subagents", () => {
  test("are those of the parent: its host is asked, its hooks see the call, its rules apply to the real paths [loop-8-4]", async () => {
    await using workspace = await openWorkspace({ "sub/a.txt": "a", "sub/secrets/key": "k" });
    await symlink("sub", join(workspace.root, "link"));
    const write = (file_path: string) => call(["write_file", { file_path, content: "x" }]);
    const client = familyClient({
      scripts: {
        go: [
          call(
            ["spawn_agent", { task: "child", working_dir: "sub" }],
            ["spawn_agent", { task: "linked", working_dir: "link" }],
          ),
          call(["wait", { agent_id: "agent-1" }], ["wait", { agent_id: "agent-2" }]),
          textParts("done"),
        ],
        child: [write("a.txt"), write("secrets/key"), textParts("child done")],
        linked: [write("a.txt"), textParts("linked done")],
      },
    });
    const requests: ApprovalRequest[] = [];
    const hooked: HookContext[] = [];
    const promptedBy: (string | undefined)[] = [];
    const policy = createApprovalPolicy({
      rules: [
        { tool: ["spawn_agent", "wait"], outcome: "allow" },
        { path: "sub/secrets/**", outcome: "deny", reason: "secret" },
        { path: "sub/**", outcome: "ask" },
      ],
      otherwise: "allow",
    });
    const session = new Session({
      ...{ profile, environment: workspace.environment, client },
      attributes: { variant: "b" },
      hooks: { beforeToolCall: (_, context) => void hooked.push(context) },
      approve: (request, context) => {
        requests.push(request);
        return policy(request, context);
      },
      askUser: async ({ metadata }): Promise<UserReply> => {
        promptedBy.push(metadata?.["agent_id"]);
        return { parts: [{ type: "text", text: "allow_once" }] };
      },
    });
    await collect(session.submit("go"));
    // The subagents are spawned concurrently, so the order of their ids is random.
    const child = requests.find(({ args }) => JSON.stringify(args).includes("secrets/key"))?.agentId;
    const linked = child === "agent-1" ? "agent-2" : "agent-1";
    expect(promptedBy).toEqual([child]);
    expect(await workspace.read("sub/secrets/key")).toBe("k");
    const writes = requests.filter(({ tool }) => tool === "write_file").map(({ agentId }) => agentId);
    expect([...writes].sort()).toEqual([child, child, linked].sort());
    expect(new Set(hooked.map(({ agentId }) => agentId))).toEqual(new Set([undefined, "agent-1", "agent-2"]));
    expect(hooked.every(({ attributes }) => attributes["variant"] === "b")).toBe(true);
    const results = client.requests.flatMap(({ request }) => request.messages.flatMap(({ parts }) => parts));
    const denials = results.filter((part) => part.type === "tool_result" && part.content.includes("was not allowed"));
    expect(denials.some((part) => part.type === "tool_result" && part.content.includes("secret"))).toBe(true);
    // The target of the link is unknown, so the strictest rule applies.
    expect(requests.some(({ agentId }) => agentId === linked)).toBe(true);
    expect(await workspace.read("sub/a.txt")).toBe("x");
  });

  test("usage of subagents counts towards the limits of their parent [loop-2.8-1]", async () => {
    await using workspace = await openWorkspace();
    const client = familyClient({
      scripts: {
        go: [call(["spawn_agent", { task: "child" }]), call(["wait", { agent_id: "agent-1" }]), textParts("never")],
        child: [call(["glob", { pattern: "*" }]), textParts("child done")],
      },
    });
    const session = new Session({
      ...{ profile, environment: workspace.environment, client },
      config: { maxTotalTokens: 120 },
    });
    const events = await collect(session.submit("go"));
    expect(session.usage.totalTokens).toBeLessThan(120);
    expect(dataOf(events, "turn_limit").at(-1)?.limit).toBe("max_total_tokens");
    expect(dataOf(events, "processing_end").at(-1)?.outcome).toBe("turn_limit");
  });
});
