// @ts-check

/** @import { Citation } from "./citations.mjs" */
/** @import { Requirement, Specification } from "./specification.mjs" */

/**
 * @typedef {{ specification: Specification, musts: number, uncited: Requirement[] }} Coverage
 */

/**
 * Returns the coverage of MUSTs, and problems: unknown ids, and uncited MUSTs that are enforced.
 * @param {readonly Specification[]} specifications
 * @param {readonly Citation[]} citations
 * @returns {{ coverages: Coverage[], problems: string[] }}
 */
export function judgeCoverage(specifications, citations) {
  const requirements = specifications.flatMap((specification) => specification.requirements);
  const known = new Set(requirements.map(({ id }) => id));
  const cited = withTwins(new Set(citations.map(({ id }) => id)), requirements);
  const coverages = specifications.map((specification) => {
    const musts = specification.requirements.filter(({ level }) => level === "MUST");
    return { specification, musts: musts.length, uncited: musts.filter(({ id }) => !cited.has(id)) };
  });
  const missing = coverages.flatMap(({ specification, uncited }) =>
    uncited.filter((requirement) => specification.isEnforced(requirement.package)),
  );
  const dangling = requirements.flatMap(({ id, sameAs }) =>
    sameAs.filter((twin) => !known.has(twin)).map((twin) => ({ id, twin })),
  );
  return {
    coverages,
    problems: [
      ...citations
        .filter(({ id }) => !known.has(id))
        .map(({ id, place }) => `${place} cites ${id}, which spec/ does not know.`),
      ...dangling.map(({ id, twin }) => `${id} is the same as ${twin}, which spec/ does not know.`),
      ...missing.map(({ id, text }) => `No test cites ${id}: ${text}`),
    ],
  };
}

/**
 * Adds equivalent entries, which count for each other.
 * @param {ReadonlySet<string>} cited
 * @param {readonly Requirement[]} requirements
 * @returns {ReadonlySet<string>}
 */
function withTwins(cited, requirements) {
  const all = new Set(cited);
  for (const { id, sameAs } of requirements) {
    if (sameAs.some((twin) => cited.has(twin))) all.add(id);
    if (cited.has(id)) for (const twin of sameAs) all.add(twin);
  }
  return all;
}

/**
 * Renders the report of uncited MUSTs.
 * @param {readonly Coverage[]} coverages
 * @returns {string}
 */
export function renderCoverage(coverages) {
  const sections = coverages.map(({ specification, musts, uncited }) => {
    const heading = `## ${specification.name}: ${musts - uncited.length} of ${musts} MUSTs cited`;
    const lines = uncited.map(({ id, package: owner, text }) => `- ${id} (${owner}): ${text}`);
    return [heading, "", ...lines, ""].join("\n");
  });
  return ["# Requirements without a test", "", ...sections].join("\n");
}
