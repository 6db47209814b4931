import { createHash } from "node:crypto";
import { type Board, type BoardKey, boardKey } from "@switchyard/contracts";
import type { ApprovalPolicy } from "../approval/approval-policy.ts";
import type { AllowedCalls } from "../approval/create-approval-policy.ts";
import { isRecord } from "../checkpoint/is-part.ts";

/** Calls that a user allowed for the session. They remain allowed only in this run and under these approval rules. */
interface StoredAllowances {
  readonly run: string;
  readonly rules: string;
  readonly calls: readonly string[];
}

/**
 * Key of the calls that a user allowed for the session, on the run's board (shared run state). Included in checkpoints.
 */
export const AGENT_ALLOWED: BoardKey<StoredAllowances> = boardKey("__agent_allowed");

function digestOf({ rules, otherwise, workspace }: ApprovalPolicy): string {
  return createHash("sha256").update(JSON.stringify({ rules, otherwise, workspace })).digest("hex");
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/**
 * Stores the calls that a user allowed for the session on the board (shared run state), so that the user is not asked
 * again after a crash. An allowed call is valid only for the same run with the same approval rules: forks and runs
 * resumed with other rules ask again. See durability promise D9.
 */
export class BoardAllowances implements AllowedCalls {
  readonly #board: Board;
  readonly #run: string;
  readonly #rules: string;

  /** Creates a store for the calls that the user allowed in a run under an approval policy. */
  constructor(board: Board, run: string, policy: ApprovalPolicy) {
    this.#board = board;
    this.#run = run;
    this.#rules = digestOf(policy);
  }

  has(name: string): boolean {
    return this.#calls().includes(name);
  }

  add(name: string): void {
    this.#board.set(AGENT_ALLOWED, { run: this.#run, rules: this.#rules, calls: [...this.#calls(), name] });
  }

  #calls(): readonly string[] {
    // The stored value is untrusted, because it may come from a checkpoint in an external store.
    const stored: unknown = this.#board.get(AGENT_ALLOWED);
    if (!isRecord(stored) || stored["run"] !== this.#run || stored["rules"] !== this.#rules) return [];
    return isTextList(stored["calls"]) ? stored["calls"] : [];
  }
}
