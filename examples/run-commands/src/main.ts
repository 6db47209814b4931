// Runs commands in a confined environment, with time limits and without secrets.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";

const root = await mkdtemp(join(tmpdir(), "run-commands-"));
try {
  const env = { PATH: process.env["PATH"], HOME: root, ACME_API_KEY: "not-for-tools" };
  await using environment = await openLocalEnvironment({ root, env });

  await environment.writeFile("src/greeting.txt", "hello\nworld\n");
  assert.equal(await environment.readFile("src/greeting.txt", { offset: 2, limit: 1 }), "world\n");
  assert.deepEqual(await environment.glob("**/*.txt"), ["src/greeting.txt"]);
  const { matches } = await environment.grep("^wor");
  assert.equal(matches[0]?.path, "src/greeting.txt");

  const shown = await environment.shell('echo "$HOME"; echo "key: [$ACME_API_KEY]"');
  assert.equal(shown.stdout, `${root}\nkey: []\n`);

  // The command starts a child process that would run for a minute; at the time limit, both are ended.
  const late = await environment.shell("sleep 60 & wait", { timeoutMs: 200 });
  assert.equal(late.timedOut, true);

  await assert.rejects(environment.readFile("/etc/passwd"), (error) =>
    EngineError.is(error, "environment.path_outside_workspace"),
  );
  console.log(shown.stdout);
} finally {
  await rm(root, { recursive: true, force: true });
}
