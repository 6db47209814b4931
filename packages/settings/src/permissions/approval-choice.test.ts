import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApprovalRequest, createApprovalPolicy, createProfile } from "@switchyard/agent";
import type { ToolArguments } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { suggestRule } from "@switchyard/terminal";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import {
  type ApprovalChoice,
  approvalModeOf,
  fromStoredChoice,
  toApprovalPolicy,
  toStoredChoice,
} from "./approval-choice.ts";

const folder = await mkdtemp(join(tmpdir(), "approval-"));
const environment = await openLocalEnvironment({ root: folder });
afterAll(async () => {
  await environment[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
const webFetcher = { fetch: () => Promise.reject(new Error("nothing is fetched here")) };
const { toolRegistry } = createProfile("anthropic", { model: "m", webFetcher });

function requestFor(name: string, args: ToolArguments): ApprovalRequest {
  const tool = toolRegistry.get(name);
  const about = { effects: tool?.effects ?? ("unsafe" as const), targets: tool?.targets?.(args) };
  return { ...{ callId: "c", tool: name, args, sessionId: "s" }, ...about };
}

/** Returns the decision for a call: allowed, denied or asked. */
async function outcomeOf(choice: ApprovalChoice, name: string, args: ToolArguments): Promise<string> {
  const policy = toApprovalPolicy(choice);
  if (policy === undefined) return "allow";
  let isAsked = false;
  const ask = async () => {
    isAsked = true;
    return { parts: [{ type: "text" as const, text: "deny" }] };
  };
  const { signal } = new AbortController();
  const context = { environment, signal, turn: () => Promise.resolve() };
  const { decision } = await createApprovalPolicy({ ...policy, ask })(requestFor(name, args), context);
  return isAsked ? "ask" : decision;
}

const READ = ["read_file", { file_path: "a" }] as const;
const WRITE = ["write_file", { file_path: "src/a", content: "" }] as const;
const GIT = ["shell", { command: "git status" }] as const;
const FETCH = ["web_fetch", { url: "https://docs.example.org/a" }] as const;

describe("the modes", () => {
  test.each<[ApprovalChoice["approve"], ...string[]]>([
    [undefined, "allow", "allow", "allow", "allow"],
    ["never", "allow", "allow", "allow", "allow"],
    ["on-commands", "allow", "allow", "ask", "ask"],
    ["on-writes", "allow", "ask", "ask", "ask"],
    ["always", "ask", "ask", "ask", "ask"],
  ])("%s: reading %s, writing %s, commands %s, pages %s [loop-8-4]", async (approve, ...outcomes) => {
    const found = await Promise.all(
      [READ, WRITE, GIT, FETCH].map(([name, args]) => outcomeOf({ approve }, name, args)),
    );
    expect(found).toEqual(outcomes);
  });

  test("files that git executes need approval even if edits are allowed", async () => {
    const hook = { file_path: ".git/hooks/pre-commit", content: "" };
    expect(await outcomeOf({ approve: "on-commands" }, "write_file", hook)).toBe("ask");
    expect(await outcomeOf({ approve: "on-commands" }, "write_file", { ...hook, file_path: "/etc/x" })).toBe("ask");
  });

  test.each([
    ".envrc",
    ".npmrc",
    ".vscode/tasks.json",
    ".mcp.json",
    ".husky/pre-commit",
    ".claude/settings.json",
    ".github/workflows/ci.yml",
    ".gitmodules",
    "deep/er/.idea/workspace.xml",
    "switchyard.yaml",
  ])("on-commands asks before %s is written, which other tools execute", async (file_path) => {
    expect(await outcomeOf({ approve: "on-commands" }, "write_file", { file_path, content: "" })).toBe("ask");
  });

  test.each([
    "git -c alias.z='!id' z",
    "git send-pack origin",
    "git log --output=/outside",
    "git diff --ext-diff",
    "GIT_SSH_COMMAND=x git fetch",
    "git status > /outside",
  ])("a rule about git does not cover %s", async (command) => {
    const choice = { allow: ["shell(git *)"], deny: ["shell(git push)"] };
    expect(await outcomeOf(choice, "shell", { command })).not.toBe("allow");
  });

  test("a denied command is denied in other spellings and inside of others", async () => {
    const choice = { approve: "never" as const, deny: ["shell(git push)"] };
    for (const command of ["git -C x push", "env git push", "sh -c 'git push'", "git send-pack origin"]) {
      expect([command, await outcomeOf(choice, "shell", { command })]).toEqual([command, "deny"]);
    }
    expect(await outcomeOf(choice, "shell", { command: "git status" })).toBe("allow");
  });

  test("who allows some calls is asked about the others that write", async () => {
    expect(approvalModeOf({ allow: ["shell(git *)"] })).toBe("on-writes");
    expect(await outcomeOf({ allow: ["shell(git *)"] }, ...GIT)).toBe("allow");
    expect(await outcomeOf({ allow: ["shell(git *)"] }, ...WRITE)).toBe("ask");
    expect(await outcomeOf({ allow: ["shell(git *)"] }, "shell", { command: "git status; rm -rf ." })).toBe("ask");
    expect(await outcomeOf({ allow: ["shell(git *)", "shell"] }, "shell", { command: "git log | head" })).toBe("allow");
  });

  test("deny rules take precedence over allow rules, in every mode", async () => {
    for (const approve of [undefined, "never", "always"] as const) {
      expect(
        await outcomeOf({ approve, allow: ["shell"], deny: ["shell(git push)"] }, "shell", { command: "git push" }),
      ).toBe("deny");
    }
    expect(await outcomeOf({ deny: ["path:**/.env"] }, "read_file", { file_path: "x/.env" })).toBe("deny");
    expect(await outcomeOf({ deny: ["path:**/.env"] }, ...READ)).toBe("allow");
  });
});

test("a stored selection is restored, and a damaged one asks about everything", () => {
  const choice: ApprovalChoice = { approve: "on-writes", allow: ["grep"], deny: ["shell(rm)"] };
  expect(fromStoredChoice(toStoredChoice(choice))).toEqual(choice);
  expect(toStoredChoice({})).toBeUndefined();
  expect(fromStoredChoice(undefined)).toEqual({});
  expect(fromStoredChoice({ approve: "yolo", allow: [7], deny: "x" })).toEqual({
    approve: "always",
    allow: [],
    deny: [],
  });
  expect(fromStoredChoice("x")).toEqual({ approve: "always" });
});

describe("the option that is suggested", () => {
  /** Returns the value of the option after a shell has removed the quotes. */
  function ruleOf(option: string | undefined): string {
    return option?.replace(/^--allow /, "").replace(/^'([^']*)'$/, "$1") ?? "";
  }

  test("allows the call, and has no other meaning to a shell", async () => {
    const word = fc.constantFrom(
      "git",
      "npm",
      "push",
      "--tags",
      "-a",
      "src/a.ts",
      "$(x)",
      "'",
      "a b",
      ";",
      "rm",
      "=",
      "*",
      "fi",
      "do",
    );
    const command = fc.oneof(
      fc.array(word, { minLength: 1 }).map((words) => words.join(" ")),
      fc.string({ minLength: 1 }),
    );
    await fc.assert(
      fc.asyncProperty(command, async (text) => {
        const args = { command: text };
        const option = suggestRule({ tool: "shell", args, command: text, acceptsRules: true });
        expect(option).toMatch(/^--allow (?:shell|'shell\([\w./:@+,= -]+\)')$/);
        expect(await outcomeOf({ approve: "always", allow: [ruleOf(option)] }, "shell", args)).toBe("allow");
      }),
    );
  });

  test.each([
    [...WRITE, "--allow 'write_file(src/a)'"],
    [...FETCH, "--allow 'web_fetch(docs.example.org)'"],
    ["write_file", { file_path: "../$(x)", content: "" }, "--allow write_file"],
    ["shell", { command: "npm test", cwd: "sub" }, "--allow shell"],
    ["web_fetch", { url: "https://x:8443/" }, "--allow web_fetch"],
    ["docs__open", { path: "x" }, "--allow docs__open"],
    ["a'b", {}, undefined],
  ])("for %s of %j is %s", (tool, args: ToolArguments, option) => {
    const { command } = args;
    const subject = { tool, args, command: typeof command === "string" ? command : undefined };
    expect(suggestRule({ ...subject, acceptsRules: true })).toBe(option);
    expect(suggestRule({ ...subject, acceptsRules: false })).toBeUndefined();
  });
});
