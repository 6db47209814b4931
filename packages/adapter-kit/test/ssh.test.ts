import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSshEnvironment } from "@switchyard/environment/ssh";
import { secret } from "@switchyard/secrets";
import { expect, test } from "vitest";
import { acme } from "./acme.ts";
import { WORKS } from "./run-acme.ts";

const PROGRAM = fileURLToPath(new URL("../../../fixtures/scripted-agent/scripted-agent.mjs", import.meta.url));
const DIALECT = fileURLToPath(new URL("./contract/acme-dialect.mjs", import.meta.url));
const KEY = "the-key-of-nobody-0123456789";

/**
 * A client that records its arguments and runs its last argument as a command on this machine, as the other machine's
 * shell would.
 */
const CLIENT = (log: string): string => `#!/bin/sh
printf '%s\\n' "$*" >> "${log}"
for command in "$@"; do :; done
exec /bin/sh -c "$command"
`;

test("over SSH an adapter works through the environment, and its credentials are in no argument [adapter-ssh-1]", async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "switchyard-adapter-")));
  const [root, client, log] = [join(folder, "workspace"), join(folder, "client"), join(folder, "asked")];
  await mkdir(root);
  await writeFile(client, CLIENT(log));
  await chmod(client, 0o755);
  await writeFile(join(folder, "script.json"), JSON.stringify([{ steps: WORKS }]));
  const hostEnv = { PATH: process.env["PATH"], HOME: folder };
  const environment = await openSshEnvironment({ host: "elsewhere", workingDirectory: root, hostEnv, client });
  const command = [process.execPath, PROGRAM, DIALECT, folder];
  const adapter = acme.create({ command }, { variables: { ACME_API_KEY: secret(KEY) } });
  const session = await adapter.startSession({ environment, workspacePath: root });
  const result = await adapter.runTurn(session, { prompt: "Do it.", onEvent: () => undefined });
  await adapter.stopSession(session);
  await environment[Symbol.asyncDispose]();
  expect(result).toMatchObject({ exitReason: "turn_completed", finalMessage: "Done." });
  expect(environment.name).toBe("ssh:elsewhere");
  const received = JSON.parse(await readFile(join(folder, "received.jsonl"), "utf8"));
  expect(received).toMatchObject({ prompt: "Do it.", cwd: root, env: { ACME_API_KEY: KEY } });
  const logged = await readFile(log, "utf8");
  expect(logged).toContain("BatchMode=yes");
  expect(logged).not.toContain(KEY);
  await rm(folder, { recursive: true, force: true });
});
