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

test("without bubblewrap nothing opens, and the message says what to install", async ({ skip }) => {
  skip(!isLinux, "bubblewrap is for Linux");
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

test("where no namespaces can be made nothing opens, and the message says which settings allow them", async ({
  skip,
}) => {
  skip(!isLinux, "bubblewrap is for Linux");
  const { root } = makeFolders();
  const PATH = `${brokenBubblewrap("setting up uid map: Permission denied")}:${process.env["PATH"]}`;
  await expect(openSandboxedEnvironment({ root, env: { PATH } })).rejects.toMatchObject({
    code: "environment.unavailable",
    message: expect.stringMatching(/uid map: Permission denied.*apparmor_restrict_unprivileged_userns/),
  });
  expect(await sandboxReadiness({ PATH })).toMatchObject({ ok: false, missing: [{ program: "namespaces" }] });
});

test("a sandbox for an unknown system is refused with what to use instead", async ({ skip }) => {
  skip(isLinux, "this is Linux");
  const { root } = makeFolders();
  await expect(openSandboxedEnvironment({ root })).rejects.toMatchObject({ code: "environment.unavailable" });
});

test("a machine on which sandboxes can be opened is ready", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  expect(await sandboxReadiness({ ...process.env })).toEqual({ ok: true, missing: [] });
  const { environment, root } = await openSandbox();
  expect(environment).toMatchObject({ name: "sandbox", platform: "linux", workingDirectory: root });
});

test.for([
  ["network", { network: "some" }],
  ["writable", { writable: ["/no/such/folder"] }],
] as const)("a wrong %s is refused", async ([field, options], { skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const { root } = makeFolders();
  // Configurations are untyped and may contain any value.
  const given = { root, env: { PATH: process.env["PATH"] }, ...options };
  await expect(Reflect.apply(openSandboxedEnvironment, undefined, [given])).rejects.toMatchObject({
    code: "config.invalid",
    details: { field },
  });
});

test("a workspace that is the whole disk is refused", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  await expect(openSandboxedEnvironment({ root: "/", env: { PATH: process.env["PATH"] } })).rejects.toMatchObject({
    code: "environment.unavailable",
  });
});

test("where no process namespace can be made, a local environment ends process groups", async ({ skip }) => {
  skip(!isLinux, "bubblewrap is for Linux");
  const { root } = makeFolders();
  const PATH = `${brokenBubblewrap("No permissions")}:${process.env["PATH"]}`;
  await using environment = await openLocalEnvironment({ root, env: { PATH }, processes: "namespace" });
  const { stdout } = await environment.shell("echo $$; ps -o pgid= -p $$");
  const [leader, group] = stdout.trim().split(/\s+/).map(Number);
  // The first processes in a process namespace have small ids.
  expect(leader).toBeGreaterThan(2);
  expect(group).toBe(leader);
});
