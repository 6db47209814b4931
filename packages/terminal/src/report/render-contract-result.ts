import { neutraliseControls, plural, type TextOutput } from "@switchyard/terminal";
import type { ContractReport, ContractResult } from "@switchyard/testkit";
import { createColors } from "picocolors";

/**
 * Renders the result of one conformance test case: status, id and requirements. Adds the title of a failed case, and
 * the problem of a failed or skipped case.
 */
export function renderResult(
  { status, id, requirement, title, problem = "" }: ContractResult,
  output: TextOutput,
): string {
  const colours = createColors(output.hasColour);
  const marks = { passed: colours.green("passed "), failed: colours.red("FAILED "), skipped: colours.dim("skipped") };
  const line = `  ${marks[status]} ${id.padEnd(34)} ${colours.dim(requirement.join(", "))}`.trimEnd();
  const oneLine = neutraliseControls(problem).replace(/\s+/g, " ").trim();
  if (status === "failed") return `${line}\n          ${title}\n          ${oneLine}\n`;
  return status === "skipped" ? `${line}\n          ${colours.dim(oneLine)}\n` : `${line}\n`;
}

/** Renders a summary of the results, one sentence for each contract. */
export function renderSummary(reports: readonly ContractReport[]): string {
  const lines = reports.map(({ name, results }) => {
    const count = (status: ContractResult["status"]): number => results.filter((one) => one.status === status).length;
    const parts = [`${count("passed")} passed`, `${count("failed")} failed`, `${count("skipped")} skipped`];
    return `${name}: ${plural(results.length, "case")}, ${parts.join(", ")}.`;
  });
  return `${lines.join("\n")}\n`;
}
