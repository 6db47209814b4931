import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { engineConfigJsonSchema, loadEngineConfig } from "../index.ts";

const PUBLISHED = new URL("../../json-schemas/engine-config.schema.json", import.meta.url);
const SAMPLES = new URL("../../test/engine-configs/", import.meta.url);

const validate = new Ajv2020({ allErrors: true }).compile(engineConfigJsonSchema());

test("the published schema is the one that is used; `pnpm schemas:update` writes it", () => {
  expect(JSON.parse(readFileSync(PUBLISHED, "utf8"))).toEqual(engineConfigJsonSchema());
});

function isLoadable(document: unknown): boolean {
  const env = { HOW: "local", REVIEW_AGENT_BIN: "agent", CUSTOM_AGENT_ENDPOINT: "http://127.0.0.1:8080" };
  try {
    loadEngineConfig(document, { env, builtIn: ["agent"] });
    return true;
  } catch {
    return false;
  }
}

test.each(readdirSync(SAMPLES))("%s is valid or invalid alike for the schema and the reader", (name) => {
  const document: unknown = JSON.parse(readFileSync(new URL(name, SAMPLES), "utf8"));
  const isValid = name.startsWith("valid");
  expect([validate(document), isLoadable(document)]).toEqual([isValid, isValid]);
});
