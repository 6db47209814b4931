import type { EvalCase } from "./eval-suite.ts";
import { type Field, fail } from "./field.ts";

/** Adds a problem for each rule whose turn number is greater than the number of turns in the case's conversation. */
export function checkTurnNumbers(
  field: Field,
  { turns, isOpenEnded, assertions }: Pick<EvalCase, "turns" | "isOpenEnded" | "assertions">,
): void {
  if (turns === undefined || isOpenEnded === true) return;
  const count = turns.length === 1 ? "1 turn" : `${turns.length} turns`;
  for (const assertion of assertions) {
    if (assertion.kind !== "rule" || !("turn" in assertion.rule)) continue;
    const { name, turn = 0 } = assertion.rule;
    if (turn > turns.length) fail(field, `has the rule ${name} about turn ${turn}, and the case has ${count}`);
  }
}
