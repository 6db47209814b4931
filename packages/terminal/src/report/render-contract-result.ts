import picocolors from "picocolors";
import type { TextOutput } from "../streams/terminal.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";
import { plural } from "../text/plural.ts";

/** Result of one conformance test case, as `@switchyard/testkit` reports it. */
export interface ContractCase {
  /** Outcome of the case. `skipped`: the case does not apply to the implementation. */
  readonly status: "passed" | "failed" | "skipped";
  /** Id of the case. */
  readonly id: string;
  /** Requirements that the case proves. */
  readonly requirement: readonly string[];
  /** Title as a sentence. */
  readonly title: string;
  /** Problem, or reason for skipping, as a sentence. */
  readonly problem?: string | undefined;
}

/**
 * Renders the result of one conformance test case: status, id and requirements. Adds the title of a failed case, and
 * the problem of a failed or skipped case.
 */
export function renderContractResult(
  { status, id, requirement, title, problem = "" }: ContractCase,
  output: Pick<TextOutput, "hasColour">,
): string {
  const colours = picocolors.createColors(output.hasColour);
  const marks = { passed: colours.green("passed "), failed: colours.red("FAILED "), skipped: colours.dim("skipped") };
  const line = `  ${marks[status]} ${id.padEnd(34)} ${colours.dim(requirement.join(", "))}`.trimEnd();
  const oneLine = neutraliseControls(problem).replace(/\s+/g, " ").trim();
  if (status === "failed") return `${line}\n          ${title}\n          ${oneLine}\n`;
  return status === "skipped" ? `${line}\n          ${colours.dim(oneLine)}\n` : `${line}\n`;
}

/** Renders a summary of the results, one sentence for each contract. */
export function renderContractSummary(
  reports: readonly { readonly name: string; readonly results: readonly Pick<ContractCase, "status">[] }[],
): string {
  const lines = reports.map(({ name, results }) => {
    const count = (status: ContractCase["status"]): number => results.filter((one) => one.status === status).length;
    const parts = [`${count("passed")} passed`, `${count("failed")} failed`, `${count("skipped")} skipped`];
    return `${name}: ${plural(results.length, "case")}, ${parts.join(", ")}.`;
  });
  return `${lines.join("\n")}\n`;
}
