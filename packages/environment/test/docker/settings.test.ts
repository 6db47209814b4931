import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDockerEnvironment, sweepDockerContainers } from "@switchyard/environment/docker";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "sy-client-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Creates a client program that prints a message and exits, regardless of its arguments. */
function failingClient(name: string, stderr: string, exitCode = 1): string {
  const path = join(folder, name);
  writeFileSync(join(folder, `${name}.txt`), stderr);
  writeFileSync(
    path,
    `#!/bin/sh\ncase $1 in --version) echo x; exit 0;; esac\ncat '${path}.txt' >&2\nexit ${exitCode}\n`,
  );
  chmodSync(path, 0o755);
  return path;
}

const hostEnv = { PATH: "/usr/bin:/bin" };

test("a missing client is reported with what to install", async () => {
  await expect(openDockerEnvironment({ image: "box", hostEnv: { PATH: folder } })).rejects.toMatchObject({
    code: "environment.unavailable",
    message: expect.stringContaining("docker or podman is not on the PATH; install Docker or Podman"),
  });
  await expect(sweepDockerContainers({ client: "podman", hostEnv: { PATH: "." } })).rejects.toMatchObject({
    code: "environment.unavailable",
    message: expect.stringContaining("podman is not on the PATH"),
  });
});

test("a client that is not a program is rejected", async () => {
  for (const client of ["other", "./docker", join(folder, "absent"), folder]) {
    const opening = openDockerEnvironment({ image: "box", client, hostEnv });
    await expect(opening).rejects.toMatchObject({ code: "config.invalid", details: { field: "client" } });
  }
});

test("exactly one of image and container is required", async () => {
  for (const options of [{}, { image: "box", container: "c1" }]) {
    // @ts-expect-error the types refuse this as well
    await expect(openDockerEnvironment(options)).rejects.toMatchObject({ code: "config.invalid" });
  }
});

test.each([
  ["image", { image: "--privileged" }],
  ["image", { image: "box;id" }],
  ["image", { image: "box\n" }],
  ["image", { image: "" }],
  ["container", { container: "-it" }],
  ["container", { container: "a b" }],
  ["network", { image: "box", network: "-x" }],
  ["network", { image: "box", network: "a,b" }],
  ["user", { image: "box", user: "--user" }],
  ["user", { container: "c1", user: "a:b:c" }],
  ["memory", { image: "box", memory: "lots" }],
  ["memory", { image: "box", memory: "0" }],
  ["cpus", { image: "box", cpus: 0 }],
  ["cpus", { image: "box", cpus: Number.NaN }],
  ["pids", { image: "box", pids: 1.5 }],
  ["workingDirectory", { image: "box", workingDirectory: "code" }],
  ["workingDirectory", { image: "box", workingDirectory: "/a/../etc" }],
  ["workingDirectory", { container: "c1", workingDirectory: "/a\0b" }],
  ["workspace", { image: "box", workspace: "" }],
])("an invalid %s is rejected: %j", async (field, options) => {
  const client = failingClient("any", "the client was asked");
  const opening = openDockerEnvironment({ ...options, client, hostEnv });
  await expect(opening).rejects.toMatchObject({ code: "config.invalid", details: { field } });
});

test("names of images and containers are never parsed as client options", async () => {
  const client = failingClient("silent", "the client was asked");
  const name = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string().map((text) => `-${text}`),
  );
  await fc.assert(
    fc.asyncProperty(name, fc.constantFrom("image", "container"), async (value, key) => {
      const source = key === "image" ? { image: value } : { container: value };
      const error: unknown = await openDockerEnvironment({ ...source, client, hostEnv }).catch(
        (reason: unknown) => reason,
      );
      const isPlain = /^[A-Za-z0-9][\w.\-/:@+]*$/.test(value);
      expect(error).toMatchObject(isPlain ? {} : { code: "config.invalid", details: { field: key } });
    }),
    { numRuns: 60 },
  );
});

test.each([
  [
    "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
    /does not answer; start it/,
  ],
  [
    "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock",
    /you may not use the container engine; add this user to its group/,
  ],
  ["Error: unable to connect to Podman socket: connection refused", /does not answer; start it/],
  ["docker: Error response from daemon: pull access denied for x, repository does not exist", /image is not there/],
  ["docker: Error response from daemon: manifest for x:9 not found: manifest unknown", /image is not there/],
  ["Error response from daemon: Container 12ab is not running", /does not run; start it/],
  ["Error response from daemon: container 12ab is paused, unpause the container before exec", /paused; unpause it/],
  ["write /var/lib/docker/tmp: no space left on device", /no room left/],
])("a client error is reported with its remedy: %s", async (stderr, problem) => {
  const client = failingClient("telling", `${stderr}\n`);
  await expect(openDockerEnvironment({ image: "box", client, hostEnv })).rejects.toMatchObject({
    code: "environment.unavailable",
    message: expect.stringMatching(problem),
  });
});

test("client error output is truncated, without control characters", async () => {
  const client = failingClient("noisy", `Error: \u001b[2J\u0007odd ${"x".repeat(5000)}\nsecond`);
  const error: unknown = await openDockerEnvironment({ image: "box", client, hostEnv }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: "environment.unavailable", message: expect.stringContaining("odd xxx") });
  const { message } = error instanceof Error ? error : new Error();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test checks that they are absent.
  expect(message).not.toMatch(/[\u0000-\u001f]/);
  expect(message.length).toBeLessThan(600);
});
