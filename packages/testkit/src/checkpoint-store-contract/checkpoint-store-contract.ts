import type { ContractCase } from "../contract/contract-case.ts";
import { defineContract } from "../contract/define-contract.ts";
import { type CheckpointStoreFactory, openCheckpointStoreSubject } from "./checkpoint-store-subject.ts";
import { savingCases } from "./saving-cases.ts";
import { sharingCases } from "./sharing-cases.ts";

/**
 * Conformance cases for checkpoint stores. A store must return the newest complete checkpoint or an error, never older
 * or damaged data. See engine: CheckpointStore.
 */
export const checkpointStoreContract: readonly ContractCase<CheckpointStoreFactory>[] = defineContract(
  openCheckpointStoreSubject,
  [...savingCases, ...sharingCases],
);
