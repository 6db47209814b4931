// @ts-check
// Compares packages/contracts/json-schemas with the zod schemas, and validates the examples in fixtures/schemas.
// `--update` writes the schemas.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { jsonSchemas } from "@switchyard/contracts/schemas";
import { reportOutcome } from "@switchyard/suite/result-line";
import { Ajv2020 } from "ajv/dist/2020.js";
import { compareGenerated } from "./reference/generated-files.mjs";
import { filesBelow, ROOT } from "./repository.mjs";

const schemas = jsonSchemas();
const folder = "packages/contracts/json-schemas";
const files = Object.entries(schemas).map(([name, schema]) => ({
  path: `${folder}/${name}.schema.json`,
  text: `${JSON.stringify(schema, null, 2)}\n`,
}));
const stale = filesBelow(join(ROOT, folder), (path) => !(path.replace(/\.schema\.json$/, "") in schemas));
const examples = filesBelow(join(ROOT, "fixtures/schemas"), (path) => path.endsWith(".json"));
const update = process.argv.includes("--update");
const problems = [
  ...compareGenerated(files, { root: ROOT, update, command: "pnpm schemas:update" }),
  ...stale.map((path) => `${folder}/${path} belongs to no schema. Delete it.`),
  ...examples.flatMap(validateExample),
];
reportOutcome({ problems, passed: Math.max(0, files.length + examples.length - problems.length) });

/**
 * Validates an example: fixtures/schemas/<schema>/valid-*.json must be valid, all others invalid.
 * @param {string} path
 * @returns {string[]}
 */
function validateExample(path) {
  const [name = "", file = ""] = path.split("/");
  const schema = schemas[name];
  if (typeof schema !== "object" || schema === null) return [`fixtures/schemas/${path}: there is no schema "${name}".`];
  const validate = new Ajv2020({ allErrors: true }).compile(schema);
  const isValid = validate(JSON.parse(readFileSync(join(ROOT, "fixtures/schemas", path), "utf8")));
  if (isValid === file.startsWith("valid")) return [];
  const why = isValid ? "validates, and should not" : JSON.stringify(validate.errors);
  return [`fixtures/schemas/${path}: ${why}`];
}
