// @ts-check
import { parse } from "yaml";

/**
 * @typedef {{ id: string, section: string, level: "MUST" | "SHOULD", text: string, package: string, sameAs: string[] }} Requirement
 */

/**
 * One file of spec/. `isEnforced` returns whether a package's uncited MUSTs are failures.
 * @typedef {{ name: string, requirements: Requirement[], isEnforced: (owner: string) => boolean }} Specification
 */

/**
 * Parses a file of spec/. Throws if it does not have the format in spec/README.md.
 * @param {string} file
 * @param {string} text
 * @returns {Specification}
 */
export function readSpecification(file, text) {
  const {
    specification,
    prefix,
    package: owner,
    enforced,
    enforced_packages: packages = [],
    requirements,
  } = parse(text);
  for (const [field, value] of Object.entries({ specification, prefix, package: owner })) {
    if (typeof value !== "string") throw new Error(`spec/${file}: ${field} is missing.`);
  }
  if (!Array.isArray(requirements)) throw new Error(`spec/${file}: requirements is not a list.`);
  return {
    name: specification,
    requirements: requirements.map((entry) => readRequirement(entry, { file, prefix, owner })),
    isEnforced: (name) => enforced === true || packages.includes(name),
  };
}

/**
 * @param {Record<string, unknown>} entry
 * @param {{ file: string, prefix: string, owner: string }} context
 * @returns {Requirement}
 */
function readRequirement(entry, { file, prefix, owner }) {
  const { id, section, level, text, package: packageName = owner, same_as: sameAs = [] } = entry;
  if (typeof id !== "string" || !id.startsWith(`${prefix}-`)) throw new Error(`spec/${file}: bad id ${String(id)}.`);
  if (level !== "MUST" && level !== "SHOULD") throw new Error(`spec/${file}: ${id} has no level.`);
  if (typeof text !== "string" || typeof section !== "string" || typeof packageName !== "string") {
    throw new Error(`spec/${file}: ${id} is incomplete.`);
  }
  if (!Array.isArray(sameAs)) throw new Error(`spec/${file}: same_as of ${id} is not a list.`);
  return { id, section, level, text, package: packageName, sameAs };
}
