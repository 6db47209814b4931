import assert from "node:assert/strict";
import { type EngineError, type ErrorClass, findEngineError, hasErrorClass, messageOf } from "@switchyard/contracts";

const TURNS = 12;
const WAIT_MS = 2_000;

/** Returns the outcome of a call: its value, or its synchronous or asynchronous error. */
export async function outcomeOf<T>(call: () => T | Promise<T>): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await call() };
  } catch (error) {
    return { error };
  }
}

/** Asserts that a call throws or rejects with an error of the given class. Returns the error. */
export async function assertRefused(
  call: () => unknown,
  errorClass: ErrorClass | readonly ErrorClass[],
  label: string,
): Promise<EngineError> {
  const outcome = await outcomeOf(async () => call());
  if (!("error" in outcome)) assert.fail(`${label} was not rejected.`);
  return assertClass(outcome.error, errorClass, label);
}

/** Asserts that a value is an error of the given class. Returns the error. */
export function assertClass(
  error: unknown,
  errorClass: ErrorClass | readonly ErrorClass[],
  label: string,
): EngineError {
  const expected = typeof errorClass === "string" ? [errorClass] : errorClass;
  const found = findEngineError(error);
  if (found === undefined) {
    assert.fail(
      `${label}: expected an error of class ${expected.join(" or ")}, got an unclassified one: ${messageOf(error)}`,
    );
  }
  if (!expected.some((one) => hasErrorClass(error, one))) {
    assert.fail(`${label}: expected class ${expected.join(" or ")}, got ${found.class} (${found.code}).`);
  }
  return found;
}

/** Waits until all callbacks that are ready to run have run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Resolves with whether a promise is still pending after all callbacks that are ready to run have run. */
export async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  const over = (): void => {
    pending = false;
  };
  promise.then(over, over);
  await settle();
  return pending;
}

/** Waits until a condition is true. Fails on timeout. */
export async function becomes(condition: () => boolean, label: string): Promise<void> {
  const until = performance.now() + WAIT_MS;
  while (!condition()) {
    if (performance.now() > until) assert.fail(`${label} did not happen within ${WAIT_MS} ms.`);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** Waits for a promise. Fails on timeout. */
export async function settles<T>(promise: Promise<T>, label: string): Promise<T> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  promise.then(over, over);
  await becomes(() => isOver, label);
  return promise;
}
