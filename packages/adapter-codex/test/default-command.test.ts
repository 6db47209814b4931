import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { expect, test } from "vitest";
import { codex } from "../src/index.ts";
import { runEngine } from "./run-engine.ts";

const FAKE = fileURLToPath(new URL("./fake-codex.mjs", import.meta.url));

test("the default command is the program codex with the argument app-server [adapter-codex-2]", async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "switchyard-codex-")));
  const [root, bin, log] = [join(folder, "workspace"), join(folder, "bin"), join(folder, "asked.jsonl")];
  for (const made of [root, bin]) await mkdir(made);
  await writeFile(join(bin, "codex"), `#!/bin/sh\nexec "${process.execPath}" "${FAKE}" "${log}" tool "$@"\n`);
  await chmod(join(bin, "codex"), 0o755);
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"]}` };
  const environment = await openLocalEnvironment({ root, env });
  const { error } = await runEngine("Do it.", { environment, config: {} });
  expect(error).toBeUndefined();
  const [first = "{}"] = (await readFile(log, "utf8")).split("\n");
  expect(JSON.parse(first)).toMatchObject({ args: ["app-server"] });
  await environment[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test("model calls go to OpenAI, and can be redirected", () => {
  expect(codex.modelRoute?.({})).toEqual({ provider: "openai", apis: ["openai-responses"] });
});
