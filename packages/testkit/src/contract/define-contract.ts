import assert from "node:assert/strict";
import type { CaseOptions, ContractCase } from "./contract-case.ts";

const TIMEOUT_MS = 4_000;

/** Definition of a conformance case. Its check receives a newly created implementation. */
export interface CaseBody<Subject> {
  readonly id: string;
  readonly requirement: string | readonly string[];
  readonly title: string;
  /** Rejects if the requirement is violated. */
  check(subject: Subject): Promise<void>;
}

/** An implementation that a factory created, and that may need to be disposed of. */
export interface Opened {
  readonly dispose?: (() => void | Promise<void>) | undefined;
}

/** Thrown if a conformance case does not apply to the implementation. */
class Inapplicable extends Error {}

/**
 * Skips the running conformance case, with a reason, if a condition is false. Otherwise a case that does not apply
 * would pass.
 */
export function applies(condition: unknown, reason: string): asserts condition {
  if (!condition) throw new Inapplicable(reason);
}

async function withinTime<T>(doing: Promise<T>, label: string, timeoutMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new assert.AssertionError({ message: `${label} did not end within ${timeoutMs} ms.` }));
    }, timeoutMs);
  });
  try {
    return await Promise.race([doing, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function failureOf(doing: () => Promise<unknown>): Promise<{ error: unknown } | undefined> {
  try {
    await doing();
    return undefined;
  } catch (error) {
    return { error };
  }
}

/**
 * Creates the conformance cases of a contract. Each case opens an implementation, checks it within the time limit, and
 * releases it. `usual` contains the default options.
 */
export function defineContract<Factory, Subject extends Opened>(
  open: (factory: Factory) => Promise<Subject>,
  bodies: readonly CaseBody<Subject>[],
  usual: Pick<CaseOptions, "timeoutMs"> = {},
): readonly ContractCase<Factory>[] {
  async function run(body: CaseBody<Subject>, factory: Factory, options: CaseOptions): Promise<void> {
    const { timeoutMs = usual.timeoutMs ?? TIMEOUT_MS, onSkip } = options;
    const subject = await withinTime(open(factory), "Making the implementation", timeoutMs);
    const broken = await failureOf(() => withinTime(body.check(subject), "The case", timeoutMs));
    const dispose = async (): Promise<void> => subject.dispose?.();
    const unreturned = await failureOf(() => withinTime(dispose(), "Releasing the implementation", timeoutMs));
    // If the conformance case and the release of the implementation both fail, the error of the case is reported.
    if (broken !== undefined && !(broken.error instanceof Inapplicable)) throw broken.error;
    if (unreturned !== undefined) throw unreturned.error;
    if (broken?.error instanceof Inapplicable) onSkip?.(broken.error.message);
  }

  return bodies.map((body) => ({
    id: body.id,
    requirement: body.requirement,
    title: body.title,
    run: (factory, options = {}) => run(body, factory, options),
  }));
}
