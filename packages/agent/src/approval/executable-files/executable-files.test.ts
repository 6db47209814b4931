import { symlink } from "node:fs/promises";
import { join } from "node:path";
import type { ToolArguments } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { decide, outcomeOf } from "../../../test/decide-call.ts";
import { openWorkspace } from "../../../test/open-workspace.ts";
import type { ApprovalPolicyOptions } from "../../index.ts";
import { executableFileAt } from "./executable-file.ts";
import { EXECUTABLE_FILES } from "./executable-file-table.ts";

/** The rules of `--approve on-commands`: edits of files in the workspace run without a question. */
const EDITING: ApprovalPolicyOptions = {
  rules: [{ tool: ["write_file", "edit_file", "apply_patch"], path: "**", outcome: "allow" }],
};

function write(file_path: string, content = "x"): readonly [string, ToolArguments] {
  return ["write_file", { file_path, content }];
}

function patch(...lines: string[]): readonly [string, ToolArguments] {
  return ["apply_patch", { patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") }];
}

describe("files that other programs execute", () => {
  test.each([
    ".envrc",
    "sub/.envrc",
    ".npmrc",
    ".yarnrc.yml",
    ".vscode/tasks.json",
    "deep/er/.vscode/settings.json",
    ".mcp.json",
    ".cursor/mcp.json",
    ".husky/pre-commit",
    ".git/hooks/pre-commit",
    ".git/config",
    ".git",
    ".claude/settings.json",
    ".github/workflows/ci.yml",
    ".gitlab-ci.yml",
    ".gitmodules",
    ".gitattributes",
    ".idea/workspace.xml",
    "switchyard.yaml",
    ".switchyard/commands/go.md",
    ".pre-commit-config.yaml",
    ".bashrc",
    ".devcontainer/devcontainer.json",
    "sitecustomize.py",
    "lib/x.pth",
    "lefthook.toml",
    ".config/mise.toml",
    "mise/config.toml",
    ".config/git/config",
    "pnpm-workspace.yaml",
    ".pnp.cjs",
    ".yarn/sdks/typescript/lib/tsserver.js",
    "rust-toolchain.toml",
    "hie.yaml",
    ".luarc.json",
    ".openhands/setup.sh",
    ".github/hooks/start.json",
    ".user.ini",
    ".terraform/providers/x",
    ".readthedocs.yaml",
    "bare/HEAD",
    ".nova/Tasks/x.json",
    "node_modules/.bin/tsc",
    ".cargo/config.toml",
    ".ENVRC",
    ".Git/config",
    ".g\u200cit/config",
    ".git./config",
    ".git /config",
    "GIT~1/config",
    ".git::$INDEX_ALLOCATION/config",
    "\uff0egit/config",
    "./.envrc",
    "src/../.envrc",
  ])("require approval where other edits do not: %j [loop-8-4]", async (path) => {
    await using workspace = await openWorkspace({ "src/a": "a" });
    const decided = await decide(EDITING, write(path), workspace);
    expect(decided.decision).toBe("deny");
    expect(decided.reason).toMatch(/^it needs a permission \(`.*`: \w[^)]+\), and no user can be asked/s);
  });

  test.each([
    ".\u00dfh/config",
    "scripts/hooks/pre-commit",
    ".envrc.local",
    ".direnv/bin/node",
    "flake.nix",
    "env/bin/activate",
    "jupyter_server_config.py",
    "tools/bazel",
    "user.bazelrc",
    "gradlew",
    "binding.gyp",
    "vendor/bin/phpunit",
    ".clinerules/hooks/PreToolUse",
    ".github/agents/x.md",
    ".github/skills/x/run.sh",
    ".codesandbox/tasks.json",
    ".mergify.yml",
    "composer.json",
  ])("are in the table: %j [loop-8-4]", (path) => {
    expect(executableFileAt(path.split("/"))?.reason).toMatch(/^`.*`: \w/);
  });

  test.each([
    "src/a",
    "README.md",
    "envrc",
    ".env",
    ".gitignore",
    "github/workflows/ci.yml",
    "vscode/tasks.json",
    "Makefile",
    "src/.envrc.md",
    "docs/.github.md",
    ".github/CODEOWNERS",
    "conftest.py",
  ])("do not affect other files: %j [loop-8-4]", async (path) => {
    await using workspace = await openWorkspace({ "src/a": "a" });
    expect(await outcomeOf(EDITING, write(path), workspace)).toBe("allow");
  });

  test("are asked about whichever tool writes them, and by a link [loop-8-4]", async () => {
    await using workspace = await openWorkspace({ ".envrc": "a\n", "src/a": "a\n" });
    await symlink("../.envrc", join(workspace.root, "src/notes"));
    const edit = { file_path: ".envrc", old_string: "a", new_string: "b" };
    expect(await outcomeOf(EDITING, ["edit_file", edit], workspace)).toBe("deny");
    expect(await outcomeOf(EDITING, patch("*** Add File: .npmrc", "+x"), workspace)).toBe("deny");
    expect(await outcomeOf(EDITING, patch("*** Update File: .envrc", "@@", "-a", "+b"), workspace)).toBe("deny");
    expect(await outcomeOf(EDITING, patch("*** Delete File: .envrc"), workspace)).toBe("deny");
    const moved = patch("*** Update File: src/a", "*** Move to: .husky/pre-push", "@@", "-a", "+b");
    expect(await outcomeOf(EDITING, moved, workspace)).toBe("deny");
    expect(await outcomeOf(EDITING, write("src/notes"), workspace)).toBe("deny");
    expect(await outcomeOf(EDITING, patch("*** Update File: src/a", "@@", "-a", "+b"), workspace)).toBe("allow");
  });

  test("are covered by a rule that spells them out, and by one about the whole tool [loop-8-4]", async () => {
    const allow = (path: string): ApprovalPolicyOptions => ({
      rules: [{ tool: "write_file", path, outcome: "allow" }],
    });
    expect(await outcomeOf(allow(".envrc"), write(".envrc"))).toBe("allow");
    expect(await outcomeOf(allow(".github/**"), write(".github/workflows/ci.yml"))).toBe("allow");
    expect(await outcomeOf(allow("**/.vscode/*"), write("a/.vscode/tasks.json"))).toBe("allow");
    expect(await outcomeOf(allow("src/**"), write("src/.envrc"))).toBe("deny");
    expect(await outcomeOf(allow("*"), write(".envrc"))).toBe("deny");
    expect(await outcomeOf({ rules: [{ tool: "write_file", outcome: "allow" }] }, write(".envrc"))).toBe("allow");
    expect(await outcomeOf(allow("**"), ["read_file", { file_path: ".envrc" }])).toBe("deny");
    const reading: ApprovalPolicyOptions = { rules: [{ path: "**", outcome: "allow" }] };
    expect(await outcomeOf(reading, ["read_file", { file_path: ".envrc" }])).toBe("allow");
  });

  test("are asked about when a command that a rule allows writes them [loop-8-4]", async () => {
    await using workspace = await openWorkspace({ "src/a": "a" });
    await symlink("/tmp", join(workspace.root, "out"));
    await symlink("/tmp/x", join(workspace.root, "src/link"));
    const rules = ["cp *", "mv *", "tee *", "touch *", "git mv *", "git checkout *", "git restore *", "prettier *"].map(
      (command) => ({
        command,
        outcome: "allow" as const,
      }),
    );
    const run = (command: string): Promise<string> => outcomeOf({ rules }, ["shell", { command }], workspace);
    for (const command of ["cp src/a src/b", "tee src/c", "git mv src/a src/b", "git checkout topic -- src/a"])
      expect(await run(command)).toBe("allow");
    const writing = [
      "cp src/a .envrc",
      "mv src/a sub/.npmrc",
      "tee .git/hooks/pre-commit",
      "cp src/a .vscode",
      "git mv src/a .envrc",
      "git checkout topic -- .envrc",
      "git restore -s topic .github/workflows/ci.yml",
      "prettier --write .mcp.json",
      // The contents of the folder end up at paths that a row of the table matches.
      "mv src .github",
      "cp -r src sub/.yarn",
      "git mv src gradle",
    ];
    for (const command of [...writing, "touch out/x", "cp src/a out", "cp link src"])
      expect(await run(command)).toBe("deny");
  });
});

describe("package.json", () => {
  const MANIFEST = JSON.stringify(
    { name: "x", version: "1.0.0", scripts: { test: "vitest" }, dependencies: {} },
    null,
    2,
  );
  const change = (old_string: string, new_string: string): readonly [string, ToolArguments] => [
    "edit_file",
    { file_path: "package.json", old_string, new_string },
  ];

  test.each([
    ["a version", change("1.0.0", "1.0.1"), "allow"],
    ["a dependency", change('"dependencies": {}', '"dependencies": { "left-pad": "1" }'), "allow"],
    ["a script", change("vitest", "vitest; id"), "deny"],
    ["a name that becomes scripts", change('"dependencies"', '"gitHooks"'), "deny"],
    ["text that is not there", change("nowhere", "x"), "deny"],
    [
      "all of it, with the same scripts",
      write("package.json", '{"scripts":{"test":"vitest"},"private":true}'),
      "allow",
    ],
    ["all of it, with other scripts", write("package.json", '{"scripts":{"test":"x"}}'), "deny"],
    ["all of it, into something else", write("package.json", "x"), "deny"],
    ["scripts under the same name twice", change('"version"', '"scripts":{"test":"x"},"version"'), "allow"],
    [
      "a patch of its version",
      patch("*** Update File: package.json", "@@", '-  "version": "1.0.0",', '+  "version": "2.0.0",'),
      "allow",
    ],
    [
      "a patch of its scripts",
      patch("*** Update File: package.json", "@@", '-    "test": "vitest"', '+    "test": "id"'),
      "deny",
    ],
    ["a new one without scripts", write("packages/a/package.json", '{"name":"a"}'), "allow"],
    ["a new one with scripts", write("packages/a/package.json", '{"scripts":{"postinstall":"id"}}'), "deny"],
    ["its place", patch("*** Update File: package.json", "*** Move to: a/package.json"), "deny"],
  ])("requires approval if scripts change: %s [loop-8-4]", async (_, call, outcome) => {
    await using workspace = await openWorkspace({ "package.json": MANIFEST });
    expect(await outcomeOf(EDITING, call, workspace)).toBe(outcome);
  });
});

test("each row of the table of files has paths that it fits, a runner and a source [loop-8-4]", () => {
  const paths = EXECUTABLE_FILES.flatMap((row) => row.paths);
  expect(new Set(paths).size).toBe(paths.length);
  for (const { paths: own, runner, source } of EXECUTABLE_FILES) {
    expect([own[0], runner !== "", /\(\d\)|https:/.test(source)]).toEqual([own[0], true, true]);
    for (const path of own) {
      const sample = path.replace("**", "a/b").replaceAll("*", "x").split("/");
      for (const names of [sample, ["sub", ...sample], sample.map((name) => name.toUpperCase())]) {
        expect([names, executableFileAt(names)?.row.runner]).toEqual([names, expect.any(String)]);
      }
    }
  }
});
