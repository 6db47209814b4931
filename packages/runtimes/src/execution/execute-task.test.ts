import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, readFile, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { secret } from "@switchyard/secrets";
import { afterEach, expect, test } from "vitest";
import {
  createRuntimeRegistry,
  type ExecuteTaskOptions,
  type ExecutorProvider,
  executeTask,
  loadRuntimePackage,
  type RuntimePackage,
  type TaskOutcome,
} from "../index.ts";

const FIXTURES = fileURLToPath(new URL("../../../../fixtures/runtimes/", import.meta.url));
const run = promisify(execFile);
const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "switchyard-runtimes-")));
  folders.push(folder);
  return folder;
}

interface Trial extends Partial<ExecuteTaskOptions> {
  readonly runtime: string | RuntimePackage;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly workspace?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** Executes a task with one of the sample packages. */
async function execute({ runtime, config, fields, workspace, variables, ...options }: Trial): Promise<TaskOutcome> {
  const found = typeof runtime === "string" ? await loadRuntimePackage(join(FIXTURES, runtime)) : runtime;
  const backend = found.manifest.agent_task_executors[0]?.backend ?? "";
  const request = {
    ...{ schema: "homeboy/agent-task-request/v1", task_id: "task-1", instructions: "Say hello." },
    ...{ executor: { backend, config }, workspace: { root: workspace ?? (await makeFolder()) }, ...fields },
  };
  return executeTask(request, {
    selected: createRuntimeRegistry([found]).select({ backend }),
    openFolder: (root) => openLocalEnvironment({ root, env: { ...process.env, ...variables } }),
    pause: () => Promise.resolve(),
    ...options,
  });
}

/** Returns a runtime package whose command is a shell command line. */
function shellRuntime(command: string, provider: Partial<ExecutorProvider> = {}): RuntimePackage {
  const agent_task_executors = [{ id: "sh.one", backend: "sh", command, ...provider }];
  const manifest = { schema: "homeboy/agent-runtime-manifest/v1", id: "sh", agent_task_executors };
  return { id: "sh", folder: FIXTURES, origin: "project", manifest, document: manifest, warnings: [] };
}

test("a minimal runtime executes a task [runtime-outcome-1]", async () => {
  expect(await execute({ runtime: "minimal" })).toEqual({
    ...{ schema: "homeboy/agent-task-outcome/v1", task_id: "task-1", status: "succeeded" },
    ...{ summary: "You asked: Say hello.", diagnostics: [], artifacts: [], metadata: {} },
  });
});

test("the package path is replaced in variables too, and other braces stay unchanged [runtime-runtime-path-1]", async () => {
  const outcome = { schema: "homeboy/agent-task-outcome/v1", task_id: "task-1", status: "succeeded" };
  const script = `printf '${JSON.stringify({ ...outcome, summary: "%s" })}' "$LIBRARY $FORMAT"`;
  const env = { LIBRARY: "{{runtime_path}}/lib", FORMAT: "{{.Name}}" };
  const runtime = shellRuntime("", { command: undefined, invocation: { argv: ["sh", "-c", script], env } });
  expect((await execute({ runtime })).summary).toBe(`${FIXTURES}/lib {{.Name}}`);
});

test("a shell command runs in a shell, in the folder of its package [runtime-runtime-path-4, runtime-workspace-1]", async () => {
  expect(await execute({ runtime: "shell" })).toMatchObject({ status: "no_op", summary: "in shell" });
});

test("a runtime with all declarations fulfils them [runtime-diagnostics-2, runtime-role-aliases-1]", async () => {
  const workspace = await makeFolder();
  const token = "a-token-of-the-test-7";
  const outcome = await execute({
    ...{ runtime: "full", workspace, config: { note: "hello" }, secrets: { FULL_TOKEN: secret(token) } },
    fields: { runtime_execution: { kind: "bundle", input: 1 } },
  });
  expect(outcome).toMatchObject({
    ...{ status: "succeeded", summary: "Wrote notes/note.md.", vendor_extra: true },
    artifacts: [{ path: "notes/note.md", kind: "note-markdown", role: "report" }],
    outputs: { answer: 42, full_answer: 42, profile: { full_bundle: { input: 1 } } },
    metadata: { model: "acme-1", total_tokens: 1234, token: "[REDACTED]", session_cookie_jar: "[REDACTED]" },
  });
  expect(JSON.stringify(outcome)).not.toContain(token);
  expect(await readFile(join(workspace, "notes/note.md"), "utf8")).toBe("hello\n");
});

test("false claims of a runtime are rejected in its outcome", async () => {
  const falseClaims: readonly [Readonly<Record<string, unknown>>, string][] = [
    [{ exit: 3 }, "provider_error"],
    [{ prints: "fine!" }, "provider_error"],
    [{ omits: "schema" }, "provider_error"],
    [{ omits: "status" }, "failed"],
    [{ outcome: { task_id: "another" } }, "provider_error"],
    [{ outcome: { status: "timeout" } }, "provider_error"],
    [{ outcome: { summary: "" } }, "provider_error"],
    [{ signal: "SIGKILL" }, "provider_error"],
    [{ writes: "surprise" }, "failed"],
  ];
  for (const [config, status] of falseClaims) {
    expect({ config, status: (await execute({ runtime: "liar", config })).status }).toEqual({ config, status });
  }
});

test("a recoverable outcome counts as failed, and preserves the runtime's status", async () => {
  const runtime = shellRuntime(printing({ status: "candidate_recoverable" }));
  expect(await execute({ runtime })).toMatchObject({
    ...{ status: "failed", summary: expect.not.stringContaining("does not declare") },
    metadata: { native_status: "candidate_recoverable" },
    diagnostics: expect.arrayContaining([
      expect.objectContaining({ message: expect.stringContaining("candidate_recoverable counts as failed") }),
    ]),
  });
});

test("the command gets its declared variables, a small core, and no others [runtime-provider-command-15]", async () => {
  const outcome = await execute({
    ...{ runtime: "liar", config: { tells: true }, secrets: { OTHER: secret("not-for-the-liar") } },
    variables: { LIAR_ALLOWED: "yes", OF_THE_HOST: "no" },
  });
  const env = outcome.metadata["env"];
  expect(env).toEqual(expect.arrayContaining(["PATH", "LIAR_ALLOWED", "HOMEBOY_RUNTIME_PATH"]));
  expect(env).not.toEqual(expect.arrayContaining(["OF_THE_HOST"]));
  expect(env).not.toEqual(expect.arrayContaining(["OTHER"]));
});

test("a command that exceeds its time limit ends with all its processes [runtime-provider-command-12]", async () => {
  const workspace = await makeFolder();
  const command = "sleep 300 & echo $! > child; wait";
  const outcome = await execute({ runtime: shellRuntime(command), workspace, fields: { limits: { timeout_ms: 600 } } });
  expect(outcome).toMatchObject({ status: "timeout", failure_classification: "timeout" });
  const child = (await readFile(join(workspace, "child"), "utf8")).trim();
  // A dead process that was not reaped yet has an empty command line.
  expect(await readFile(`/proc/${child}/cmdline`, "utf8").catch(() => "")).toBe("");
});

test("files that a command reported before it hung are preserved [runtime-provider-command-20]", async () => {
  const workspace = await makeFolder();
  const artifacts = [{ id: "log", path: "log.txt" }];
  const command = `echo made > log.txt; ${printing({ artifacts })}; sleep 300`;
  const fields = { limits: { liveness_timeout_ms: 5_000 } };
  expect(await execute({ runtime: shellRuntime(command), workspace, fields })).toMatchObject({
    ...{ status: "provider_error", failure_classification: "stalled" },
    artifacts: [{ id: "log", path: "log.txt" }],
  });
});

test("a deadline in the past ends the command immediately", async () => {
  const limits = { execution_deadline_unix_ms: 1_000, timeout_ms: 60_000 };
  const outcome = await execute({ runtime: "liar", config: { hangs: true }, fields: { limits }, now: () => 2_000 });
  expect(outcome).toMatchObject({ status: "timeout" });
});

test("git commit is allowed and git push is not, unless enabled [runtime-provider-command-15]", async () => {
  const [remote, workspace] = [await makeFolder(), await makeFolder()];
  const git = (folder: string, ...args: string[]) => run("git", ["-C", folder, ...args]);
  await git(remote, "init", "--bare", "--quiet", "--initial-branch=main");
  await git(workspace, "init", "--quiet", "--initial-branch=main");
  await git(workspace, "remote", "add", "origin", remote);
  const author = "-c user.name=a -c user.email=a@b.example";
  const command = `git ${author} commit -q --allow-empty -m work && (git push -q origin main || git push -q ${remote} main)`;
  const provider = { workspace_materialization: { cwd: "git_checkout" } };
  const denied = await execute({ runtime: shellRuntime(command, provider), workspace });
  expect(denied).toMatchObject({ status: "provider_error" });
  expect((await git(workspace, "log", "--format=%s")).stdout.trim()).toBe("work");
  expect((await git(remote, "branch")).stdout).toBe("");
  await execute({ runtime: shellRuntime(command, provider), workspace, allowGitPush: true });
  expect((await git(remote, "branch")).stdout.trim()).toBe("* main");
});

test("a workspace that is a symbolic link is rejected [runtime-workspace-6]", async () => {
  const base = await makeFolder();
  await mkdir(join(base, "real"));
  await symlink(join(base, "real"), join(base, "link"));
  const outcome = await execute({ runtime: "minimal", workspace: join(base, "link") });
  expect(outcome).toMatchObject({ status: "failed", failure_classification: "invalid_input" });
});

test("without a workspace in the request or the session, none is assumed [runtime-workspace-5]", async () => {
  const outcome = await execute({ runtime: "minimal", fields: { workspace: undefined } });
  expect(outcome).toMatchObject({ status: "failed", summary: expect.stringContaining("workspace.root is required") });
});

test("logs of the backend are artifacts, and never read for the status [runtime-outcome-8]", async () => {
  const config = { writes: "notes.log", outcome: { artifacts: [{ path: "notes.log", kind: "log" }] } };
  const runtime = await loadRuntimePackage(join(FIXTURES, "liar"));
  const [provider] = runtime.manifest.agent_task_executors;
  const scope = { workspace_materialization: { write_scope: "workspace" } };
  const free = { ...runtime.manifest, agent_task_executors: provider === undefined ? [] : [{ ...provider, ...scope }] };
  const stderr = "ERROR: status: failed\n";
  const outcome = await execute({ runtime: { ...runtime, manifest: free }, config: { ...config, stderr } });
  expect(outcome).toMatchObject({ status: "succeeded", artifacts: [{ path: "notes.log", kind: "log" }] });
});

test("the outcome is read however much the command prints to stderr [runtime-provider-command-13]", async () => {
  const outcome = { schema: "homeboy/agent-task-outcome/v1", task_id: "task-1", status: "succeeded", summary: "Done." };
  const talks = "cat > /dev/null; head -c 200000 /dev/zero | tr '\\000' x >&2";
  const fields = { limits: { max_output_bytes: 4096 } };
  const talker = shellRuntime(`${talks}; echo '${JSON.stringify(outcome)}'`);
  expect(await execute({ runtime: talker, fields })).toMatchObject({ status: "succeeded", summary: "Done." });
  // A truncated outcome is no outcome, even if the rest is valid JSON.
  const long = { ...outcome, summary: "s".repeat(9_000) };
  const cut = await execute({ runtime: shellRuntime(`cat > /dev/null; echo '${JSON.stringify(long)}'`), fields });
  expect(cut.diagnostics).toMatchObject([{ class: "agent_task.provider_output_too_large" }]);
});

test("a short value is a secret too, and a variable without a secret is not redacted [runtime-secrets-6]", async () => {
  const secrets = { LIAR_TOKEN: secret("k4t7"), HOME: secret("of-no-concern") };
  const config = { tells: true, outcome: { summary: "of-no-concern" } };
  const outcome = await execute({ runtime: "liar", config, secrets });
  expect(outcome.metadata["told"]).toBe("***REDACTED***");
  expect(outcome.summary).toBe("of-no-concern");
});

test("git hooks and settings are protected from commands without write permission [runtime-workspace-3]", async () => {
  const workspace = await makeFolder();
  await run("git", ["-C", workspace, "init", "--quiet"]);
  for (const writes of [".git/hooks/pre-push", ".git/config"]) {
    const outcome = await execute({ runtime: "liar", config: { writes }, workspace });
    expect(outcome).toMatchObject({ status: "failed", failure_classification: "policy_denied" });
  }
});

/** Returns a command line that prints an outcome with the given fields, regardless of the request. */
function printing(fields: Readonly<Record<string, unknown>>): string {
  const good = { schema: "homeboy/agent-task-outcome/v1", task_id: "task-1", status: "succeeded", summary: "done" };
  return `printf %s '${JSON.stringify({ ...good, ...fields })}'`;
}

test("a command may ignore its request, however long it is", async () => {
  const fields = { inputs: { text: "x".repeat(5_000_000) } };
  expect(await execute({ runtime: shellRuntime(printing({})), fields })).toMatchObject({ status: "succeeded" });
});

test("an artifact that is a link out of the workspace is removed [runtime-outcome-10]", async () => {
  const artifacts = [{ id: "link", path: "link" }];
  const command = `ln -s /etc link; ${printing({ artifacts })}`;
  expect(await execute({ runtime: shellRuntime(command) })).toMatchObject({
    artifacts: [],
    diagnostics: [{ class: "agent_task.artifact_refused" }],
  });
});

test("an outcome of several megabytes is parsed, braces in its texts included", async () => {
  const node = `const text = '{["'.repeat(2_000_000); console.log(JSON.stringify({ schema: "homeboy/agent-task-outcome/v1",
    task_id: "task-1", status: "succeeded", summary: "done", outputs: { text } }))`;
  const outcome = await execute({
    runtime: shellRuntime(`cat > /dev/null; node -e '${node.replaceAll("'", `'\\''`)}'`),
  });
  expect(outcome.status).toBe("succeeded");
  expect(outcome.outputs?.["text"]).toHaveLength(6_000_000);
});

test("an outcome with excessive nesting is rejected [runtime-provider-command-9]", async () => {
  const node = `const n = 200000; console.log('{"outputs":' + "[".repeat(n) + "]".repeat(n) + "}")`;
  const outcome = await execute({
    runtime: shellRuntime(`cat > /dev/null; node -e '${node.replaceAll("'", `'\\''`)}'`),
  });
  expect(outcome).toMatchObject({
    status: "provider_error",
    diagnostics: [{ class: "agent_task.provider_malformed_json" }],
  });
  expect(outcome.summary).toContain("something else than one JSON outcome");
});

test("a request without a task_id has no outcome", async () => {
  await expect(execute({ runtime: "minimal", fields: { task_id: "" } })).rejects.toMatchObject({
    code: "runtime.request_invalid",
  });
});

test("a command cancelled before its start is not started", async () => {
  const workspace = await makeFolder();
  const signal = AbortSignal.abort();
  const outcome = await execute({ runtime: shellRuntime("echo > started; cat"), workspace, signal });
  expect(outcome.status).toBe("cancelled");
  await expect(access(join(workspace, "started"))).rejects.toThrow();
});

test("the outcome lists rejected artifacts with the reason, whatever the status", async () => {
  const artifacts = [
    { id: "out", path: "../out" },
    { id: "gone", path: "none.txt" },
    "/etc/passwd",
    { id: "url", url: "http://h/" },
  ];
  const typed = [
    { name: "t", artifact: { path: "/etc/passwd" } },
    { name: "plain", payload: 1 },
  ];
  const outcome = await execute({ runtime: shellRuntime(printing({ artifacts, typed_artifacts: typed })) });
  expect(outcome).toMatchObject({ status: "succeeded", metadata: { refused_artifact_count: 4 } });
  expect(outcome.artifacts.map(({ id }) => id)).toEqual(["url"]);
  expect(outcome["typed_artifacts"]).toEqual([typed[1]]);
  expect(outcome.diagnostics.map(({ class: kind, data }) => [kind, data])).toEqual([
    ["agent_task.artifact_refused", { artifact_id: "out", path: "../out", reason: "outside" }],
    ["agent_task.artifact_refused", { artifact_id: "gone", path: "none.txt", reason: "missing" }],
    ["agent_task.artifact_refused", { artifact_id: "/etc/passwd", path: "/etc/passwd", reason: "outside" }],
    ["agent_task.artifact_refused", { artifact_id: "t", path: "/etc/passwd", reason: "outside" }],
  ]);
  const command = `${printing({ artifacts: [{ id: "gone", path: "none.txt" }] })}; sleep 300`;
  const late = await execute({ runtime: shellRuntime(command), fields: { limits: { timeout_ms: 600 } } });
  expect(late).toMatchObject({ status: "timeout", retryable: true, artifacts: [] });
  expect(late.diagnostics.at(-1)).toMatchObject({ class: "agent_task.artifact_refused", data: { reason: "missing" } });
});

test("one table decides which failures are retryable, for commands and for engines", async () => {
  const retryable = async (fields: Readonly<Record<string, unknown>>) =>
    (await execute({ runtime: shellRuntime(printing(fields)) })).retryable;
  expect(await retryable({ status: "timeout" })).toBe(true);
  expect(await retryable({ status: "timeout", retryable: false })).toBe(false);
  expect(await retryable({ status: "cancelled" })).toBe(true);
  expect(await retryable({ status: "failed", failure_classification: "rate_limited" })).toBe(true);
  expect(await retryable({ status: "failed", failure_classification: "policy_denied" })).toBe(false);
  const stop = new AbortController();
  stop.abort();
  const cancelled = await execute({ runtime: shellRuntime("true"), signal: stop.signal });
  expect([cancelled.status, cancelled.retryable]).toEqual(["cancelled", true]);
});

const PROVIDER_DEFAULTS = {
  acme: {
    secret_env: ["ACME_REFRESH", "ACME_ACCESS", "ACME_EXPIRES"],
    required_secret_env: ["ACME_REFRESH"],
    optional_secret_env: ["ACME_ACCESS", "ACME_EXPIRES"],
  },
  plain: { secret_env: ["ACME_KEY", "ACME_REGION"], optional_secret_env: ["ACME_REGION"] },
};

test("optional secrets of a model provider are passed if present [runtime-secrets-6]", async () => {
  const needed = { schema: "homeboy/secret-env-requirement/v1", env: PROVIDER_DEFAULTS.acme.secret_env };
  const command = `printf '%s' '{"schema":"homeboy/agent-task-outcome/v1","task_id":"task-1","status":"succeeded","summary":"'"\${ACME_REFRESH:+refresh} \${ACME_ACCESS:+access} \${ACME_KEY:+key}"'"}'`;
  const runtime = shellRuntime(command, {
    provider_defaults: PROVIDER_DEFAULTS,
    secret_env_requirements: [{ ...needed, when: { any: [{ path: "executor.config.provider", equals: "acme" }] } }],
  });
  const trial = (provider: string, names: readonly string[]) =>
    execute({
      ...{ runtime, config: { provider } },
      secrets: Object.fromEntries(names.map((name) => [name, secret(`value-of-${name}`)])),
    });
  expect(await trial("acme", ["ACME_REFRESH"])).toMatchObject({ status: "succeeded", summary: "refresh  " });
  expect(await trial("acme", ["ACME_REFRESH", "ACME_ACCESS"])).toMatchObject({ summary: "refresh access " });
  expect(await trial("plain", ["ACME_KEY"])).toMatchObject({ status: "succeeded" });
  for (const [provider, name, missing] of [
    ["acme", "ACME_ACCESS", "ACME_REFRESH"],
    ["plain", "ACME_REGION", "ACME_KEY"],
  ] as const) {
    const refused = await trial(provider, [name]);
    expect(refused).toMatchObject({ status: "failed", failure_classification: "invalid_input" });
    expect(refused.summary).toContain(missing);
  }
});

test("a credential recognised only by its name appears in no field of an outcome [runtime-secrets-10]", async () => {
  const value = ["Zk3v9Qp2", "Lm8sXy41"].join("");
  const document = {
    ...{ schema: "homeboy/agent-task-outcome/v1", task_id: "task-1", status: "failed" },
    summary: `error: token=${value}`,
    diagnostics: [
      { class: "acme.note", message: `--setting=password=${value}`, data: { authHeader: value } },
      `note: api_key: ${value}`,
    ],
    metadata: { url: `https://h/?access_token=${value}`, auth: { user: value }, session_id: value },
    evidence_refs: [{ kind: "log", uri: `https://h/log?sig=${value}`, label: `token=${value}` }],
    artifacts: [{ id: "a", kind: "log", url: `https://h/a?X-Amz-Signature=${value}`, name: "a", nonce: value }],
    trace: { note: `password: ${value}` },
    outputs: { count: 1 },
  };
  const outcome = await execute({ runtime: shellRuntime(`printf '%s' '${JSON.stringify(document)}'`) });
  expect(JSON.stringify(outcome)).not.toContain(value);
  expect(outcome).toMatchObject({
    summary: "error: token=[REDACTED]",
    metadata: { url: "https://h/?access_token=[REDACTED]" },
    evidence_refs: [{ uri: "https://h/log?sig=[REDACTED]" }],
    artifacts: [{ id: "a", url: "https://h/a?X-Amz-Signature=[REDACTED]" }],
    outputs: { count: 1 },
  });
});

test("a secret requirement may name several variables, all of them required", async () => {
  const runtime = shellRuntime(printing({}), { secret_requirements: [{ name: "ACME", env: ["ACME_ID", "ACME_KEY"] }] });
  const both = { ACME_ID: secret("the-id-of-acme"), ACME_KEY: secret("the-key-of-acme") };
  expect(await execute({ runtime, secrets: both })).toMatchObject({ status: "succeeded" });
  const refused = await execute({ runtime, secrets: { ACME_ID: both.ACME_ID } });
  expect([refused.status, refused.summary]).toEqual(["failed", expect.stringContaining("ACME_KEY")]);
});
