// @ts-check
// Writes the published JSON Schema of engine configurations.
import { writeFileSync } from "node:fs";
import { engineConfigJsonSchema } from "@switchyard/custom-engine";

const file = new URL("../json-schemas/engine-config.schema.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(engineConfigJsonSchema(), null, 2)}\n`);
