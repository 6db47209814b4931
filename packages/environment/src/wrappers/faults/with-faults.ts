import type { ExecOptions, ExecResult, ExecutionEnvironment, OutputChunk } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { nameOfCommand } from "../call-kind.ts";
import type { EnvironmentCall } from "../wrap-environment.ts";
import { wrapEnvironment } from "../wrap-environment.ts";
import { createFaultChoice } from "./choose-faults.ts";
import { cutProcess } from "./cut-process.ts";
import type { Fault, FaultPlan } from "./fault-plan.ts";
import { createSeededRandom } from "./seeded-random.ts";
import { sleepUntil } from "./sleep-until.ts";

type Failure = Extract<Fault, { kind: "failure" }>;
type Partial = Extract<Fault, { kind: "partial" }>;

/**
 * Wraps an environment and injects the faults of a plan: calls are delayed, fail, hang or return truncated results.
 * Used to test error handling. Order of faults: latency, failure before, hang, partial, failure after. Throws
 * `environment.invalid_pattern` for an invalid glob in the plan. See loop: §4.4.
 */
export function withFaults(environment: ExecutionEnvironment, plan: FaultPlan): ExecutionEnvironment {
  const { workingDirectory, platform } = environment;
  const random = createSeededRandom(plan.seed ?? 1);
  const root = { real: workingDirectory, style: platform === "windows" ? "windows" : "posix" } as const;
  const choose = createFaultChoice(plan.rules, { root, random });
  const chosen = new WeakMap<EnvironmentCall, readonly Fault[]>();
  const closing = new AbortController();
  const sleep = plan.sleep ?? sleepUntil;
  const partOf = (call: EnvironmentCall): Partial | undefined => chosen.get(call)?.find(isPartial);
  const isHanging = (call: EnvironmentCall): boolean => chosen.get(call)?.some(({ kind }) => kind === "hang") === true;
  const untilEnded = (call: EnvironmentCall): AbortSignal =>
    call.signal === undefined ? closing.signal : AbortSignal.any([call.signal, closing.signal]);
  return wrapEnvironment(environment, {
    suffix: "faults",
    keepOpen: plan.keepOpen,
    onDispose: () => closing.abort(),
    async around(call, run) {
      // Faults are chosen before delays, so that the choice depends only on the order of calls.
      const faults = choose(call);
      chosen.set(call, faults);
      for (const fault of faults) plan.onFault?.(call, fault);
      const lateMs = latencyOf(faults, random);
      if (lateMs > 0) await sleep(lateMs, untilEnded(call)).catch(() => undefined);
      if (closing.signal.aborted) throw new EngineError("environment.closed");
      fail(
        call,
        faults.find((fault) => isFailure(fault, "before")),
      );
      if (isHanging(call) && !isRun(call)) await hang(call, untilEnded(call));
      const result = await run();
      fail(
        call,
        faults.find((fault) => isFailure(fault, "after")),
      );
      return result;
    },
    async text(call, run) {
      const text = await run();
      return text.slice(0, partOf(call)?.length);
    },
    async bytes(call, run) {
      const bytes = await run();
      return bytes.subarray(0, partOf(call)?.length);
    },
    async command(call, run) {
      if (isHanging(call)) return hangCommand(call, { ended: untilEnded(call), sleep });
      const part = partOf(call);
      const { options = {} } = call;
      return part === undefined ? run(options) : cutResult(await run(cutOutput(options, part)), part);
    },
    async spawned(call, run) {
      const part = partOf(call);
      return part === undefined ? run() : cutProcess(await run(), part.length);
    },
  });
}

function latencyOf(faults: readonly Fault[], random: () => number): number {
  let ms = 0;
  for (const fault of faults) if (fault.kind === "latency") ms += fault.ms + random() * (fault.jitterMs ?? 0);
  return ms;
}

function isFailure(fault: Fault, when: "before" | "after"): fault is Failure {
  return fault.kind === "failure" && (fault.when ?? "before") === when;
}

function isPartial(fault: Fault): fault is Partial {
  return fault.kind === "partial";
}

function isRun({ operation }: EnvironmentCall): boolean {
  return operation === "exec" || operation === "shell";
}

function fail(call: EnvironmentCall, failure: Fault | undefined): void {
  if (failure?.kind !== "failure") return;
  const about = call.command === undefined ? { path: call.paths[0] } : { command: nameOfCommand(call) };
  const problem = "it was planned to fail";
  throw new EngineError(failure.code, { ...about, operation: call.operation, problem, ...failure.details });
}

async function hang({ signal }: EnvironmentCall, ended: AbortSignal): Promise<never> {
  await whenAborted(ended);
  signal?.throwIfAborted();
  throw new EngineError("environment.closed");
}

/** Simulates a command that hangs until it is ended. Its result is that of a real command ended by SIGTERM. */
async function hangCommand(
  { options = {}, signal }: EnvironmentCall,
  { ended, sleep }: { ended: AbortSignal; sleep: NonNullable<FaultPlan["sleep"]> },
): Promise<ExecResult> {
  const startedAt = performance.now();
  const { timeoutMs = 0 } = options;
  const over = new AbortController();
  const limit = AbortSignal.any([ended, over.signal]);
  let timedOut = false;
  if (timeoutMs > 0) {
    const slept = sleep(timeoutMs, limit).catch(() => undefined);
    await Promise.race([slept, whenAborted(ended)]);
    timedOut = !ended.aborted;
    over.abort();
  } else {
    await whenAborted(ended);
  }
  const aborted = !timedOut && signal?.aborted === true;
  const durationMs = performance.now() - startedAt;
  return { stdout: "", stderr: "", exitCode: 143, signal: "SIGTERM", timedOut, aborted, durationMs, droppedBytes: 0 };
}

async function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Truncates the output that a listener receives, so that it equals the truncated output in the result. */
function cutOutput(options: ExecOptions, { length }: Partial): ExecOptions {
  const { onOutput } = options;
  if (onOutput === undefined) return options;
  const remaining = { stdout: length, stderr: length };
  return {
    ...options,
    onOutput({ stream, text }: OutputChunk) {
      const start = text.slice(0, remaining[stream]);
      remaining[stream] -= start.length;
      if (start !== "") onOutput({ stream, text: start });
    },
  };
}

function cutResult(result: ExecResult, { length, exitCode = result.exitCode }: Partial): ExecResult {
  return { ...result, exitCode, stdout: result.stdout.slice(0, length), stderr: result.stderr.slice(0, length) };
}
