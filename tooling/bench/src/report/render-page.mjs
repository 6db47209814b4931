// @ts-check
import { verdictOf } from "../figure/figure.mjs";
import { cellsOf, print, printSpread, printTarget, printVerdict } from "../figure/print-figures.mjs";
import { SECTION_NAMES } from "../section-names.mjs";
import { describeParts } from "./gap-parts.mjs";
import { attributionOf } from "./misses.mjs";

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
function resultOf(figure, attributions) {
  if (figure === undefined) return "not measured";
  if (verdictOf(figure) !== "missed") return printVerdict(figure);
  const attribution = attributionOf(figure, attributions);
  return attribution === undefined ? "**missed**" : "missed, [attributed](#missed-and-undecided-targets)";
}

/** @param {PageSources} sources */
function targetRows({ results, targets, attributions }) {
  const figures = sectionsOf(results).flatMap(({ figures: measured }) => measured);
  return Object.entries(targets).map(([id, { atMost, what }]) => {
    const figure = figures.find(({ target }) => target?.id === id);
    const measured = figure === undefined ? "" : print(figure.ratio ?? figure.ours);
    return [what, printTarget({ atMost }), measured, resultOf(figure, attributions)];
  });
}

/** @param {Figure} figure */
function isMissedOrUndecided(figure) {
  const verdict = verdictOf(figure);
  return verdict === "missed" || verdict === "undecided";
}

/**
 * Returns what causes the gap of a figure: a dependency, or the parts in a stored profile if no dependency causes enough.
 * @param {Figure} figure
 * @param {readonly Attribution[]} attributions
 * @param {readonly StoredSection[]} sections of the same area
 */
function reasonOf(figure, attributions, sections) {
  const attribution = attributionOf(figure, attributions);
  if (attribution !== undefined) {
    const { share, dependency, profile } = attribution;
    return `[${Math.round(share * 100)} % of the gap: ${dependency}](${profile})`;
  }
  if (figure.met === true) return "";
  const profile = sections.find(({ explains }) => explains === figure.name);
  if (profile === undefined) return "not attributed";
  return `no dependency causes enough: [${describeParts(profile.figures)}](#${anchorOf(headingOf(profile))})`;
}

/** @param {PageSources} sources */
function missRows({ results, attributions }) {
  return sectionsOf(results).flatMap(({ area, section, figures }) =>
    figures.filter(isMissedOrUndecided).map((figure) => {
      const reason = reasonOf(figure, attributions, results.areas[area] ?? []);
      const { name, target, ratio, ours } = figure;
      return [
        `\`${area} ${section}\``,
        name,
        printTarget(target),
        print(ratio ?? ours),
        printSpread(figure),
        printVerdict(figure),
        reason,
      ];
    }),
  );
}

/** Returns a row for each area of which sections have no stored figures. @param {Results} results */
function unmeasuredRows({ areas }) {
  return Object.entries(SECTION_NAMES).flatMap(([area, names]) => {
    const measured = (areas[area] ?? []).map(({ section }) => section);
    const missing = names.filter((name) => !measured.includes(name));
    return missing.length === 0 ? [] : [[`\`${area}\``, missing.map((name) => `\`${name}\``).join(", ")]];
  });
}

/** @param {StoredSection} section */
function headingOf({ section, title }) {
  return `${title} (${section})`;
}

/** Returns the anchor of a heading, as GitHub creates it. @param {string} heading */
function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");
}

/** @param {StoredSection & { area: string }} stored */
function renderSection(stored) {
  const { date, node, processors, load, commit, figures } = stored;
  const head = ["Figure", "Switchyard", "Compared with", "Ratio", "Smallest and largest ratio", "Target", "", "Note"];
  return `### ${headingOf(stored)}

Measured on ${date} with Node.js ${node} on ${processors} processors. Commit: ${commit ?? "not recorded"}. Load average
of the machine at the end of this measurement: ${load}.

${table(head, figures.map(cellsOf))}`;
}

/** Columns of the table of missed and undecided targets. */
const MISS_COLUMNS = [
  "Benchmark",
  "Figure",
  "Target",
  "Measured",
  "Smallest and largest ratio",
  "Result",
  "Attribution",
];

/** Returns the page `docs/reference/performance.md`. @param {PageSources} sources */
export function renderPage(sources) {
  const { results } = sources;
  const misses = missRows(sources);
  const unmeasured = unmeasuredRows(results);
  const areas = Object.entries(results.areas).map(
    ([area, sections]) =>
      `## ${area}\n\n\`pnpm bench ${area}\` measured the sections of this chapter.\n\n${sections.map((section) => renderSection({ area, ...section })).join("\n\n")}`,
  );
  return `<!-- Written by \`pnpm docs:update\` from tooling/bench/results.json. -->

# Performance

Most figures on this page compare Switchyard with another program or with a lower bound. Both were measured in the same run, alternately.
Some figures compare two measurements of the same program, for example a round of a long session with a round of a short session. A figure without a value in the
column "Compared with" is not compared with anything.

The columns "Switchyard" and "Compared with" contain medians of all repetitions. "Ratio" is the median of the ratios of the repetitions, so
this median can differ from the quotient of the two other columns. A target limits the ratio, or the figure itself if there is no ratio. The
result of a target is "undecided" if the smallest and the largest ratio are on different sides of the target.

Times and ratios depend on the machine and on other programs that use it at the same time. With a load average above the number of
processors, repetitions differ much. If the smallest ratio is below 1 and the largest is above 1, the repetitions do not show which of the
two programs needs less.

\`pnpm bench all --json tooling/bench/results.json\` repeats the measurements, and \`pnpm docs:update\` writes this page.
\`pnpm bench all --strict\` exits with 1 if the median of a figure misses its target, unless a profile attributes at least 80 % of the gap to
a dependency. The [README of the benchmarks](../../tooling/bench/README.md) says what each section measures.

## Sections without figures

${unmeasured.length === 0 ? "All sections were measured." : `The file \`tooling/bench/results.json\` has no figures of the benchmarks in this table, so this page does not show whether they meet\ntheir targets:\n\n${table(["Area", "Sections"], unmeasured)}`}

## Targets

A session is used as the README of \`@switchyard/agent\` shows it, with tools created for each session. A run is started as the README of
\`@switchyard/runner\` shows it.

${table(["What is limited", "Target", "Measured", "Result"], targetRows(sources))}

## Missed and undecided targets

Only sections with stored figures are listed.

${misses.length === 0 ? "All measured targets are met." : table(MISS_COLUMNS, misses)}

${areas.join("\n\n")}
`;
}
