// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./repository.mjs";

/** Ids of the vendors' models. */
const MODEL = /\b(?:claude-[a-z]+|gpt|gemini|o)-?\d(?:[\w.-]*\w)?/g;

/**
 * Returns the default models of the catalog, which documents use in their examples.
 * @returns {string[]}
 */
export function defaultModels() {
  const { defaults } = JSON.parse(readFileSync(join(ROOT, "packages/llm/src/catalog/models.json"), "utf8"));
  return Object.values(defaults).map(String);
}

/**
 * Returns the models in a document that are not default models. Documents grow old otherwise: readers copy the models of
 * examples.
 * @param {string} document path, for the problems
 * @param {string} text
 * @param {readonly string[]} allowed
 * @returns {string[]} problems
 */
export function outdatedModels(document, text, allowed) {
  return text
    .split("\n")
    .flatMap((line, index) =>
      [...line.matchAll(MODEL)]
        .filter(([model]) => !allowed.includes(model))
        .map(
          ([model]) => `${document}:${index + 1}: ${model} is not a default model. Use one of ${allowed.join(", ")}.`,
        ),
    );
}
