import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createClientProgram } from "../client/client-program.ts";
import { findContainerUser } from "./container-user.ts";

function engineWithInfo(info: string, { exitCode = 0, version = "" } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "sy-client-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "client");
  // Like the real clients, answers a request in the format of the other vendor with an error.
  const program = [
    "#!/bin/sh",
    `[ "$1" = --version ] && exec printf '%s\\n' '${version}'`,
    `case $3 in *Rootless*) [ '${version}' = '' ] || [ '${version}' = podman ] || exit 125 ;; *) [ '${version}' != podman ] || exit 125 ;; esac`,
    `[ "$1" = info ] && printf '%s\\n' '${info}'`,
    `exit ${exitCode}`,
  ].join("\n");
  writeFileSync(path, program);
  chmodSync(path, 0o755);
  return createClientProgram(path, { PATH: process.env["PATH"] });
}

const caller = { uid: 501, gid: 20 };
const ROOTFUL = '["name=apparmor","name=seccomp,profile=builtin","name=cgroupns"] Debian GNU/Linux 12 (bookworm)';

test.for<readonly [string, "docker" | "podman", string, string | undefined]>([
  ["Docker of root", "docker", ROOTFUL, "501:20"],
  ["rootless Docker", "docker", '["name=seccomp,profile=builtin","name=rootless","name=cgroupns"] Ubuntu 24.04', "0:0"],
  ["Docker Desktop", "docker", '["name=seccomp,profile=unconfined","name=cgroupns"] Docker Desktop', "0:0"],
  ["Docker with remapped users", "docker", '["name=seccomp,profile=builtin","name=userns"] Debian', undefined],
  ["Podman of root", "podman", "rootless=false", "501:20"],
  ["rootless Podman", "podman", "rootless=true", "0:0"],
])("with %s a mounted folder belongs to the same user inside", async ([, flavour, info, expected]) => {
  const options = { user: undefined, hasWorkspace: true, flavour, caller };
  expect(await findContainerUser(engineWithInfo(info), options)).toBe(expected);
  expect(await findContainerUser(engineWithInfo(info), { ...options, user: "caller", hasWorkspace: false })).toBe(
    expected,
  );
  const unknown = { user: "caller", hasWorkspace: false, caller };
  expect(await findContainerUser(engineWithInfo(info, { version: flavour }), unknown)).toBe(expected);
  expect(await findContainerUser(engineWithInfo(info), { ...options, user: "image" })).toBeUndefined();
  expect(await findContainerUser(engineWithInfo(info), { ...options, user: "app:web" })).toBe("app:web");
  expect(await findContainerUser(engineWithInfo(info), { ...options, hasWorkspace: false })).toBeUndefined();
});

test("the image's user is used if the engine does not respond, and on systems without user ids", async () => {
  const options = { user: undefined, hasWorkspace: true, flavour: "docker", caller } as const;
  expect(await findContainerUser(engineWithInfo("", { exitCode: 1 }), options)).toBeUndefined();
  expect(await findContainerUser(engineWithInfo(ROOTFUL), { ...options, caller: undefined })).toBeUndefined();
});
