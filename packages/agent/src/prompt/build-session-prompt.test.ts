import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, chmod, symlink } from "node:fs/promises";
import { join } from "node:path";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { scriptedClient, text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace, type Workspace } from "../../test/open-workspace.ts";
import { collect, textsOf, tool } from "../../test/run-session.ts";
import {
  createAnthropicProfile,
  createGeminiProfile,
  createOpenAiProfile,
  type ProviderProfile,
  Session,
  type SessionOptions,
} from "../index.ts";

const claude = createAnthropicProfile({ model: "claude-x", modelDisplayName: "Claude X", knowledgeCutoff: "2026-01" });

function git(workspace: Workspace, ...args: string[]): void {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "init.defaultBranch=main"];
  execFileSync("git", [...identity, ...args], { cwd: workspace.root, stdio: "ignore" });
}

async function promptsOf(workspace: Workspace, options: Partial<SessionOptions> = {}): Promise<string[]> {
  const client = scriptedClient([toolCall("change"), text("done")]);
  const session = new Session({
    profile: claude,
    environment: workspace.environment,
    client,
    tools: [tool("change", () => workspace.write("later.txt", "x").then(() => ""))],
    now: () => Date.UTC(2026, 9, 5, 12),
    ...options,
  });
  await collect(session.submit("go"));
  return client.requests.flatMap((request) => textsOf(request, "system"));
}

async function promptOf(workspace: Workspace, options: Partial<SessionOptions> = {}): Promise<string> {
  const [prompt = ""] = await promptsOf(workspace, options);
  return prompt;
}

function withProfile(create: (options: { model: string }) => ProviderProfile): Partial<SessionOptions> {
  return { profile: create({ model: "m" }) };
}

describe("layers", () => {
  test("come in their order, the user's own last [loop-6.1-1] [loop-6.1-2] [loop-3.2-2] [loop-9.8-1] [loop-9.8-2] [loop-9.8-3] [loop-9.8-4] [loop-9.8-5]", async () => {
    await using workspace = await openWorkspace({ "AGENTS.md": "Use tabs." });
    const prompt = await promptOf(workspace, { instructions: "Answer in French." });
    const positions = [
      "You are an interactive agent",
      "<environment>",
      "- read_file: ",
      "Use tabs.",
      "Answer in French.",
    ].map((part) => prompt.indexOf(part));
    expect(positions).toEqual([...positions].sort((left, right) => left - right));
    expect(positions[0]).toBe(0);
    expect(prompt.endsWith("Answer in French.")).toBe(true);
  });

  test("the environment block names everything and stays the same in every request [loop-6.3-1] [loop-6.3-2] [loop-6.3-3]", async () => {
    await using workspace = await openWorkspace();
    const prompts = await promptsOf(workspace);
    expect(prompts).toHaveLength(2);
    expect(prompts[0]).toBe(prompts[1]);
    const { workingDirectory, platform, osVersion } = workspace.environment;
    for (const line of [
      `Working directory: ${workingDirectory}`,
      "Is git repository: false",
      `Platform: ${platform}`,
      `OS version: ${osVersion}`,
      "Today's date: 2026-10-05",
      "Model: Claude X",
      "Knowledge cutoff: 2026-01",
    ]) {
      expect(prompts[0]?.split("\n")).toContain(line);
    }
  });

  test("base instructions can be replaced [loop-1.3-1]", async () => {
    await using workspace = await openWorkspace();
    const prompt = await promptOf(workspace, {
      profile: createOpenAiProfile({ model: "m", baseInstructions: "Be a poet." }),
    });
    expect(prompt.startsWith("Be a poet.\n\n# Environment")).toBe(true);
  });
});

describe("git", () => {
  test("the snapshot contains branch, counts and the last subjects, and is not refreshed [loop-6.4-1] [loop-6.4-2]", async () => {
    await using workspace = await openWorkspace({ "a.txt": "1", "b.txt": "1" });
    git(workspace, "init");
    git(workspace, "add", ".");
    for (let number = 1; number <= 12; number += 1) git(workspace, "commit", "--allow-empty", "-m", `change ${number}`);
    git(workspace, "checkout", "-b", "feature/x");
    await workspace.write("a.txt", "2");
    await workspace.write("new.txt", "");
    const [first, second] = await promptsOf(workspace);
    expect(first).toContain("Is git repository: true");
    expect(first).toContain("Git branch: feature/x");
    expect(first).toContain("Modified files: 1");
    expect(first).toContain("Untracked files: 1");
    expect(first?.match(/^- change \d+$/gm)).toEqual(
      Array.from({ length: 10 }, (_, index) => `- change ${12 - index}`),
    );
    expect(first).toMatch(/\nRecent commits:\n(?:- change \d+\n){10}<\/git>/);
    expect(second).toBe(first);
  });

  test("a repository without commits and a missing repository are not errors [loop-6.4-3]", async () => {
    await using workspace = await openWorkspace();
    expect(await promptOf(workspace)).not.toContain("<git>");
    git(workspace, "init");
    expect(await promptOf(workspace)).toContain("Recent commits: none");
  });

  test("a repository that claims an unrelated folder is ignored; a worktree is accepted", async () => {
    await using workspace = await openWorkspace({ "a.txt": "1" });
    await using elsewhere = await openWorkspace({ "private.txt": "1", "AGENTS.md": "not of this workspace" });
    git(workspace, "init");
    git(workspace, "add", ".");
    git(workspace, "commit", "-m", "first");
    git(workspace, "worktree", "add", "linked", "-b", "other");
    await using linked = await openLocalEnvironment({ root: join(workspace.root, "linked"), env: process.env });
    expect(await promptOf(workspace, { environment: linked })).toContain("Git branch: other");
    for (const repository of [false, true]) {
      if (repository) git(elsewhere, "init");
      git(workspace, "config", "core.worktree", elsewhere.root);
      const prompt = await promptOf(workspace);
      expect(prompt).toContain("Is git repository: false");
      expect(prompt).not.toContain("not of this workspace");
    }
  });

  test("a folder that refers to a repository which does not list it has no repository; a submodule has a separate one", async () => {
    await using other = await openWorkspace({ "a.txt": "1" });
    git(other, "init");
    git(other, "add", ".");
    git(other, "commit", "-m", "private subject");
    git(other, "worktree", "add", "linked");
    await using workspace = await openWorkspace({ "b.txt": "1" });
    for (const named of [".git", ".git/worktrees/linked"]) {
      await workspace.write(".git", `gitdir: ${join(other.root, named)}\n`);
      const prompt = await promptOf(workspace);
      expect(prompt).toContain("Is git repository: false");
      expect(prompt).not.toContain("private subject");
    }
    await using parts = await openWorkspace({
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/commondir": `${other.root}/.git\n`,
    });
    git(other, "branch", "--move", "main");
    const prompt = await promptOf(parts);
    expect(prompt).toContain("Is git repository: false");
    expect(prompt).not.toContain("private subject");
    await using outer = await openWorkspace();
    git(outer, "init");
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", other.root, "inner");
    await using inner = await openLocalEnvironment({ root: join(outer.root, "inner"), env: process.env });
    expect(await promptOf(outer, { environment: inner })).toContain("- private subject");
  });

  test("a repository starts no program, whatever its configuration contains [loop-6.4-4]", async () => {
    await using workspace = await openWorkspace({ "a.txt": "1\n", ".gitattributes": "*.txt filter=evil diff=evil\n" });
    git(workspace, "init");
    git(workspace, "add", ".");
    git(workspace, "commit", "-m", "first");
    const trap = join(workspace.root, ".git", "trap.sh");
    const caught = join(workspace.root, ".git", "caught");
    await workspace.write(".git/trap.sh", `#!/bin/sh\necho "$0" >> '${caught}'\ncat\n`);
    await chmod(trap, 0o755);
    for (const [name, value] of [
      ["core.fsmonitor", trap],
      ["core.pager", trap],
      ["core.hooksPath", join(workspace.root, ".git", "traps")],
      ["diff.external", trap],
      ["diff.evil.textconv", trap],
      ["diff.evil.command", trap],
      ["filter.evil.clean", trap],
      ["filter.evil.process", trap],
      ["filter.evil.required", "true"],
      ["log.showSignature", "true"],
      ["gpg.program", trap],
      ["core.sshCommand", trap],
    ] as const) {
      git(workspace, "config", name, value);
    }
    await workspace.write(".git/traps/post-index-change", `#!/bin/sh\n${trap}\n`);
    await chmod(join(workspace.root, ".git/traps/post-index-change"), 0o755);
    // The file has the same size but different content, so git must read it, which would run the filter.
    await workspace.write("a.txt", "2\n");
    const prompt = await promptOf(workspace);
    expect(prompt).toContain("Modified files: 1");
    expect(prompt).toContain("- first");
    expect(existsSync(caught)).toBe(false);
    // A configuration this long exceeds the output limit, so some filters are unknown.
    await appendFile(join(workspace.root, ".git", "config"), `[pad]\n${`\t${"k".repeat(1000)} = 1\n`.repeat(4000)}`);
    git(workspace, "config", "filter.last.clean", trap);
    await appendFile(join(workspace.root, ".git", "config"), `[pad]\n${`\t${"k".repeat(1000)} = 1\n`.repeat(4000)}`);
    await workspace.write(".gitattributes", "*.txt filter=last\n");
    expect(await promptOf(workspace)).toContain("Modified files: unknown");
    expect(existsSync(caught)).toBe(false);
  });
});

describe("project documents", () => {
  const all = {
    "AGENTS.md": "universal",
    "CLAUDE.md": "for claude",
    "GEMINI.md": "for gemini",
    ".codex/instructions.md": "for codex",
  };

  test.each([
    ["anthropic", createAnthropicProfile, ["universal", "for claude"]],
    ["gemini", createGeminiProfile, ["universal", "for gemini"]],
    ["openai", createOpenAiProfile, ["universal", "for codex"]],
  ] as const)("%s reads its own and AGENTS.md [loop-6.5-4] [loop-6.5-5] [loop-9.8-6]", async (_, create, expected) => {
    await using workspace = await openWorkspace(all);
    const prompt = await promptOf(workspace, withProfile(create));
    for (const content of Object.values(all))
      expect(prompt.includes(content)).toBe(expected.some((text) => text === content));
  });

  test("folders from the git root down are read, the deeper ones later [loop-6.5-1] [loop-6.5-3]", async () => {
    await using workspace = await openWorkspace(
      { "AGENTS.md": "at the root", "packages/AGENTS.md": "in between", "packages/a/AGENTS.md": "at the bottom" },
      "packages/a",
    );
    git(workspace, "init");
    git(workspace, "add", ".");
    const prompt = await promptOf(workspace);
    const positions = ["at the root", "in between", "at the bottom"].map((part) => prompt.indexOf(part));
    expect(positions[0]).toBeGreaterThan(0);
    expect(positions).toEqual([...positions].sort((left, right) => left - right));
  });

  test("outside of a repository only the working directory is read [loop-6.5-2]", async () => {
    await using workspace = await openWorkspace(
      {
        "AGENTS.md": "text of the parent",
        "a/AGENTS.md": "text of the workspace",
        "a/b/AGENTS.md": "text of the child",
      },
      "a",
    );
    const prompt = await promptOf(workspace);
    expect(prompt).toContain("text of the workspace");
    expect(prompt).not.toContain("text of the parent");
    expect(prompt).not.toContain("text of the child");
  });

  test("32 KiB of all instruction files together are included, cut between characters [loop-6.5-6]", async () => {
    const marker = "[Project instructions truncated at 32KB]";
    await using workspace = await openWorkspace({
      "AGENTS.md": `A${"é".repeat(10_000)}`,
      "CLAUDE.md": "ü".repeat(10_000),
    });
    const prompt = await promptOf(workspace);
    expect(prompt).toContain(marker);
    expect(prompt).not.toContain("\uFFFD");
    const keptBytes = (prompt.match(/é/g) ?? []).length * 2 + (prompt.match(/ü/g) ?? []).length * 2 + 1;
    expect(keptBytes + marker.length).toBeLessThanOrEqual(32 * 1024);
    expect(keptBytes + marker.length).toBeGreaterThan(32 * 1024 - 4);
    await workspace.write("AGENTS.md", "x".repeat(32 * 1024));
    await workspace.write("CLAUDE.md", "");
    expect(await promptOf(workspace)).not.toContain(marker);
  });

  test("a link out of the workspace is not followed", async () => {
    await using outside = await openWorkspace({ "secret.md": "top secret" });
    await using workspace = await openWorkspace();
    await symlink(join(outside.root, "secret.md"), join(workspace.root, "AGENTS.md"));
    expect(await promptOf(workspace)).not.toContain("top secret");
  });
});
