import {
  ATTRIBUTE,
  DEPENDENCY,
  type Engine,
  EngineError,
  type Envelope,
  type Host,
  isExecutionEnvironment,
  isSharedModelBudget,
  type Run,
  SESSION_INPUT,
  SESSION_RESULT,
} from "@switchyard/contracts";
import {
  attributeOf,
  createEnvelope,
  defineEngine,
  errorOfSignal,
  getDependency,
  interruptedError,
  watchInterrupts,
} from "@switchyard/engine";
import { TASK_LIMITS } from "../contract/provider-defaults.ts";
import { executeTask } from "../execution/execute-task.ts";
import { NO_SEAT } from "../execution/task-variables.ts";
import { assertReady, checkReadiness } from "../readiness/check-readiness.ts";
import type { SecretValues } from "../secrets/secret-plan.ts";
import type { SelectedProvider } from "../selection/runtime-registry.ts";
import type { TaskOutcome } from "../task/task-outcome.ts";
import type { ConfineFolder, OpenFolder } from "../workspace/prepared-workspace.ts";
import { toSessionResult } from "./to-session-result.ts";
import { toTaskRequest } from "./to-task-request.ts";
import { usageOf } from "./usage-of.ts";

/** Options for `createRuntimeEngine`. */
export interface RuntimeEngineOptions {
  /** Provider whose command executes the tasks, as returned by the registry's `select`. */
  readonly selected: SelectedProvider;
  /** Function that opens an environment for a folder on the machine that runs the commands. */
  readonly openFolder: OpenFolder;
  /**
   * Function that opens a folder in which the provider's write scope is enforced and git push is blocked. See
   * `ExecuteTaskOptions`.
   */
  readonly confineFolder?: ConfineFolder | undefined;
  /** Values of available secrets, by variable name. */
  readonly secrets?: SecretValues | undefined;
  /** Environment variables of the host, for readiness checks. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Settings of the provider. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** True if the command may use git push. Default: false. */
  readonly allowGitPush?: boolean | undefined;
  /** Returns the time, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Function that returns an id for each event of the engine. Default: random ids. */
  readonly createId?: (() => string) | undefined;
}

/**
 * Creates an engine from a runtime package. A session is converted to a task request, and the task's outcome to the
 * session's result. The provider's readiness checks run first. A failed task becomes a result with exit code 1. If the
 * provider returns no outcome, execution rejects with `runtime.*`, and the engine stores a result with the known data.
 * See agent-runtime-package: provider command contract.
 */
export function createRuntimeEngine(options: RuntimeEngineOptions): Engine {
  const { selected, now = Date.now, createId = () => crypto.randomUUID() } = options;
  const { runtime, provider } = selected;
  return defineEngine(
    async (run, host, board) => {
      const environment = getDependency(run.deps, DEPENDENCY.environment, isExecutionEnvironment);
      const input = board.get(SESSION_INPUT);
      if (input === undefined) {
        const problem = "it is missing";
        throw new EngineError("input.invalid", { path: "of the session", expected: "SessionInput", problem });
      }
      const started = performance.now();
      const { secrets, env, allowGitPush, openFolder, confineFolder } = options;
      assertReady(runtime, await checkReadiness(runtime, provider, { environment, secrets, env }));
      const attempt = run.resume?.attempt ?? 1;
      const marks = { runId: run.id, actor: attributeOf(run, ATTRIBUTE.agentId) || runtime.id, attempt, now, createId };
      const request = toTaskRequest(input, {
        ...{ taskId: run.id, workspace: environment.workingDirectory, selected, config: options.config },
      });
      await publishQuietly(host, createEnvelope("user_input", { content: request.instructions }, marks));
      using interrupts = watchInterrupts(run.signal, host.interrupts());
      const budget = run.deps.has(DEPENDENCY.sharedBudget)
        ? getDependency(run.deps, DEPENDENCY.sharedBudget, isSharedModelBudget)
        : undefined;
      const outcome = await executeTask(request, {
        ...{ selected, openFolder, confineFolder, environment, secrets, allowGitPush, now },
        ...{ signal: interrupts.signal, budgetSeat: budget?.seat ?? NO_SEAT },
      });
      board.set(SESSION_RESULT, toSessionResult(outcome, runtime.id, performance.now() - started));
      await publishQuietly(host, createEnvelope("assistant_text_end", { content: outcome.summary }, marks));
      const usage = usageOf(outcome);
      if (usage !== undefined) {
        await publishQuietly(host, createEnvelope("usage_reported", { usage }, marks));
        await host.reportUsage(usage);
      }
      if (interrupts.interrupt !== undefined) throw interruptedError(interrupts.interrupt);
      throwUnfinished(outcome, run, request.limits?.timeout_ms ?? TASK_LIMITS.timeout_ms);
    },
    { name: runtime.id, requiredDependencies: [DEPENDENCY.environment], now, createId },
  );
}

/** Publishes an event. Errors are ignored here, because the host records failures itself. */
async function publishQuietly(host: Host, envelope: Envelope): Promise<void> {
  await host.publish(envelope).catch(() => undefined);
}

/** Throws if the provider returned no outcome. */
function throwUnfinished({ status, summary }: TaskOutcome, run: Run, timeoutMs: number): void {
  if (run.signal.aborted) throw errorOfSignal(run.signal);
  if (status === "provider_error") throw new EngineError("runtime.command_failed", { problem: summary });
  if (status === "timeout") throw new EngineError("runtime.timeout", { timeoutMs });
}
