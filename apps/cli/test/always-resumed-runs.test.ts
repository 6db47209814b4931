import { describe } from "vitest";

describe("each run in fresh processes, one for every answer of the model [D9]", async () => {
  process.env["SWITCHYARD_ALWAYS_RESUME"] = "1";
  await import("./run.test.ts");
  await import("./run-output.test.ts");
});
