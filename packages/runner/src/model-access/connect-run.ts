import {
  DEPENDENCY,
  EngineError,
  isModelBudgetSource,
  isSecretSink,
  isSharedModelBudget,
  type RemainingModelBudget,
  type Run,
  type SharedModelBudget,
} from "@switchyard/contracts";
import { getDependency, type ModelAccess, type ModelAccessRequest } from "@switchyard/engine";
import type { GatewayRun, GatewayRunOptions, ModelGatewayEvent } from "@switchyard/gateway";
import { createAccessReporter } from "./access-reporter.ts";
import type { GatewayLease } from "./gateway-pool.ts";
import { recorderOf } from "./recorder-of.ts";

/** What a run may do at the gateway. */
export interface ConnectionOptions extends Pick<GatewayRunOptions, "models" | "fallbacks" | "replay"> {
  /** Receives the events of the run's requests, in addition to the host of the run. Must not throw. */
  readonly onEvent?: ((event: ModelGatewayEvent) => void) | undefined;
}

/** A run that is connected to a gateway. */
interface ConnectedRun {
  /** Access of the run's engine to models. */
  readonly access: ModelAccess;
  /** The run, as the gateway knows it. */
  readonly gatewayRun: GatewayRun;
}

/**
 * Connects a run to a gateway, and releases the gateway when the access is closed or the run is cancelled. Model calls
 * are recorded if the host of the run records them, unless they are replayed. Rejects with `gateway.unreachable` if the
 * run's environment cannot reach the gateway. The run must not start then: without the gateway, the engine would call
 * models with the real API key.
 */
export async function connectRun(
  { gateway, release }: GatewayLease,
  { run, host, environment }: ModelAccessRequest,
  { replay, onEvent, ...allowed }: ConnectionOptions,
): Promise<ConnectedRun> {
  const [budget, sharedBudget] = [budgetOf(run), sharedBudgetOf(run)];
  const reporter = createAccessReporter({ run, host, budget, sharedBudget });
  const handle = (event: ModelGatewayEvent): void => {
    reporter.handle(event);
    onEvent?.(event);
  };
  const options = { runId: run.id, environment, ...allowed, budget, sharedBudget, replay, ...recordingOf(run, replay) };
  const gatewayRun = await gateway.openRun({ ...options, onEvent: handle }).catch((cause: unknown) => {
    if (!EngineError.is(cause, "environment.unavailable")) throw cause;
    const { environment: name, problem } = cause.details;
    throw new EngineError("gateway.unreachable", { environment: name, problem }, { cause });
  });
  const { baseUrl, token } = gatewayRun;
  if (run.deps.has(DEPENDENCY.secretSink)) {
    getDependency(run.deps, DEPENDENCY.secretSink, isSecretSink).add(token.reveal());
  }
  const close = async (): Promise<void> => {
    await gatewayRun.close().finally(release);
    await reporter.settled();
  };
  // Cancellation closes the run's connection, because a cancelled engine may never end its work.
  const cancel = (): void => void close().catch(() => undefined);
  if (run.signal.aborted) cancel();
  else run.signal.addEventListener("abort", cancel, { once: true });
  const access = {
    ...{ baseUrl, token, measuresUsage: true, signal: reporter.signal, measuredUsage: reporter.measuredUsage },
    close: async () => {
      run.signal.removeEventListener("abort", cancel);
      await close();
    },
  };
  return { access, gatewayRun };
}

/** Returns the options that record the model calls of a run, without the secrets that the run's host knows. */
function recordingOf(run: Run, replay: ConnectionOptions["replay"]): Pick<GatewayRunOptions, "record" | "masker"> {
  const recorder = recorderOf(run);
  if (recorder === undefined) return {};
  const masker = { mask: (text: string): string => recorder.maskData(text) };
  return replay === undefined ? { masker, record: { write: (line) => recorder.write(line) } } : { masker };
}

function budgetOf({ deps }: Run): RemainingModelBudget | undefined {
  if (!deps.has(DEPENDENCY.modelBudget)) return undefined;
  return getDependency(deps, DEPENDENCY.modelBudget, isModelBudgetSource).remaining();
}

function sharedBudgetOf({ deps }: Run): SharedModelBudget | undefined {
  if (!deps.has(DEPENDENCY.sharedBudget)) return undefined;
  return getDependency(deps, DEPENDENCY.sharedBudget, isSharedModelBudget);
}
