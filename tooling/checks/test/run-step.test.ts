import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const SCRIPT = join(import.meta.dirname, "../../../scripts/run-step.mjs");

/** Runs a step in a process without a terminal. */
function step(code: string): { stdout: string; stderr: string } {
  const program = `const { runStep } = await import(${JSON.stringify(SCRIPT)});
    await runStep("Building the command", [process.execPath, "-e", ${JSON.stringify(code)}], { cwd: "." })
      .then(() => console.log("resolved"), (error) => console.log(error.message));`;
  return spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
}

test("a step says what it does when it starts and how long it took, without the output of its command", () => {
  const { stdout, stderr } = step("console.log('much output')");
  expect(stderr).toMatch(/^Building the command…\nBuilding the command: done in \d+ s\n$/);
  expect(stdout).toBe("resolved\n");
});

test("a step that fails says so with the output of its command", () => {
  const { stdout, stderr } = step("console.log('it broke'); process.exit(3)");
  expect(stderr).toBe("Building the command…\n");
  expect(stdout).toBe("Building the command failed with exit code 3:\nit broke\n");
});
