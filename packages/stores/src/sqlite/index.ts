export type { Liveness, Owner } from "@switchyard/process-owner";
export type { FlushMode } from "../flush/flush-scheduler.ts";
export type { SleepOptions, StoreTimer } from "../owner/store-timer.ts";
export type { SqliteCheckpointStore, SqliteCheckpointStoreOptions } from "./open-sqlite-checkpoint-store.ts";
export { openSqliteCheckpointStore } from "./open-sqlite-checkpoint-store.ts";
export type { SqliteStoreOptions } from "./open-sqlite-store.ts";
export { openSqliteStore } from "./open-sqlite-store.ts";
