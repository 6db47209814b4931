import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { secret } from "@switchyard/secrets";
import { afterEach, expect, test } from "vitest";
import {
  assertReady,
  checkReadiness,
  type ReadinessCheck,
  type ReadinessFinding,
  type RuntimePackage,
} from "../index.ts";

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

interface Trial {
  readonly check: Partial<ReadinessCheck>;
  readonly env?: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

async function findingOf({ check, env = {}, secrets = {}, files = {} }: Trial): Promise<ReadinessFinding | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-ready-"));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o755);
  }
  const provider = {
    id: "a.one",
    backend: "a",
    command: "a",
    runner_readiness: [{ id: "c", label: "The thing", ...check }],
  };
  const manifest = { schema: "homeboy/agent-runtime-manifest/v1", id: "a", agent_task_executors: [provider] };
  const runtime: RuntimePackage = { id: "a", folder, origin: "project", manifest, document: manifest, warnings: [] };
  const host = { PATH: process.env["PATH"] ?? "", ...env };
  await using environment = await openLocalEnvironment({ root: folder, env: host });
  const known = Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, secret(value)]));
  const [finding] = await checkReadiness(runtime, provider, { environment, env: host, secrets: known });
  return finding;
}

test("programs, paths and variables are checked before a dispatch [runtime-readiness-1]", async () => {
  const checks: readonly Trial[] = [
    { check: { executable: { candidates: ["no-such-program", "node"] } } },
    { check: { executable: { version_command: ["node", "--version"] } } },
    { check: { executable: { env: ["ACME_NODE"] } }, env: { ACME_NODE: process.execPath } },
    { check: { executable: { candidates: ["{{runtime_path}}/acme"] } }, files: { acme: "#!/bin/sh\n" } },
    { check: { executable: { version_command: ["sh", "{{runtime_path}}/acme"] } }, files: { acme: "" } },
    { check: { executable: { candidates: ["no-such-program", "node"], version_command: ["--version"] } } },
    {
      check: { executable: { candidates: ["{{runtime_path}}/acme"], version_command: ["version"] } },
      files: { acme: '#!/bin/sh\ntest "$1" = version\n' },
    },
    { check: { env_path: { env: "ACME_HOME" } }, env: { ACME_HOME: tmpdir() } },
    { check: { secret_env: ["ACME_TOKEN"] }, secrets: { ACME_TOKEN: "x" } },
    { check: {} },
  ];
  for (const trial of checks) expect(await findingOf(trial)).toEqual({ id: "c", label: "The thing", isReady: true });
});

test.each([
  [{ executable: { candidates: ["no-such-program"], install_hint: "Get it." } }, "no-such-program cannot be run"],
  [
    { executable: { candidates: ["no-such-program"], version_command: ["--version"], install_hint: "Get it." } },
    "no-such-program cannot be run",
  ],
  [{ env_path: { env: "ACME_HOME" }, remediation: "Get it." }, "ACME_HOME is not set"],
  [{ secret_env: ["ACME_TOKEN"], remediation: "Get it." }, "ACME_TOKEN is not set"],
])("a failed check names what is missing and the remedy [runtime-readiness-2]", async (check, problem) => {
  const finding = await findingOf({ check });
  expect(finding).toMatchObject({ isReady: false, problem, remediation: "Get it." });
  const runtime = { id: "a", folder: "/", origin: "project", document: {}, warnings: [] } as const;
  const manifest = { schema: "x", id: "a", agent_task_executors: [] };
  const missing = finding === undefined ? [] : [finding];
  expect(() => assertReady({ ...runtime, manifest }, missing)).toThrow(
    `The runtime a is not ready: The thing: ${problem}`,
  );
});

test("a readiness command of the package runs with a cleared environment [runtime-readiness-4]", async () => {
  const script = `#!/bin/sh
read -r request
test -z "$OF_THE_HOST" && echo "{\\"ready\\": $READY, \\"reason\\": \\"$ALLOWED\\"}"`;
  const invocation = { argv: ["{{runtime_path}}/ready.sh"], env_allowlist: ["ALLOWED"] };
  const trial = { files: { "ready.sh": script }, env: { OF_THE_HOST: "x", ALLOWED: "come in" } };
  const ready = await findingOf({ ...trial, check: { invocation: { ...invocation, env: { READY: "true" } } } });
  const readiness = {
    argv: ["{{runtime_path}}/ready.sh"],
    env: { READY: "false", ALLOWED: "{{runtime_path}}/{{other}}" },
  };
  expect((await findingOf({ ...trial, check: { invocation: readiness } }))?.problem).toMatch(/^\/.*\/\{\{other\}\}$/u);
  expect(ready?.isReady).toBe(true);
  const unready = await findingOf({ ...trial, check: { invocation: { ...invocation, env: { READY: "false" } } } });
  expect(unready).toMatchObject({ isReady: false, problem: "come in" });
});

test("secret values are never reported [runtime-readiness-3]", async () => {
  const value = "a-value-that-nobody-sees";
  const script = `#!/bin/sh\necho '{"ready": false, "reason": "wrong: ${value}"}'`;
  const check = { secret_env: ["ACME_TOKEN"], invocation: { argv: ["{{runtime_path}}/ready.sh"] } };
  const finding = await findingOf({ check, files: { "ready.sh": script }, secrets: { ACME_TOKEN: value } });
  expect(finding?.problem).toMatch(/^wrong: /u);
  expect(JSON.stringify(finding)).not.toContain(value);
});
