import type { Board, BoardSnapshot } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";

/** Creates a board (the state of a run in memory): empty, or from a snapshot. */
export type BoardFactory = (snapshot?: BoardSnapshot) => Eventually<Board>;

/** Boards for the cases. */
export interface BoardSubject {
  /** Creates another board. */
  create(snapshot?: BoardSnapshot): Promise<Board>;
  /** Releases all resources. */
  dispose?(): void;
}

/** Prepares the boards (run states in memory) under test, which a factory creates. */
export async function openBoardSubject(factory: BoardFactory): Promise<BoardSubject> {
  return { create: async (snapshot) => factory(snapshot) };
}
