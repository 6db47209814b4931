import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EngineError, type Envelope } from "@switchyard/contracts";
import { onTestFinished } from "vitest";

/** A folder of the test's own. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "stores-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The error that a promise rejects with. */
export async function refusalOf(promise: Promise<unknown>): Promise<EngineError> {
  const error = await promise.then(
    () => new Error("nothing was refused"),
    (reason: unknown) => reason,
  );
  if (EngineError.is(error)) return error;
  throw error;
}

/** The code of the error that a promise rejects with. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return (await refusalOf(promise)).code;
}

/** All that an iteration gives. */
export async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** The numbers of events. */
export async function seqsOf(events: AsyncIterable<Envelope>): Promise<(number | undefined)[]> {
  return (await listOf(events)).map(({ seq }) => seq);
}
