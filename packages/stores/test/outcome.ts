import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EngineError, type Envelope } from "@switchyard/contracts";
import { onTestFinished } from "vitest";

/** A separate folder for the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "stores-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the error with which a promise was rejected. */
export async function refusalOf(promise: Promise<unknown>): Promise<EngineError> {
  const error = await promise.then(
    () => new Error("nothing was refused"),
    (reason: unknown) => reason,
  );
  if (EngineError.is(error)) return error;
  throw error;
}

/** Returns the code of the error with which a promise was rejected. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return (await refusalOf(promise)).code;
}

/** Returns all values of an iteration. */
export async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** The numbers of events. */
export async function seqsOf(events: AsyncIterable<Envelope>): Promise<(number | undefined)[]> {
  return (await listOf(events)).map(({ seq }) => seq);
}
