import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { call, textParts } from "../../test/family-client.ts";
import { familySession, resultTextsOf } from "../../test/family-session.ts";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect } from "../../test/run-session.ts";
import { baseEnvironmentOf } from "./base-environment.ts";
import { openFolderEnvironment } from "./folder-environment.ts";

const FILES = { "top.txt": "top\n", "sub/a.txt": "alpha\n", "sub/deep/b.txt": "beta\n", "subway/c.txt": "gamma\n" };

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return EngineError.is(error) ? error.code : String(error);
  }
}

describe("a folder as an environment", () => {
  test("gives and takes paths from the folder, and runs in it [loop-7.2-2]", async () => {
    await using workspace = await openWorkspace(FILES);
    const { environment } = workspace;
    const folder = await openFolderEnvironment(environment, "sub");
    expect(folder.workingDirectory).toBe(join(environment.workingDirectory, "sub"));
    expect(await folder.readFile("a.txt")).toBe("alpha\n");
    expect(await folder.readFile(join(folder.workingDirectory, "deep/b.txt"))).toBe("beta\n");
    await folder.writeFile("new/d.txt", "delta");
    expect(await workspace.read("sub/new/d.txt")).toBe("delta");
    await folder.rename("new/d.txt", "e.txt");
    expect([await folder.exists("e.txt"), await folder.exists("new/d.txt")]).toEqual([true, false]);
    expect((await folder.glob("**/*.txt")).sort()).toEqual(["a.txt", "deep/b.txt", "e.txt"]);
    expect((await folder.glob("*.txt", { path: "deep" })).sort()).toEqual(["deep/b.txt"]);
    expect((await folder.grep("beta|gamma")).matches.map(({ path }) => path)).toEqual(["deep/b.txt"]);
    expect((await folder.shell("pwd")).stdout.trim()).toBe(folder.workingDirectory);
    expect((await folder.exec(["pwd"], { cwd: "deep" })).stdout.trim()).toBe(join(folder.workingDirectory, "deep"));
    expect((await folder.listDirectory(".")).map(({ name }) => name)).toEqual(["a.txt", "deep", "e.txt", "new"]);
  });

  test("refuses paths that point outside it, by their text or through a link [loop-7.3-6]", async () => {
    await using workspace = await openWorkspace(FILES);
    await using outside = await openWorkspace({ "secret.txt": "secret\n" });
    await symlink(outside.root, join(workspace.root, "sub/link"));
    const folder = await openFolderEnvironment(workspace.environment, "sub");
    const refusals = [
      folder.readFile("../top.txt"),
      folder.readFile(join(workspace.environment.workingDirectory, "top.txt")),
      folder.readFile("../subway/c.txt"),
      folder.writeFile("../x.txt", "x"),
      folder.rename("a.txt", "../a.txt"),
      folder.exec(["pwd"], { cwd: ".." }),
      folder.glob("../*.txt"),
      folder.grep("top", { path: ".." }),
      folder.readFile("link/secret.txt"),
      folder.readFile(join(outside.root, "secret.txt")),
    ];
    const codes = await Promise.all(refusals.map(codeOf));
    expect(codes).toEqual(refusals.map(() => "environment.path_outside_workspace"));
    expect(await folder.readFile("a.txt")).toBe("alpha\n");
  });

  test("never reads a file outside the folder, however the path is written", async () => {
    await using workspace = await openWorkspace(FILES);
    const folder = await openFolderEnvironment(workspace.environment, "sub");
    const segment = fc.constantFrom("..", ".", "sub", "subway", "top.txt", "c.txt", "a.txt", "deep", "b.txt", "", "/");
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 6 }), async (segments) => {
        const read = folder.readFile(segments.join("/")).catch(() => "");
        expect(["", "alpha\n", "beta\n"]).toContain(await read);
      }),
    );
  });

  test("is the environment itself for its own folder, and undefined if there is no folder", async () => {
    await using workspace = await openWorkspace(FILES);
    const { environment } = workspace;
    expect(await openFolderEnvironment(environment, ".")).toBe(environment);
    expect(await openFolderEnvironment(environment, environment.workingDirectory)).toBe(environment);
    expect(await codeOf(openFolderEnvironment(environment, ".."))).toBe("environment.path_outside_workspace");
    expect(await codeOf(openFolderEnvironment(environment, "none"))).toBe("environment.file_not_found");
    expect(await codeOf(openFolderEnvironment(environment, "top.txt"))).toBe("environment.not_a_directory");
    const folder = await openFolderEnvironment(environment, "sub");
    const deeper = await openFolderEnvironment(folder, "deep");
    expect([await deeper.readFile("b.txt"), baseEnvironmentOf(deeper)]).toEqual(["beta\n", environment]);
    await folder[Symbol.asyncDispose]();
    expect(await environment.readFile("top.txt")).toBe("top\n");
  });
});

test("a subagent is limited to its folder, and one outside of the workspace is refused [loop-7.2-2] [loop-7.3-6]", async () => {
  await using workspace = await openWorkspace({ ...FILES, "AGENTS.md": "Speak Latin." });
  const outside = ["..", "/", "sub/../.."].map((working_dir) => ["spawn_agent", { task: "out", working_dir }] as const);
  const { session, client } = familySession({
    environment: workspace.environment,
    scripts: {
      go: [
        call(["spawn_agent", { task: "in", working_dir: "sub" }], ...outside),
        call(["wait", { agent_id: "agent-1" }]),
        textParts("all done"),
      ],
      in: [
        call(
          ["read_file", { file_path: "a.txt" }],
          ["read_file", { file_path: "../top.txt" }],
          ["shell", { command: "pwd" }],
        ),
        textParts("done"),
      ],
    },
  });
  await collect(session.submit("go"));
  expect(resultTextsOf(session, "spawn_agent").slice(1)).toEqual(
    outside.map(() => expect.stringMatching(/is outside the workspace/)),
  );
  const child = session.subagents.get("agent-1")?.session ?? session;
  expect(resultTextsOf(child, "read_file")).toEqual([
    expect.stringContaining("alpha"),
    expect.stringMatching(/top\.txt is outside the workspace .*sub\./),
  ]);
  expect(resultTextsOf(child, "shell")).toEqual([expect.stringMatching(/\/sub\n/)]);
  // Subagents receive the project's instructions too.
  const request = client.requests.find(({ input }) => input === "in");
  expect(JSON.stringify(request?.request.messages[0])).toContain("Speak Latin.");
});
