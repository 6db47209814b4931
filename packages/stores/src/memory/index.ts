// Exports for tests: in-memory implementations of the store contracts.
export type { MemoryCheckpointStore } from "./create-memory-checkpoint-store.ts";
export { createMemoryCheckpointStore } from "./create-memory-checkpoint-store.ts";
export type { MemoryStoreOptions } from "./create-memory-store.ts";
export { createMemoryStore } from "./create-memory-store.ts";
