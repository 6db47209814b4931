import type { ContractCase } from "../contract/contract-case.ts";
import { defineContract } from "../contract/define-contract.ts";
import { type BoardFactory, openBoardSubject } from "./board-subject.ts";
import { channelCases } from "./channel-cases.ts";
import { listCases } from "./list-cases.ts";
import { refusalCases } from "./refusal-cases.ts";
import { snapshotCases } from "./snapshot-cases.ts";
import { variableCases } from "./variable-cases.ts";

/**
 * Conformance cases for boards (the state of a run in memory): copying, snapshots, channels, rejected values. See
 * engine: Board.
 */
export const boardContract: readonly ContractCase<BoardFactory>[] = defineContract(openBoardSubject, [
  ...channelCases,
  ...variableCases,
  ...listCases,
  ...refusalCases,
  ...snapshotCases,
]);
