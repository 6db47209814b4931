import { symlink } from "node:fs/promises";
import { join } from "node:path";
import type { ToolArguments, UserPrompt } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { decide, outcomeOf, reply } from "../../test/decide-call.ts";
import { openWorkspace } from "../../test/open-workspace.ts";
import type { ApprovalDecision, ApprovalPolicyOptions } from "../index.ts";

describe("rules about commands", () => {
  test("allow simple commands, and ask about all others [loop-8-4]", async () => {
    const prompts: UserPrompt[] = [];
    const policy: ApprovalPolicyOptions = {
      rules: [
        { command: ["npm test", "ls"], outcome: "allow" },
        { command: "git push", outcome: "deny" },
      ],
      otherwise: "deny",
      ask: async (prompt) => {
        prompts.push(prompt);
        return reply("allow_once");
      },
    };
    const run = (command: string): Promise<string> => outcomeOf(policy, ["shell", { command }]);
    expect(await run("npm test -- -u")).toBe("allow");
    expect(await run("make")).toBe("deny");
    expect(await run("npm test && git push")).toBe("deny");
    expect(prompts).toHaveLength(0);
    expect(await outcomeOf({ ...policy, otherwise: "ask" }, ["shell", { command: "npm test; make" }])).toBe("allow");
    expect(prompts).toHaveLength(1);
  });

  test("that allow mean the folder of the session unless they name another [loop-8-4]", async () => {
    await using workspace = await openWorkspace({ "packages/x/a": "a", "secrets/key": "k" });
    await symlink("secrets", join(workspace.root, "link"));
    const npm: ApprovalPolicyOptions = { rules: [{ command: "npm test", outcome: "allow" }], otherwise: "allow" };
    const run = (policy: ApprovalPolicyOptions, cwd?: string): Promise<ApprovalDecision> =>
      decide(policy, ["shell", { command: "npm test", ...(cwd === undefined ? {} : { cwd }) }], workspace);
    for (const cwd of [undefined, ".", "./", "packages/..", workspace.root]) {
      expect(await run(npm, cwd)).toEqual({ decision: "allow", decidedBy: "rule" });
    }
    for (const cwd of ["packages/x", "./packages", "..", "/tmp", "link", "packages/../secrets"]) {
      expect(await outcomeOf(npm, ["shell", { command: "npm test", cwd }], workspace)).toBe("deny");
    }
    const elsewhere: ApprovalPolicyOptions = {
      rules: [{ command: "npm test", path: "packages/*", outcome: "allow" }],
      otherwise: "deny",
    };
    expect((await run(elsewhere, "packages/x")).decision).toBe("allow");
    for (const cwd of [undefined, "packages", "secrets", "packages/x/..", "link"]) {
      expect((await run(elsewhere, cwd)).decision).toBe("deny");
    }
  });

  test("deny or allow commands in a folder, even if a command changes the folder [loop-8-4]", async () => {
    await using workspace = await openWorkspace({ "packages/x/a": "a", "secrets/key": "k" });
    await symlink("secrets", join(workspace.root, "link"));
    const run = (policy: ApprovalPolicyOptions, command: string, cwd?: string): Promise<string> =>
      outcomeOf(policy, ["shell", { command, ...(cwd === undefined ? {} : { cwd }) }], workspace);
    const guarded: ApprovalPolicyOptions = { rules: [{ path: "secrets/**", outcome: "deny" }], otherwise: "allow" };
    expect(await run(guarded, "cat key", "secrets")).toBe("deny");
    expect(await run(guarded, "cat key", "packages/../secrets")).toBe("deny");
    expect(await run(guarded, "cat key", "link")).toBe("deny");
    expect(await run(guarded, "cat a", "packages/x")).toBe("allow");
    expect(await run(guarded, "cat a")).toBe("allow");
    const files: ApprovalPolicyOptions = { rules: [{ path: "**", outcome: "allow" }], otherwise: "deny" };
    expect(await run(files, "ls")).toBe("deny");
    expect(await run(files, "ls", "packages")).toBe("deny");
    const rm: ApprovalPolicyOptions = {
      rules: [{ command: "rm", path: "packages/**", outcome: "deny" }],
      otherwise: "allow",
    };
    expect(await run(rm, "rm a", "packages/x")).toBe("deny");
    expect(await run(rm, "rm a")).toBe("allow");
    expect(await run(rm, "cd packages && rm a")).toBe("deny");
  });

  test("do not apply to anything else [loop-8-4]", async () => {
    const policy: ApprovalPolicyOptions = { rules: [{ command: "*", outcome: "deny" }], otherwise: "allow" };
    expect(await outcomeOf(policy, ["read_file", { file_path: "a" }])).toBe("allow");
    expect(await outcomeOf(policy, ["shell", { command: "ls" }])).toBe("deny");
  });
});

describe("rules about addresses", () => {
  const page = (url: string): readonly [string, ToolArguments] => ["web_fetch", { url }];
  const search = ["web_search", { query: "q" }] as const;

  test("are needed to reach the network: to be readonly is not enough [loop-8-4]", async () => {
    const readonly: ApprovalPolicyOptions = { rules: [{ effects: "readonly", outcome: "allow" }], otherwise: "deny" };
    expect(await outcomeOf(readonly, ["read_file", { file_path: "a" }])).toBe("allow");
    expect(await outcomeOf(readonly, page("https://example.org/?q=secret"))).toBe("deny");
    expect(await outcomeOf(readonly, search)).toBe("deny");
    for (const rule of [{ tool: "web_*" }, { tool: "web_*", effects: "readonly" }, {}] as const) {
      const policy: ApprovalPolicyOptions = { rules: [{ ...rule, outcome: "allow" }], otherwise: "deny" };
      expect(await outcomeOf(policy, page("https://example.org/"))).toBe("allow");
      expect(await outcomeOf(policy, search)).toBe("allow");
    }
    const forbidden: ApprovalPolicyOptions = { rules: [{ effects: "readonly", outcome: "deny" }], otherwise: "allow" };
    expect(await outcomeOf(forbidden, page("https://example.org/"))).toBe("deny");
  });

  test("state which hosts may be requested [loop-8-4]", async () => {
    const policy: ApprovalPolicyOptions = {
      rules: [
        { url: "*.evil.example", outcome: "deny" },
        { url: ["docs.example.org", "https://example.com/open/*"], outcome: "allow" },
      ],
      otherwise: "deny",
    };
    expect(await outcomeOf(policy, page("https://docs.example.org/a?b"))).toBe("allow");
    expect(await outcomeOf(policy, page("https://docs.example.org.evil.net/"))).toBe("deny");
    expect(await outcomeOf(policy, page("https://example.com/open/a"))).toBe("allow");
    expect(await outcomeOf(policy, page("https://example.com/open/../closed"))).toBe("deny");
    expect(await outcomeOf(policy, search)).toBe("deny");
    expect(await outcomeOf({ ...policy, otherwise: "allow" }, page("http://a.evil.example:81/x"))).toBe("deny");
    expect(await outcomeOf({ ...policy, otherwise: "allow" }, page("no address"))).toBe("deny");
    expect(await outcomeOf({ ...policy, otherwise: "allow" }, ["read_file", { file_path: "a" }])).toBe("allow");
  });
});
