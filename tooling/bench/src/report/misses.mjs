// @ts-check
import { MINIMUM_SHARE } from "./attributions.mjs";

/** @import { Figure } from "../figure/figure.mjs" */
/** @import { Attribution } from "./attributions.mjs" */

/** Returns the attribution of a missed figure, if it explains enough of the gap. @param {Figure} figure @param {readonly Attribution[]} attributions */
export function attributionOf({ name, target }, attributions) {
  const id = target?.id ?? name;
  return attributions.find((attribution) => attribution.target === id && attribution.share >= MINIMUM_SHARE);
}

/**
 * Returns the figures that miss their target, and those of them that no profile attributes to a dependency.
 * @param {readonly { figures: readonly Figure[] }[]} sections
 * @param {readonly Attribution[]} attributions
 */
export function missesOf(sections, attributions) {
  const missed = sections.flatMap(({ figures }) => figures.filter(({ met }) => met === false));
  return { missed, unattributed: missed.filter((figure) => attributionOf(figure, attributions) === undefined) };
}
