import type { ContractCase } from "./contract-case.ts";
import { describeProblem } from "./describe-problem.ts";

/** Result of one case. */
export interface ContractResult {
  /** Id of the case. */
  readonly id: string;
  /** Requirements that the conformance case proves. */
  readonly requirement: readonly string[];
  /** Title as a sentence. */
  readonly title: string;
  /** Outcome of the conformance case. `skipped`: the case does not apply to the implementation. */
  readonly status: "passed" | "failed" | "skipped";
  /** Problem, or reason for skipping, as a sentence. */
  readonly problem?: string | undefined;
  /** Thrown error. */
  readonly error?: unknown;
  /** Duration in milliseconds. */
  readonly durationMs: number;
}

/** Options for running the test cases of a contract. */
export interface RunContractOptions {
  /** Time limit of one conformance case, in milliseconds. Default: 4,000, or 30,000 for environments and transports. */
  readonly timeoutMs?: number | undefined;
  /** Called with the result of each conformance case as soon as the case has ended. */
  readonly onResult?: ((result: ContractResult) => void) | undefined;
  /** Signal after which no further case is started. Remaining cases are skipped. */
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

/**
 * Runs the conformance cases of a contract one after another, regardless of failures. Never rejects. See engine:
 * enginetest.
 */
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
