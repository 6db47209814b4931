import { randomBytes } from "node:crypto";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, type RunRecord, type RunRequest } from "@switchyard/contracts";
import { sealRunRequest } from "../../codec/run-documents.ts";
import { sealDocument } from "../../codec/sealed-text.ts";
import { assertSafeFolder } from "../disk/assert-safe-folder.ts";
import { makeFolders } from "../disk/make-folders.ts";
import { systemCodeOf, toStoreFailure } from "../disk/store-failure.ts";
import { writeNewFile } from "../disk/write-new-file.ts";
import type { AcquiredLease } from "../lease/held-lease.ts";
import { leasePath } from "../lease/lease-name.ts";
import { NEW_PREFIX, RUN_FILES } from "./run-layout.ts";
import { runPath, type StoreContext } from "./store-context.ts";

const FIRST_EPOCH = 1;
/** System error codes of a failed rename that mean that the target already exists. */
const EXISTS_CODES: readonly (string | undefined)[] = ["ENOTEMPTY", "EEXIST", "ENOTDIR", "EPERM"];

function conflict(runId: string, cause?: unknown): EngineError {
  return new EngineError("run.conflict", { runId }, { cause });
}

async function fillFolder(
  context: StoreContext,
  folder: string,
  run: { record: RunRecord; request: RunRequest },
): Promise<void> {
  const { files, owner } = context;
  await files.makeFolder(folder);
  await files.makeFolder(leasePath(folder, { epoch: FIRST_EPOCH, token: owner.token, isTaking: false }));
  await writeNewFile(files, join(folder, RUN_FILES.request), sealRunRequest(run.record.run_id, run.request));
  await writeNewFile(files, join(folder, RUN_FILES.record), sealDocument(run.record));
  await writeNewFile(files, join(folder, RUN_FILES.events), "");
  await files.syncFolder(folder);
}

/**
 * Creates a new run: its folder, including the lease, is created under a temporary name and then renamed. After a
 * crash, the run therefore exists completely or not at all. Rejects with `run.conflict`, `run.invalid_id` or
 * `run.store_failed`. See durability promise D1.
 */
export async function createRunFolder(
  context: StoreContext,
  record: RunRecord,
  request: RunRequest,
): Promise<AcquiredLease> {
  const { files, runs, owner } = context;
  const runId = record.run_id;
  const folder = runPath(context, runId);
  const newFolder = join(runs, `${NEW_PREFIX}${owner.token}-${randomBytes(6).toString("hex")}`);
  await assertSafeFolder({ ...context, content: context.runs });
  try {
    await makeFolders(files, runs);
    const found = await lstat(folder).catch(() => undefined);
    if (found !== undefined) throw conflict(runId);
    await fillFolder(context, newFolder, { record, request });
    await files.rename(newFolder, folder).catch((error: unknown) => {
      throw EXISTS_CODES.includes(systemCodeOf(error)) ? conflict(runId, error) : error;
    });
  } catch (error) {
    await files.removeTree(newFolder).catch(() => undefined);
    throw toStoreFailure(error, folder);
  }
  await files.syncFolder(runs).catch(async (error: unknown) => {
    // Creating the run has failed. Its folder is removed, so that the run id can be used again.
    await files.rename(folder, newFolder).catch(() => undefined);
    await files.removeTree(newFolder).catch(() => undefined);
    throw toStoreFailure(error, folder);
  });
  return { runId, epoch: FIRST_EPOCH, folder };
}
