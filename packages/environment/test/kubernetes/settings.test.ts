import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKubernetesEnvironment, sweepKubernetesPods } from "@switchyard/environment/kubernetes";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "sy-kubectl-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Creates a kubectl that prints a message and fails, regardless of its arguments. */
function failingKubectl(name: string, stderr: string): string {
  const path = join(folder, name);
  writeFileSync(`${path}.txt`, stderr);
  writeFileSync(path, `#!/bin/sh\ncat '${path}.txt' >&2\nexit 1\n`);
  chmodSync(path, 0o755);
  return path;
}

const hostEnv = { PATH: "/usr/bin:/bin" };

test("a missing kubectl is reported with what to install", async () => {
  const problem = { code: "environment.unavailable", message: expect.stringContaining("kubectl is not on the PATH") };
  await expect(openKubernetesEnvironment({ image: "box", hostEnv: { PATH: folder } })).rejects.toMatchObject(problem);
  await expect(sweepKubernetesPods({ hostEnv: { PATH: "" } })).rejects.toMatchObject(problem);
  const opening = openKubernetesEnvironment({ pod: "p", kubectl: "bin/kubectl", hostEnv });
  await expect(opening).rejects.toMatchObject({ code: "config.invalid", details: { field: "kubectl" } });
});

test("exactly one of image and pod is required", async () => {
  for (const options of [{}, { image: "box", pod: "p1" }]) {
    // @ts-expect-error the types refuse this as well
    await expect(openKubernetesEnvironment(options)).rejects.toMatchObject({ code: "config.invalid" });
  }
});

test.each([
  ["pod", { pod: "--all" }],
  ["pod", { pod: "Upper" }],
  ["pod", { pod: "deploy/x" }],
  ["container", { pod: "p1", container: "-c" }],
  ["container", { pod: "p1", container: "a.b" }],
  ["namespace", { pod: "p1", namespace: "-n" }],
  ["context", { pod: "p1", context: "-x" }],
  ["context", { pod: "p1", context: "a\u0007b" }],
  ["kubeconfig", { pod: "p1", kubeconfig: "" }],
  ["image", { image: "--image" }],
  ["memory", { image: "box", memory: "2 GB" }],
  ["cpus", { image: "box", cpus: -1 }],
  ["user", { image: "box", user: -1 }],
  ["activeDeadlineSeconds", { image: "box", activeDeadlineSeconds: 0.5 }],
  ["workingDirectory", { image: "box", workingDirectory: "code" }],
  ["podSpec.containers", { image: "box", podSpec: { containers: [] } }],
  ["podSpec.automountServiceAccountToken", { image: "box", podSpec: { automountServiceAccountToken: true } }],
])("an invalid %s is rejected: %j", async (field, options) => {
  const kubectl = failingKubectl("any", "kubectl was asked");
  const opening = openKubernetesEnvironment({ ...options, kubectl, hostEnv });
  await expect(opening).rejects.toMatchObject({ code: "config.invalid", details: { field } });
});

test("names of pods, containers and namespaces are never parsed as kubectl options", async () => {
  const kubectl = failingKubectl("silent", "kubectl was asked");
  const name = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string().map((text) => `-${text}`),
  );
  await fc.assert(
    fc.asyncProperty(name, fc.constantFrom("pod", "container", "namespace"), async (value, field) => {
      const opening = openKubernetesEnvironment({ pod: "p1", [field]: value, kubectl, hostEnv });
      const error: unknown = await opening.catch((reason: unknown) => reason);
      const isPlain = /^[a-z0-9][-.a-z0-9]*$/.test(value);
      expect(error).toMatchObject(isPlain ? {} : { code: "config.invalid", details: { field } });
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['error: context "x" does not exist', /check `kubeconfig` and `context`/],
  ["error: You must be logged in to the server (Unauthorized)", /log in to it again/],
  ['Error from server (Forbidden): pods "p" is forbidden: User "u" cannot get resource "pods"', /ask for the rights/],
  [
    "The connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?",
    /does not answer/,
  ],
  ["Unable to connect to the server: dial tcp: lookup c.invalid: no such host", /does not answer/],
  ["Unable to connect to the server: net/http: TLS handshake timeout", /does not answer/],
  ['Error from server (NotFound): pods "p" not found', /the pod does not exist/],
  ['error: unable to upgrade connection: container not found ("main")', /no such container that runs/],
  [
    "error: error sending request: websocket: close 1006 (abnormal closure): unexpected EOF",
    /connection to the pod was lost/,
  ],
  ["error: Internal error occurred: something odd", /kubectl failed: Internal error occurred: something odd/],
])("a kubectl error is reported with its remedy: %s", async (stderr, problem) => {
  const kubectl = failingKubectl("telling", `${stderr}\n`);
  await expect(openKubernetesEnvironment({ pod: "p", kubectl, hostEnv })).rejects.toMatchObject({
    code: "environment.unavailable",
    message: expect.stringMatching(problem),
  });
});
