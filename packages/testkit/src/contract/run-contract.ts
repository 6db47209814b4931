import type { ContractCase } from "./contract-case.ts";
import { describeProblem } from "./describe-problem.ts";

/** How one case ended. */
export interface ContractResult {
  /** Name of the case. */
  readonly id: string;
  /** What it proves. */
  readonly requirement: readonly string[];
  /** The promise as one sentence. */
  readonly title: string;
  /** Whether the promise is kept, broken, or of no concern to this implementation. */
  readonly status: "passed" | "failed" | "skipped";
  /** What is wrong, or why the case was left out; one sentence. */
  readonly problem?: string | undefined;
  /** What was thrown. */
  readonly error?: unknown;
  /** Milliseconds it took. */
  readonly durationMs: number;
}

/** How a contract is run. */
export interface RunContractOptions {
  /** Milliseconds that one case may take, at most; 4,000 by default, of environments and transports 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Told of each result as soon as it is there. */
  readonly onResult?: ((result: ContractResult) => void) | undefined;
  /** Leaves out the cases that have not begun when it fires. */
  readonly signal?: AbortSignal | undefined;
}

async function runCase<Factory>(
  one: ContractCase<Factory>,
  factory: Factory,
  { timeoutMs }: RunContractOptions,
): Promise<ContractResult> {
  const { id, title } = one;
  const requirement = typeof one.requirement === "string" ? [one.requirement] : one.requirement;
  const began = performance.now();
  const ended = (outcome: Pick<ContractResult, "status" | "problem" | "error">): ContractResult => {
    return { id, requirement, title, ...outcome, durationMs: performance.now() - began };
  };
  let reason: string | undefined;
  try {
    const onSkip = (why: string): void => {
      reason = why;
    };
    await one.run(factory, { timeoutMs, onSkip });
  } catch (error) {
    return ended({ status: "failed", problem: describeProblem(error), error });
  }
  return reason === undefined ? ended({ status: "passed" }) : ended({ status: "skipped", problem: reason });
}

/** Runs the cases of a contract one after another, whatever becomes of them. Never rejects. engine: enginetest. */
export async function runContract<Factory>(
  cases: readonly ContractCase<Factory>[],
  factory: Factory,
  options: RunContractOptions = {},
): Promise<readonly ContractResult[]> {
  const results: ContractResult[] = [];
  for (const one of cases) {
    if (options.signal?.aborted) break;
    const result = await runCase(one, factory, options);
    results.push(result);
    options.onResult?.(result);
  }
  return results;
}
