// Compares three engines on one case with `switchyard eval`: the built-in agent with a scripted model, a custom
// script, and a simulated agent's command. The example needs no network.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { startScriptedModel } from "./scripted-model.ts";

const EXAMPLE = fileURLToPath(new URL("..", import.meta.url));
const COMMAND = join(dirname(createRequire(import.meta.url).resolve("@switchyard/cli/package.json")), "dist/bin.cjs");

const output = await mkdtemp(join(tmpdir(), "compare-engines-"));
const { baseUrl, server } = await startScriptedModel();
try {
  await using environment = await openLocalEnvironment({ root: EXAMPLE, env: process.env });
  const words = [
    "eval",
    "eval.yaml",
    "--model",
    "anthropic/scripted",
    "--base-url",
    baseUrl,
    "--output",
    join(output, "results"),
  ];
  const variables = {
    PATH: `${join(EXAMPLE, "bin")}${delimiter}${process.env["PATH"]}`,
    // The commands simulate real ones, and the key is not a real key.
    ANTHROPIC_API_KEY: "no-key-of-anybody",
    SUMMING_SCRIPT: join(EXAMPLE, "bin/summing-script.mjs"),
  };
  const run = await environment.exec([process.execPath, COMMAND, ...words], {
    env: { policy: "core", set: variables },
    timeoutMs: 120_000,
  });
  console.log(run.stdout);
  assert.equal(run.exitCode, 0, run.stderr);

  const results: { counts: unknown; trials: { engine: string; outcome: string }[] } = JSON.parse(
    await readFile(join(output, "results/results.json"), "utf8"),
  );
  assert.deepEqual(
    results.trials.map(({ engine, outcome }) => [engine, outcome]),
    [
      ["agent", "PASS"],
      ["summing-script", "PASS"],
      ["agent-command", "PASS"],
    ],
  );
} finally {
  server.close();
  await rm(output, { recursive: true, force: true });
}
