// @ts-check
// Writes the entries of CHANGELOG.md for `changeset version`; `.changeset/config.json` names this file.

/**
 * A note of one paragraph becomes a list item; a longer one is used as it is.
 * @param {{ readonly summary: string }} changeset
 */
export async function getReleaseLine({ summary }) {
  return summary.includes("\n\n") ? `${summary}\n` : `- ${summary.replaceAll("\n", "\n  ")}`;
}

/**
 * One line for all dependencies of this repository that have a new version. First versions update nothing.
 * @param {unknown} _changesets
 * @param {readonly { readonly name: string, readonly oldVersion: string, readonly newVersion: string }[]} dependencies
 */
export async function getDependencyReleaseLine(_changesets, dependencies) {
  const updated = dependencies.filter(({ oldVersion }) => oldVersion !== "0.0.0");
  const names = updated.map(({ name, newVersion }) => `${name} ${newVersion}`);
  return names.length === 0 ? "" : `- Updated dependencies: ${names.join(", ")}`;
}
