import { groupName } from "../page/charts.ts";
import { attributesOf, escapeXml } from "../results/render-junit.ts";
import type { GateProblem, GroupComparison, ResultsComparison } from "./results-comparison.ts";

/** Names of the checks that decide whether new results are accepted. */
const CHECKS: Readonly<Record<GateProblem["kind"], string>> = {
  pass_rate: "pass rate",
  cost: "cost",
  time: "time",
  missing_cases: "same cases",
};

/**
 * Renders a comparison as JUnit XML for CI: one test suite per engine and variant, one test for each check that decides
 * whether the new results are accepted. Cost and duration have no test if they have no limit.
 */
export function renderComparisonJunit(comparison: ResultsComparison): string {
  const { problems, groups, current, checks: kinds } = comparison;
  const suites = groups.map((group) => {
    const own = problems.filter(
      ({ group: { engine, variant } }) => engine === group.current.engine && variant === group.current.variant,
    );
    const name = groupName(group.current);
    const tests = kinds.map((kind) =>
      renderCheck(
        own.filter((problem) => problem.kind === kind),
        { kind, group, name },
      ),
    );
    const attributes = attributesOf({ name, tests: kinds.length, failures: failuresOf(own), errors: 0, skipped: 0 });
    return `  <testsuite${attributes}>\n${tests.join("")}  </testsuite>\n`;
  });
  const tests = groups.length * kinds.length;
  const failures = groups.length === 0 ? 0 : problems.length;
  const attributes = attributesOf({ name: `${current.name} gate`, tests, failures, errors: 0, skipped: 0 });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes}>\n${suites.join("")}</testsuites>\n`;
}

function failuresOf(problems: readonly GateProblem[]): number {
  return new Set(problems.map(({ kind }) => kind)).size;
}

function renderCheck(
  problems: readonly GateProblem[],
  { kind, group, name }: { kind: GateProblem["kind"]; group: GroupComparison; name: string },
): string {
  const attributes = attributesOf({ name: CHECKS[kind], classname: name });
  const failures = problems.map(
    ({ message }) => `      <failure${attributesOf({ message })}>${escapeXml(casesOf(kind, group))}</failure>\n`,
  );
  return `    <testcase${attributes}>\n${failures.join("")}    </testcase>\n`;
}

/** Lists the cases that explain a failure. */
function casesOf(kind: GateProblem["kind"], { changes, missing_cases }: GroupComparison): string {
  if (kind === "missing_cases") return missing_cases.join("\n");
  if (kind !== "pass_rate") return "";
  return changes
    .filter(({ change }) => change === "regressed")
    .map(
      ({ case_id, base, current }) =>
        `${case_id}: ${base.passed} of ${base.runs} passed, now ${current.passed} of ${current.runs}`,
    )
    .join("\n");
}
