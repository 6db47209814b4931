import { access } from "node:fs/promises";
import { EngineError, type ExecutionEnvironment, messageOf } from "@switchyard/contracts";
import { createMasker, isSecretName, type Secret } from "@switchyard/secrets";
import { commandLineOf, variablesOf, withRuntimePath } from "../command/command-line.ts";
import { TASK_LIMITS } from "../contract/provider-defaults.ts";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import type { RuntimePackage } from "../discovery/runtime-package.ts";
import { isRecord } from "../json/is-record.ts";
import { parseDocument } from "../json/parse-document.ts";
import type { CommandInvocation, ExecutorProvider, ReadinessCheck } from "../manifest/runtime-manifest.ts";
import type { SecretValues } from "../secrets/secret-plan.ts";

/** Result of a readiness check. See agent-runtime-package: runner_readiness. */
export interface ReadinessFinding {
  /** Id of the check. */
  readonly id: string;
  /** Label for display. */
  readonly label: string;
  /** True if all required programs, variables and paths are available. */
  readonly isReady: boolean;
  /** Names of missing programs, variables or paths, without their values. `undefined` if nothing is missing. */
  readonly problem?: string | undefined;
  /** Remedy for the problem. */
  readonly remediation?: string | undefined;
}

/** Options for readiness checks. */
export interface ReadinessOptions {
  /** Environment that runs programs. */
  readonly environment: ExecutionEnvironment;
  /** Available secrets, by name. */
  readonly secrets?: SecretValues | undefined;
  /** Environment variables of the host. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Runs the readiness checks of a provider. See agent-runtime-package: runner_readiness. */
export async function checkReadiness(
  runtime: RuntimePackage,
  provider: ExecutorProvider,
  options: ReadinessOptions,
): Promise<ReadinessFinding[]> {
  const findings: ReadinessFinding[] = [];
  for (const check of provider.runner_readiness ?? []) {
    const problem = await problemOf(check, { runtime, provider, ...options });
    const { id, label, executable } = check;
    const remediation = check.remediation ?? executable?.install_hint;
    findings.push(
      problem === undefined ? { id, label, isReady: true } : { id, label, isReady: false, problem, remediation },
    );
  }
  return findings;
}

/** Throws `runtime.not_ready`, with the manifest's remediation, if a check failed. */
export function assertReady({ id }: RuntimePackage, findings: readonly ReadinessFinding[]): void {
  const missing = findings.filter(({ isReady }) => !isReady);
  if (missing.length === 0) return;
  const problem = missing.map((one) => `${one.label}: ${one.problem ?? "it is missing"}`).join("; ");
  const remediation = missing.flatMap((one) => one.remediation ?? []).join(" ") || "Set up what is missing.";
  throw new EngineError("runtime.not_ready", { runtime: id, problem, remediation });
}

interface Checking extends ReadinessOptions {
  readonly runtime: RuntimePackage;
  readonly provider: ExecutorProvider;
}

async function problemOf(check: ReadinessCheck, checking: Checking): Promise<string | undefined> {
  const { secrets = {}, env = {} } = checking;
  const unset = (check.secret_env ?? []).filter((name) => (secrets[name]?.reveal() ?? "") === "");
  if (unset.length > 0) return `${unset.join(", ")} is not set`;
  const { env_path: path, executable, invocation } = check;
  if (path !== undefined) {
    const value = env[path.env] ?? "";
    if (value === "") return `${path.env} is not set`;
    if (!(await exists(value))) return `the path in ${path.env} does not exist`;
  }
  if (executable !== undefined) {
    const problem = await programProblem(executable, checking);
    if (problem !== undefined) return problem;
  }
  return invocation === undefined ? undefined : commandProblem(invocation, checking);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function programProblem(
  { env: names = [], candidates = [], version_command: command }: NonNullable<ReadinessCheck["executable"]>,
  { environment, runtime, env = {} }: Checking,
): Promise<string | undefined> {
  const [named, version] = [candidates, command].map((argv) =>
    argv?.map((argument) => withRuntimePath(argument, runtime.folder)),
  );
  const programs = [
    ...names.flatMap((name) => (Object.hasOwn(env, name) ? (env[name] ?? []) : [])),
    ...(named ?? []),
  ].filter((name) => name !== "");
  for (const argv of versionCommands(programs, version)) if (await runs(argv, environment)) return undefined;
  const subject = programs.length === 0 ? (version?.[0] ?? "") : programs.join(" or ");
  return `${subject === "" ? names.join(" or ") : subject} cannot be run`;
}

/**
 * Returns the commands that print a program's version. `version_command` contains arguments, such as `--version`, or a
 * complete command.
 */
function versionCommands(
  programs: readonly string[],
  version: readonly string[] | undefined,
): readonly (readonly string[])[] {
  if (version === undefined) return programs.map((program) => [program, "--version"]);
  const coversVersion = programs.length === 0 || programs.includes(version[0] ?? "");
  if (coversVersion) return [version];
  const commands = programs.map((program) => [program, ...version]);
  return version[0]?.startsWith("-") === true ? commands : [...commands, version];
}

async function runs(argv: readonly string[], environment: ExecutionEnvironment): Promise<boolean> {
  try {
    const result = await environment.exec(argv, {
      ...{ timeoutMs: TASK_LIMITS.readiness_timeout_ms, env: { policy: "core" }, maxOutputChars: 4096 },
    });
    return !result.timedOut && result.exitCode === 0;
  } catch {
    return false;
  }
}

/**
 * Returns the values to mask in output: declared secrets, and values of variables whose name indicates a secret. The
 * names are checked because a host may pass all of its variables.
 */
function secretValues(provider: ExecutorProvider, secrets: SecretValues): Secret[] {
  const declared = new Set([
    ...(provider.runner_readiness ?? []).flatMap(({ secret_env: names = [] }) => names),
    ...(provider.secret_requirements ?? []).flatMap(({ name, env = name }) => env),
  ]);
  return Object.entries(secrets).flatMap(([name, value]) =>
    value !== undefined && (declared.has(name) || isSecretName(name)) ? [value] : [],
  );
}

/**
 * Runs a readiness command of a runtime package. The command receives only the environment variables that the manifest
 * declares for it.
 */
async function commandProblem(invocation: CommandInvocation, checking: Checking): Promise<string | undefined> {
  const { runtime, provider, environment, env = {}, secrets = {} } = checking;
  const declared = { ...provider, invocation };
  const line = commandLineOf(declared, runtime.folder);
  if (line.kind === "shell") return "its command needs a shell";
  const request = { schema: SCHEMA_IDS.readiness_request, provider_id: provider.id, runtime_id: runtime.id };
  const masker = createMasker(secretValues(provider, secrets));
  const passed = ["PATH", "HOME", ...(invocation.env_allowlist ?? [])].flatMap((name) => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  try {
    const result = await environment.exec(line.argv, {
      ...{ stdin: `${JSON.stringify(request)}\n`, timeoutMs: TASK_LIMITS.readiness_timeout_ms },
      env: { policy: "none", set: { ...Object.fromEntries(passed), ...variablesOf(invocation, runtime.folder) } },
    });
    if (result.timedOut) return `its check did not respond within ${TASK_LIMITS.readiness_timeout_ms} ms`;
    const parsed = parseDocument(result.stdout);
    const answer = parsed.kind === "parsed" && isRecord(parsed.value) ? parsed.value : {};
    if (result.exitCode === 0 && answer["ready"] === true) return undefined;
    const reason = answer["reason"];
    return typeof reason === "string" ? masker.mask(reason) : "its check reports that it is not ready";
  } catch (error) {
    return masker.mask(messageOf(error));
  }
}
