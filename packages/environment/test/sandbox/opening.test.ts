import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openLocalEnvironment, openSandboxedEnvironment, sandboxReadiness } from "@switchyard/environment/local";
import { expect, test } from "vitest";
import { makeFolders, openSandbox, UNREADY } from "./open-sandbox.ts";

const isLinux = process.platform === "linux";

/** Creates a folder with a program `bwrap` that fails as if it had no permission to create namespaces. */
function brokenBubblewrap(message: string): string {
  const { outside } = makeFolders();
  mkdirSync(join(outside, "bin"));
  writeFileSync(join(outside, "bin/bwrap"), `#!/bin/sh\necho 'bwrap: ${message}' >&2\nexit 1\n`, { mode: 0o755 });
  return join(outside, "bin");
}

test("without bubblewrap the start fails, and the error says what to install", async ({ skip }) => {
  skip(!isLinux, "bubblewrap needs Linux");
  const { root } = makeFolders();
  await expect(openSandboxedEnvironment({ root, env: { PATH: "/nonexistent" } })).rejects.toMatchObject({
    code: "environment.unavailable",
    message: expect.stringMatching(/`bwrap` is not on the PATH; Debian and Ubuntu: `sudo apt-get install bubblewrap`/),
  });
  expect(await sandboxReadiness({ PATH: "/nonexistent" })).toMatchObject({
    ok: false,
    missing: [
      { program: "bubblewrap", install: expect.arrayContaining([expect.objectContaining({ system: "Fedora" })]) },
    ],
  });
});

test("without namespaces the start fails, and the error names the settings that allow them", async ({ skip }) => {
  skip(!isLinux, "bubblewrap needs Linux");
  const { root } = makeFolders();
  const PATH = `${brokenBubblewrap("setting up uid map: Permission denied")}:${process.env["PATH"]}`;
  await expect(openSandboxedEnvironment({ root, env: { PATH } })).rejects.toMatchObject({
    code: "environment.unavailable",
    message: expect.stringMatching(/uid map: Permission denied.*apparmor_restrict_unprivileged_userns/),
  });
  expect(await sandboxReadiness({ PATH })).toMatchObject({ ok: false, missing: [{ program: "namespaces" }] });
});

test("a sandbox on an unsupported system is rejected with an alternative", async ({ skip }) => {
  skip(isLinux, "tests systems other than Linux");
  const { root } = makeFolders();
  await expect(openSandboxedEnvironment({ root })).rejects.toMatchObject({ code: "environment.unavailable" });
});

test("a machine that can open sandboxes is ready", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  expect(await sandboxReadiness({ ...process.env })).toEqual({ ok: true, missing: [] });
  const { environment, root } = await openSandbox();
  expect(environment).toMatchObject({ name: "sandbox", platform: "linux", workingDirectory: root });
});

test.for([
  ["network", { network: "some" }],
  ["writable", { writable: ["/no/such/folder"] }],
] as const)("an invalid %s is rejected", async ([field, options], { skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const { root } = makeFolders();
  // Configurations are untyped and may contain any value.
  const allOptions = { root, env: { PATH: process.env["PATH"] }, ...options };
  await expect(Reflect.apply(openSandboxedEnvironment, undefined, [allOptions])).rejects.toMatchObject({
    code: "config.invalid",
    details: { field },
  });
});

test("the root directory is rejected as a workspace", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  await expect(openSandboxedEnvironment({ root: "/", env: { PATH: process.env["PATH"] } })).rejects.toMatchObject({
    code: "environment.unavailable",
  });
});

test("without process namespaces, a local environment ends process groups", async ({ skip }) => {
  skip(!isLinux, "bubblewrap needs Linux");
  const { root } = makeFolders();
  const PATH = `${brokenBubblewrap("No permissions")}:${process.env["PATH"]}`;
  await using environment = await openLocalEnvironment({ root, env: { PATH }, processes: "namespace" });
  const { stdout } = await environment.shell("echo $$; ps -o pgid= -p $$");
  const [leader, group] = stdout.trim().split(/\s+/).map(Number);
  // The first processes in a process namespace have small ids.
  expect(leader).toBeGreaterThan(2);
  expect(group).toBe(leader);
});
