// Public API for hosts: runs and checkpoints in files.

export type { StoreLocation } from "./disk/assert-safe-folder.ts";
export { assertSafeFolder } from "./disk/assert-safe-folder.ts";
export type { FileCheckpointStore, FileCheckpointStoreOptions } from "./open-file-checkpoint-store.ts";
export { openFileCheckpointStore } from "./open-file-checkpoint-store.ts";
export type { FileStoreOptions } from "./open-file-store.ts";
export { openFileStore } from "./open-file-store.ts";
export { RUN_FILES, RUNS_FOLDER } from "./run/run-layout.ts";

// Exports for fault tests: owner, clock and disk operations.

export type { Liveness, Owner } from "@switchyard/process-owner";
export type { FlushMode } from "../flush/flush-scheduler.ts";
export type { SleepOptions, StoreTimer } from "../owner/store-timer.ts";
export type { FileOperation } from "./disk/observe-files.ts";
export { observeFiles } from "./disk/observe-files.ts";
export type { StoreFile, StoreFiles } from "./disk/store-files.ts";
export { NODE_FILES } from "./disk/store-files.ts";
