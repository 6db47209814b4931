import { EngineError, type ExecutionEnvironment, messageOf } from "@switchyard/contracts";
import { createMasker, type Masker, type Secret } from "@switchyard/secrets";
import { commandLineOf } from "../command/command-line.ts";
import { REQUEST_REQUIRED_FIELDS, TASK_LIMITS } from "../contract/provider-defaults.ts";
import { DIAGNOSTIC_CLASSES, type FailureClassification } from "../contract/vocabulary.ts";
import { isRecord } from "../json/is-record.ts";
import type { ExecutorProvider, RuntimeCommand } from "../manifest/runtime-manifest.ts";
import { redactOutcome } from "../redaction/redact-outcome.ts";
import { selectRuntimeCommand } from "../runtime-command/runtime-command.ts";
import { textOutcome } from "../runtime-command/text-outcome.ts";
import { resolveSecrets, type SecretValues, secretsNeeded } from "../secrets/secret-plan.ts";
import { mapRuntimeExecution } from "../selection/map-runtime-execution.ts";
import { missingCapabilities, type SelectedProvider } from "../selection/runtime-registry.ts";
import { parseTaskRequest } from "../task/parse-task-request.ts";
import { firstText, projectArtifact } from "../task/project-references.ts";
import type { TaskOutcome } from "../task/task-outcome.ts";
import type { ArtifactDeclaration, TaskRequest } from "../task/task-request.ts";
import { type ConfineFolder, type OpenFolder, openPreparedWorkspace } from "../workspace/prepared-workspace.ts";
import { type WriteScope, withWriteScope } from "../workspace/with-write-scope.ts";
import { type ConfinedArtifacts, confineArtifacts } from "./confine-artifacts.ts";
import { deliverChanges } from "./deliver-changes.ts";
import { failedOutcome, type HostFailure } from "./failed-outcome.ts";
import { readOutcome } from "./read-outcome.ts";
import { type CommandEnd, runCommand } from "./run-command.ts";
import { taskVariables } from "./task-variables.ts";
import { validateOutcome } from "./validate-outcome.ts";

/** Options for `executeTask`. */
export interface ExecuteTaskOptions {
  /** Provider whose command executes the task, as returned by the registry's `select`. */
  readonly selected: SelectedProvider;
  /** Function that opens an environment for a folder on the machine that runs the commands. */
  readonly openFolder: OpenFolder;
  /** Environment to work in. Default: the workspace that the request names. */
  readonly environment?: ExecutionEnvironment | undefined;
  /**
   * Available secrets, by variable name. The command receives only secrets that the provider or the request declares.
   */
  readonly secrets?: SecretValues | undefined;
  /**
   * Function that opens a folder so that the provider's write scope is enforced and git push is blocked. If the
   * function is missing or resolves with `undefined`, forbidden writes are detected but not prevented, and the outcome
   * reports this. The function is called for local folders, including the folder of an `environment` named `local`.
   */
  readonly confineFolder?: ConfineFolder | undefined;
  /**
   * Folder in which fresh checkouts are created and their results stored. `undefined`: requests for a fresh checkout
   * are rejected.
   */
  readonly stateFolder?: string | undefined;
  /**
   * Whether to reject with `run.store_failed` if the local disk cannot be written, for hosts that can use another
   * machine instead. Default: false; the task then ends with a retryable outcome.
   */
  readonly rejectsOnStorageFault?: boolean | undefined;
  /** True if the command may use git push. Default: false. */
  readonly allowGitPush?: boolean | undefined;
  /**
   * Seat of the run that waits for the task: text that names the active run in shared budgets. The command
   * `switchyard runtimes exec` then counts its usage for this run, and does not count as a further run. Default: the
   * command counts its usage in the budget of the user.
   */
  readonly budgetSeat?: string | undefined;
  /** Called with each line of the command's standard error, with secrets redacted. */
  readonly onDiagnostic?: ((text: string) => void) | undefined;
  /** Returns the time for deadlines, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Function that waits between attempts, for a number of milliseconds. Default: a timer. */
  readonly pause?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** Signal that cancels the task when it aborts. The outcome is then `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Executes a task with a provider's command and resolves with its outcome. Rejected requests, missing secrets, and
 * commands that crash, hang or return invalid data are outcomes too. Transient failures are retried, up to three
 * attempts. Rejects with `runtime.request_invalid` only for a request without `task_id`, and with `run.store_failed` if
 * `rejectsOnStorageFault` is set. See agent-runtime-package: provider command contract.
 */
export async function executeTask(request: unknown, options: ExecuteTaskOptions): Promise<TaskOutcome> {
  const taskId = isRecord(request) ? firstText(request["task_id"]) : undefined;
  if (taskId === undefined) {
    throw new EngineError("runtime.request_invalid", {
      problem: "task_id is required",
      problems: ["task_id is required"],
    });
  }
  const { pause = waitFor, signal = new AbortController().signal } = options;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptTask(taskId, request, { ...options, signal });
    const mayRetry = outcome.failure_classification === "transient" && outcome.retryable !== false;
    if (!mayRetry || attempt >= TASK_LIMITS.attempts || signal.aborted) {
      return attempt === 1 ? outcome : { ...outcome, metadata: { ...outcome.metadata, attempts: attempt } };
    }
    await pause(TASK_LIMITS.retry_pause_ms * 2 ** (attempt - 1), signal);
  }
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}

type AttemptOptions = ExecuteTaskOptions & { readonly signal: AbortSignal };

async function attemptTask(taskId: string, data: unknown, options: AttemptOptions): Promise<TaskOutcome> {
  const { provider } = options.selected;
  let prepared: Prepared | undefined;
  const clean = (outcome: TaskOutcome): TaskOutcome =>
    cleaned(outcome, prepared?.masker ?? createMasker([]), provider.redacted_metadata_keys);
  try {
    prepared = prepare(data, options);
    return clean(await runPrepared(prepared, options));
  } catch (error) {
    if (options.rejectsOnStorageFault === true && EngineError.is(error, "run.store_failed")) throw error;
    const failure = failureOf(error);
    const ended = options.signal.aborted ? { ...failure, status: "cancelled" as const } : failure;
    return clean(failedOutcome(taskId, provider.id, ended));
  }
}

/** State of a task before its command runs. */
interface Prepared {
  readonly request: TaskRequest;
  readonly masker: Masker;
  readonly secrets: Readonly<Record<string, Secret>>;
  /** Password for the repository that is checked out. */
  readonly credential?: Secret | undefined;
  /**
   * Additional command of the runtime package that the request selects. `undefined` if the request selects none; the
   * provider's main command is then used.
   */
  readonly command?: RuntimeCommand | undefined;
}

function prepare(data: unknown, { selected, secrets: available = {} }: AttemptOptions): Prepared {
  const { provider } = selected;
  const parsed = parseTaskRequest(data, provider.request_required_fields ?? REQUEST_REQUIRED_FIELDS);
  const { backend, required_capabilities: capabilities = [] } = parsed.executor;
  if (backend !== provider.backend) {
    const problem = `executor.backend is ${backend}, and the provider ${provider.id} serves ${provider.backend}`;
    throw new EngineError("runtime.request_invalid", { problem });
  }
  const lacking = missingCapabilities(provider, capabilities);
  if (lacking.length > 0) {
    throw new EngineError("runtime.capability_missing", { runtime: provider.id, capability: lacking });
  }
  const chosen = selectRuntimeCommand(parsed, selected.runtime, provider);
  const request = withRuntimeProfile(withDeclarations(chosen?.request ?? parsed), selected);
  const { values, missing } = resolveSecrets(secretsNeeded(provider, request), available);
  if (missing.length > 0) throw new EngineError("runtime.secret_missing", { runtime: provider.id, name: missing });
  const credential = credentialOf(request, available);
  const known = [...Object.values(values), ...(credential === undefined ? [] : [credential])];
  return { request, secrets: values, masker: maskerOf(known), credential, command: chosen?.command };
}

/** Returns the password of the repository. It is used only for the checkout; the task's command does not receive it. */
function credentialOf({ workspace }: TaskRequest, available: SecretValues): Secret | undefined {
  const materialization = workspace?.["materialization"];
  const name = isRecord(materialization) ? materialization["credential_env"] : undefined;
  if (typeof name !== "string") return undefined;
  const credential = Object.hasOwn(available, name) ? available[name] : undefined;
  if (credential === undefined)
    throw new EngineError("runtime.secret_missing", { runtime: "the checkout", name: [name] });
  return credential;
}

/** Minimum length of a secret that is masked. Shorter values also occur in ordinary words. */
const MIN_MASKED_CHARS = 4;

/** Returns an object that masks the given secrets in texts. Secrets shorter than `MIN_MASKED_CHARS` are not masked. */
function maskerOf(values: readonly Secret[]): Masker {
  return createMasker(values, { keys: values.filter((value) => value.reveal().length >= MIN_MASKED_CHARS) });
}

/** Returns a request in which each expected artifact is also declared as a required artifact, without duplicates. */
function withDeclarations(request: TaskRequest): TaskRequest {
  const { expected_artifacts: expected = [], artifact_declarations: declared = [] } = request;
  if (expected.length === 0) return request;
  const wanted = new Set(expected);
  const known = new Set(declared.map(({ name }) => name));
  const added: ArtifactDeclaration[] = [...wanted]
    .filter((name) => !known.has(name))
    .map((name) => ({ name, required: true }));
  const artifacts = declared.map((one) => (wanted.has(one.name) ? { ...one, required: true } : one));
  return { ...request, artifact_declarations: [...artifacts, ...added] };
}

/**
 * Converts the request field `runtime_execution` to the provider's own field. `runtime_execution` describes, in a
 * format that all providers share, what to execute.
 */
function withRuntimeProfile(request: TaskRequest, { provider }: SelectedProvider): TaskRequest {
  if (request.runtime_execution === undefined) return request;
  const { field, value } = mapRuntimeExecution(provider, request.runtime_execution);
  const config = isRecord(request.executor.config) ? request.executor.config : {};
  const profile = isRecord(config["runtime_profile"]) ? config["runtime_profile"] : {};
  const mapped = { ...config, runtime_profile: { ...profile, [field]: value } };
  return { ...request, executor: { ...request.executor, config: mapped } };
}

async function runPrepared(prepared: Prepared, options: AttemptOptions): Promise<TaskOutcome> {
  const { selected, openFolder, confineFolder, stateFolder, allowGitPush, budgetSeat, signal } = options;
  const { request, masker, secrets } = prepared;
  const { provider, runtime } = selected;
  const limits = limitsOf(request, options.now ?? Date.now);
  const { argv } = prepared.command ?? {};
  const line = commandLineOf(argv === undefined ? provider : { ...provider, invocation: { argv } }, runtime.folder);
  const scope = writeScopeOf(selected, request);
  await using preparedWorkspace = await openPreparedWorkspace(provider, request, {
    ...{ runtimePath: runtime.folder, environment: options.environment, openFolder, confineFolder, signal },
    ...{ scope, allowGitPush, stateFolder, credential: prepared.credential },
  });
  const { environment, isConfined, checkout, remotes } = preparedWorkspace;
  // In a fresh checkout, writes are not watched while the command runs. The changes are read afterwards.
  const scoped = withWriteScope(environment, scope, { isWatched: !isConfined && checkout === undefined });
  const end: CommandEnd = await runCommand({
    ...{ environment: scoped.environment, line, masker, signal, onDiagnostic: options.onDiagnostic },
    keys: provider.redacted_metadata_keys,
    ...limits,
    stdin: `${JSON.stringify(withRoot(request, checkout?.folder))}\n`,
    env: taskVariables(runtime, provider, { secrets, allowGitPush, budgetSeat, remotes }),
  });
  const outcome = await outcomeOf(end, { ...prepared, limits, provider, environment });
  const delivered =
    checkout === undefined || stateFolder === undefined
      ? { outcome, outside: scoped.violations() }
      : await deliverChanges(outcome, { checkout, environment, request, scope, stateFolder, openFolder });
  const isWatched = scope.scope !== "workspace" && !isConfined;
  return withViolations(delivered.outcome, { paths: delivered.outside, isPartial: scoped.isPartial(), isWatched });
}

/** Returns a request whose workspace is the checkout. */
function withRoot(request: TaskRequest, root: string | undefined): TaskRequest {
  return root === undefined ? request : { ...request, workspace: { ...request.workspace, root } };
}

interface Ended extends Prepared {
  readonly limits: CommandLimits;
  readonly provider: ExecutorProvider;
  readonly environment: ExecutionEnvironment;
}

async function outcomeOf(end: CommandEnd, ended: Ended): Promise<TaskOutcome> {
  const { limits, provider, request, masker, environment } = ended;
  const text = ended.command?.emits === "text" ? textOutcome(end, request) : undefined;
  const read = text === undefined ? readOutcome(end, limits) : ({ kind: "outcome", document: text } as const);
  const settling = { provider, request, environment, masker };
  const settled = read.kind === "outcome" ? await validateOutcome(read.document, settling) : read;
  if (settled.kind === "outcome") return settled.outcome;
  const confined = await artifactsOf(read.kind === "failure" ? read.partial : undefined, environment);
  const failure = failedOutcome(request.task_id, provider.id, settled.failure);
  const diagnostics = [...failure.diagnostics, ...confined.diagnostics];
  return { ...failure, artifacts: confined.artifacts, diagnostics };
}

/** Returns the artifacts that a command reported before it was terminated. */
async function artifactsOf(
  partial: Record<string, unknown> | undefined,
  environment: ExecutionEnvironment,
): Promise<ConfinedArtifacts> {
  const declared = partial?.["artifacts"];
  if (!Array.isArray(declared)) return { artifacts: [], diagnostics: [] };
  return confineArtifacts(declared.map(projectArtifact), environment);
}

function cleaned(outcome: TaskOutcome, masker: Masker, keys: readonly string[] | undefined): TaskOutcome {
  return redactOutcome(masker.maskData(outcome), keys) ?? { ...outcome, diagnostics: [] };
}

function writeScopeOf({ provider }: SelectedProvider, request: TaskRequest): WriteScope {
  const { write_scope: scope = "workspace", artifact_paths: paths = [] } = provider.workspace_materialization ?? {};
  const declared = (request.artifact_declarations ?? []).flatMap(({ path }) => path ?? []);
  const folder = request.artifacts_path === undefined ? [] : [request.artifacts_path];
  return { scope, paths: [...paths, ...declared, ...folder] };
}

interface Violations {
  readonly paths: readonly string[];
  readonly isPartial: boolean;
  readonly isWatched: boolean;
}

/**
 * Changes a successful outcome to a policy failure if the command wrote outside the declared scope. Adds a diagnostic
 * if such writes could not be prevented.
 */
function withViolations(outcome: TaskOutcome, { paths, isPartial, isWatched }: Violations): TaskOutcome {
  const partial = isPartial ? "; the workspace is too large to be watched as a whole" : "";
  const unseen = { class: DIAGNOSTIC_CLASSES.write_scope_watched, message: `${NOT_PREVENTED}${partial}.` };
  const noted = isWatched ? [...outcome.diagnostics, unseen] : outcome.diagnostics;
  if (paths.length === 0) return { ...outcome, diagnostics: noted };
  const message = `The command wrote outside of its scope: ${paths.slice(0, 20).join(", ")}${partial}.`;
  const diagnostics = [...noted, { class: DIAGNOSTIC_CLASSES.write_scope, message, data: { paths } }];
  const claims = outcome.status === "succeeded" || outcome.status === "no_op";
  if (!claims) return { ...outcome, diagnostics };
  const failure = { status: "failed", failure_classification: "policy_denied", retryable: false } as const;
  return { ...outcome, ...failure, diagnostics };
}

const NOT_PREVENTED = "Writes outside of the declared scope could be noticed here, not prevented";

interface CommandLimits {
  readonly timeoutMs: number;
  readonly livenessMs?: number | undefined;
  readonly maxOutputChars: number;
}

function limitsOf({ limits = {} }: TaskRequest, now: () => number): CommandLimits {
  const { timeout_ms: timeout, max_runtime_ms: runtime, execution_deadline_unix_ms: deadline } = limits;
  const remainingMs = deadline === undefined ? undefined : Math.max(1, deadline - now());
  const set = [timeout, runtime, remainingMs].filter((value) => value !== undefined && value > 0);
  const timeoutMs = Math.min(...set.flatMap((value) => value ?? []), MAX_TIMER_MS);
  const { liveness_timeout_ms: livenessMs, max_output_bytes: bytes = TASK_LIMITS.max_output_bytes } = limits;
  return {
    timeoutMs: Math.ceil(set.length === 0 ? TASK_LIMITS.timeout_ms : timeoutMs),
    ...(livenessMs === undefined || livenessMs === 0 ? {} : { livenessMs }),
    maxOutputChars: Math.max(1, Math.min(bytes, TASK_LIMITS.max_output_bytes)),
  };
}

/** Maximum delay that a JavaScript timer supports, about 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Failure classification for each error code of a rejected request. */
const REFUSALS: Readonly<Record<string, readonly [FailureClassification, keyof typeof DIAGNOSTIC_CLASSES]>> = {
  "runtime.request_invalid": ["invalid_input", "request"],
  "runtime.capability_missing": ["capability_missing", "request"],
  "runtime.secret_missing": ["invalid_input", "secret"],
  "workspace.not_found": ["invalid_input", "request"],
  "workspace.not_a_directory": ["invalid_input", "request"],
};

/**
 * Converts an error to a failure. If the request was rejected, the task has failed; otherwise the provider has failed.
 */
function failureOf(error: unknown): HostFailure {
  const code = EngineError.is(error) ? error.code : "";
  const fault = code === "run.store_failed" ? "transient" : "provider";
  const [classification, kind] = REFUSALS[code] ?? ([fault, "setup"] as const);
  const summary = messageOf(error);
  const status = Object.hasOwn(REFUSALS, code) ? "failed" : "provider_error";
  const diagnostics = [
    { class: DIAGNOSTIC_CLASSES[kind], message: summary, ...(code === "" ? {} : { data: { code } }) },
  ];
  return { status, classification, summary, diagnostics };
}
