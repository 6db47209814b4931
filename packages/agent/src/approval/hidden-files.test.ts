import { symlink } from "node:fs/promises";
import { join } from "node:path";
import type { ToolArguments } from "@switchyard/contracts";
import { text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { decide, outcomeOf } from "../../test/decide-call.ts";
import { openWorkspace, type Workspace } from "../../test/open-workspace.ts";
import { collect, createSession, dataOf } from "../../test/run-session.ts";
import { openFolderEnvironment } from "../folder-environment/folder-environment.ts";
import {
  type ApprovalPolicyOptions,
  createAnthropicProfile,
  createApprovalPolicy,
  type SessionOptions,
} from "../index.ts";

const FILES = {
  ".env": "KEY=needle\n",
  "src/a.ts": "a needle\n",
  "src/.env": "needle\nneedle\n",
  "src/b.ts": "b needle\n",
  "secret/key.txt": "needle\n",
};
const GUARDED: ApprovalPolicyOptions = {
  rules: [
    { path: ["**/.env", "**/.git/**", "secret/**"], outcome: "deny" },
    { effects: "readonly", outcome: "allow" },
  ],
  otherwise: "ask",
};

/** Returns the output of a search under a policy, as the model receives it. */
async function search(
  workspace: Workspace,
  args: ToolArguments,
  { policy = GUARDED, ...options }: Partial<SessionOptions> & { policy?: ApprovalPolicyOptions; name?: string } = {},
): Promise<string | undefined> {
  const { session } = createSession(workspace, {
    steps: [toolCall(options.name ?? "grep", { pattern: "needle", ...args }), text("done")],
    approve: createApprovalPolicy(policy),
    ...options,
  });
  const events = await collect(session.submit("go"));
  return dataOf(events, "tool_call_end")[0]?.content;
}

describe("a search beside files that rules deny", () => {
  test("finds everything except the content of hidden files [loop-8-4]", async () => {
    await using workspace = await openWorkspace(FILES);
    await symlink("../.env", join(workspace.root, "src/link.ts"));
    await symlink("../secret", join(workspace.root, "src/linked"));
    const found = "src/a.ts:1:a needle\nsrc/b.ts:1:b needle";
    expect(await search(workspace, {})).toBe(found);
    expect(await search(workspace, { path: "src" })).toBe(found);
    expect(await search(workspace, { path: "src/a.ts" })).toBe("src/a.ts:1:a needle");
    expect(await search(workspace, { output_mode: "count" })).toBe("src/a.ts:1\nsrc/b.ts:1");
    const profile = createAnthropicProfile({ model: "m", toolNames: "native" });
    expect(await search(workspace, { path: "src" }, { profile, name: "Grep" })).toBe("src/a.ts\nsrc/b.ts");
  });

  test("does not reveal hidden files by omitting other files [loop-8-4]", async () => {
    await using workspace = await openWorkspace(FILES);
    for (const pattern of ["^KEY=n|a needle", "^KEY=x|a needle"]) {
      expect(await search(workspace, { pattern, max_results: 1 })).toBe("src/a.ts:1:a needle");
    }
  });

  test("is denied in a folder of hidden files, through a link, and if a link replaces a folder [loop-8-4]", async () => {
    await using workspace = await openWorkspace(FILES);
    await symlink("../.env", join(workspace.root, "src/link.ts"));
    await symlink("../secret", join(workspace.root, "src/linked"));
    for (const path of [".env", "src/.env", "secret", "secret/key.txt", "src/link.ts", "src/linked", ".."]) {
      expect(await outcomeOf(GUARDED, ["grep", { pattern: "x", path }], workspace)).toBe("deny");
    }
  });

  test("applies to the files of the workspace, also for a subagent in its own folder [loop-8-4]", async () => {
    await using workspace = await openWorkspace(FILES);
    const policy: ApprovalPolicyOptions = { rules: [{ path: "src/b.ts", outcome: "deny" }], otherwise: "allow" };
    const environment = await openFolderEnvironment(workspace.environment, "src");
    expect(await search(workspace, {}, { policy, environment })).toBe(".env:1:needle\n.env:2:needle\na.ts:1:a needle");
  });

  test("finds files that an earlier rule allows, and asks if a rule asks [loop-8-4]", async () => {
    await using workspace = await openWorkspace(FILES);
    const policy: ApprovalPolicyOptions = {
      rules: [
        { path: "src/**", outcome: "allow" },
        { path: "**/*.ts", outcome: "deny" },
      ],
      otherwise: "deny",
    };
    expect(await search(workspace, { path: "src/a.ts" }, { policy })).toBe("src/a.ts:1:a needle");
    expect(await decide(policy, ["grep", { pattern: "x" }], workspace)).toMatchObject({ decision: "deny" });
    const asking: ApprovalPolicyOptions = { rules: [{ path: "src/**", outcome: "ask" }], otherwise: "allow" };
    const prompts: string[] = [];
    const ask: ApprovalPolicyOptions["ask"] = async ({ metadata }) => {
      prompts.push(String(metadata?.["tool"]));
      return { parts: [{ type: "text", text: "allow_once" }] };
    };
    const rules = [...GUARDED.rules.slice(0, 1), ...asking.rules];
    expect(await search(workspace, { path: "src" }, { policy: { rules, ask } })).toContain("a.ts");
    expect(prompts).toEqual(["grep"]);
  });
});
