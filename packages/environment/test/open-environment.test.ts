import { mkdtemp, rm, symlink, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { type EnvironmentConfig, environmentFacts, openEnvironment, sweepEnvironment } from "@switchyard/environment";
import { expect, onTestFinished, test } from "vitest";
import { openWorkspace } from "./open-workspace.ts";

async function refusalOf(config: EnvironmentConfig): Promise<unknown> {
  const error: unknown = await openEnvironment(config).catch((reason: unknown) => reason);
  return EngineError.is(error) ? { code: error.code, ...error.details } : error;
}

/** Creates an empty folder, to use as a PATH without any client program. */
async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-empty-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("an environment in memory starts with the files of a folder that git does not ignore, and with the given files", async () => {
  const { root } = await openWorkspace({ "a.txt": "a", "sub/b.bin": "\0b", ".gitignore": "*.log\n", "x.log": "x" });
  await symlink("/etc/passwd", join(root, "link"));
  const config = { type: "memory", workspace: root, files: { "c.txt": "c", "a.txt": "given" } } as const;
  await using environment = await openEnvironment(config);
  expect((await environment.glob("**/*")).sort()).toEqual([".gitignore", "a.txt", "c.txt", "sub/b.bin"]);
  expect(await environment.readFile("a.txt")).toBe("given");
  expect(await environment.readBytes("sub/b.bin")).toEqual(new Uint8Array([0, 98]));
});

test("a folder that is too large to copy, or does not exist, is refused before anything is created", async () => {
  const { root } = await openWorkspace({ "large.bin": "" });
  await truncate(join(root, "large.bin"), 65 * 1024 * 1024);
  expect(await refusalOf({ type: "memory", workspace: root })).toMatchObject({
    code: "config.invalid",
    problem: expect.stringContaining("more than 64 MiB"),
  });
  expect(await refusalOf({ type: "memory", workspace: join(root, "no") })).toMatchObject({
    code: "workspace.not_found",
  });
});

test("a missing client is an error that says what to install", async () => {
  const hostEnv = { PATH: await emptyFolder() };
  const refused = [
    await refusalOf({ type: "docker", image: "alpine", hostEnv }),
    await refusalOf({ type: "kubernetes", image: "alpine", hostEnv }),
    await refusalOf({ type: "ssh", host: "example.invalid", workingDirectory: "/", hostEnv }),
  ];
  for (const refusal of refused) {
    expect(refusal).toMatchObject({ code: "environment.unavailable", problem: expect.stringMatching(/install/i) });
  }
  const { root } = await openWorkspace();
  const sandbox = await refusalOf({ type: "sandbox", root, env: hostEnv });
  expect(sandbox).toMatchObject({ code: "environment.unavailable", environment: "sandbox" });
});

test("the configuration reports whether the files persist, and their location on this machine", () => {
  const facts = (config: EnvironmentConfig) => environmentFacts(config);
  expect(facts({ type: "local", root: "/w" })).toEqual({ hostFolder: "/w", isTemporary: false });
  expect(facts({ type: "sandbox", root: "/w" })).toEqual({ hostFolder: "/w", isTemporary: false });
  expect(facts({ type: "docker", image: "i", workspace: "/w" })).toEqual({ hostFolder: "/w", isTemporary: false });
  expect(facts({ type: "docker", image: "i" })).toMatchObject({ isTemporary: true });
  expect(facts({ type: "docker", container: "c" })).toEqual({ isTemporary: false });
  expect(facts({ type: "kubernetes", pod: "p" })).toEqual({ isTemporary: false });
  expect(facts({ type: "kubernetes", image: "i" })).toEqual({ isTemporary: true });
  expect(facts({ type: "ssh", host: "h", workingDirectory: "/w" })).toEqual({ isTemporary: false });
  expect(facts({ type: "memory" })).toEqual({ isTemporary: true });
});

test("only environments that are created need a sweep, by their own client", async () => {
  expect(await sweepEnvironment({ type: "local", root: "/" })).toBe(0);
  expect(await sweepEnvironment({ type: "docker", container: "c", client: "/nowhere/docker" })).toBe(0);
  await expect(sweepEnvironment({ type: "docker", image: "i", client: "/nowhere/docker" })).rejects.toMatchObject({
    code: expect.stringMatching(/^(?:config|environment)\./),
  });
});
