// @ts-check
import { cellsOf, print, printTarget } from "../figure/print-figures.mjs";
import { attributionOf, missesOf } from "./misses.mjs";

/** @import { Figure } from "../figure/figure.mjs" */
/** @import { Attribution } from "./attributions.mjs" */
/** @import { Results, StoredSection } from "./results.mjs" */

/**
 * What the page is made from.
 * @typedef {object} PageSources
 * @property {Results} results
 * @property {Readonly<Record<string, { atMost: number, what: string }>>} targets
 * @property {readonly Attribution[]} attributions
 */

/** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
function table(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** @param {Results} results */
function sectionsOf({ areas }) {
  return Object.entries(areas).flatMap(([area, sections]) => sections.map((section) => ({ area, ...section })));
}

/** @param {Figure | undefined} figure @param {readonly Attribution[]} attributions */
function verdictOf(figure, attributions) {
  if (figure === undefined) return "not measured";
  if (figure.met === true) return "met";
  const attribution = attributionOf(figure, attributions);
  return attribution === undefined ? "**missed**" : "missed, [attributed](#missed-targets)";
}

/** @param {PageSources} sources */
function targetRows({ results, targets, attributions }) {
  const figures = sectionsOf(results).flatMap(({ figures: measured }) => measured);
  return Object.entries(targets).map(([id, { atMost, what }]) => {
    const figure = figures.find(({ target }) => target?.id === id);
    const measured = figure === undefined ? "" : print(figure.ratio ?? figure.ours);
    return [what, printTarget({ atMost }), measured, verdictOf(figure, attributions)];
  });
}

/** @param {PageSources} sources */
function missRows({ results, attributions }) {
  return sectionsOf(results).flatMap(({ area, section, figures }) =>
    missesOf([{ figures }], attributions).missed.map((figure) => {
      const attribution = attributionOf(figure, attributions);
      const reason =
        attribution === undefined
          ? "not attributed"
          : `[${Math.round(attribution.share * 100)} % of the gap: ${attribution.dependency}](${attribution.profile})`;
      const { name, target, ratio, ours } = figure;
      return [`\`${area} ${section}\``, name, printTarget(target), print(ratio ?? ours), reason];
    }),
  );
}

/** @param {StoredSection & { area: string }} section */
function renderSection({ section, title, date, node, processors, load, figures }) {
  const head = ["Figure", "Switchyard", "Compared with", "Ratio", "Smallest and largest ratio", "Target", "", "Note"];
  return `### ${title} (${section})

Measured on ${date} with Node.js ${node} on ${processors} processors; load average at the end of the section: ${load}.

${table(head, figures.map(cellsOf))}`;
}

/** Returns the page `docs/reference/performance.md`. @param {PageSources} sources */
export function renderPage(sources) {
  const { results } = sources;
  const misses = missRows(sources);
  const areas = Object.entries(results.areas).map(
    ([area, sections]) =>
      `## ${area}\n\n\`pnpm bench ${area}\` measured the sections of this chapter.\n\n${sections.map((section) => renderSection({ area, ...section })).join("\n\n")}`,
  );
  return `<!-- Written by \`pnpm docs:update\` from tooling/bench/results.json. -->

# Performance

Each figure on this page compares Switchyard with another program or with a lower bound. Both were measured in the same run, alternately,
so the ratio hardly depends on the machine. Absolute times depend on the machine and on other programs that use it.

\`pnpm bench all --json tooling/bench/results.json\` repeats the measurements, and \`pnpm docs:update\` writes this page.
\`pnpm bench all --strict\` exits with 1 if a target is missed, unless a profile attributes at least 80 % of the gap to a dependency. The
[README of the benchmarks](../../tooling/bench/README.md) says what each section measures.

## Targets

A session is used as the README of \`@switchyard/agent\` shows it, with tools created for each session. A run is started as the README of
\`@switchyard/runner\` shows it.

${table(["What is limited", "Target", "Measured", "Result"], targetRows(sources))}

## Missed targets

${misses.length === 0 ? "All measured targets are met." : table(["Benchmark", "Figure", "Target", "Measured", "Attribution"], misses)}

${areas.join("\n\n")}
`;
}
