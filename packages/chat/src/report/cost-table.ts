import { addUsage, NO_USAGE } from "@switchyard/contracts";
import { cutToWidth, formatCost, formatTokens, renderTable } from "@switchyard/terminal";
import type { PastTurn } from "../conversation/conversation.ts";

/** Renders tokens and cost of each turn and of all turns together. Empty if there are no turns. */
export function costTable(turns: readonly PastTurn[], columns: number): string[] {
  if (turns.length === 0) return [];
  const total = turns.reduce((sum, { report }) => addUsage(sum, report.usage), NO_USAGE);
  const rows = turns.map(({ report }, index) => [
    `${index + 1}`,
    report.model ?? report.engine,
    formatTokens(report.usage),
    formatCost(report.usage),
  ]);
  const all = ["Total", "", formatTokens(total), formatCost(total)];
  return renderTable([["TURN", "MODEL", "TOKENS", "COST"], ...rows, all]).map((line) => cutToWidth(line, columns - 1));
}
