import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openAdapterAccess } from "./adapter-access.ts";
import { loadBundledAdapter } from "./adapters.ts";

const ANTHROPIC = { ANTHROPIC_API_KEY: "a-key-0123456789" };
const OPENAI = { OPENAI_API_KEY: "a-key-0123456789" };

/** Credentials file. */
const FILE = "anthropic: a-key-0123456789";

test.each([
  { name: "claude-code", env: ANTHROPIC, direct: true, cause: "switched_off" },
  { name: "claude-code", env: {}, cause: "no_key" },
  { name: "codex", env: OPENAI, cause: "stored_login" },
  { name: "codex", env: OPENAI, environment: "local", cause: "stored_login" },
  // These environments do not contain the home folder with the login.
  { name: "codex", env: OPENAI, environment: "sandbox", cause: undefined },
  { name: "codex", env: OPENAI, environment: "docker:node:22", cause: undefined },
  { name: "codex", env: {}, environment: "docker:node:22", cause: "no_key" },
  { name: "opencode", env: ANTHROPIC, cause: "not_redirectable" },
  { name: "kiro", env: {}, cause: "not_redirectable" },
  { name: "claude-code", env: ANTHROPIC, cause: undefined },
  { name: "claude-code", env: {}, credentials: FILE, cause: undefined },
  { name: "codex", env: {}, credentials: FILE, environment: "sandbox", cause: "no_key" },
])("why $name calls models directly in $environment with $env $credentials: $cause", async (row) => {
  const { name, env, direct, cause, environment, credentials } = row;
  const home = await mkdtemp(join(tmpdir(), "switchyard-adapter-access-"));
  onTestFinished(() => rm(home, { recursive: true }));
  await mkdir(join(home, ".codex"));
  await writeFile(join(home, ".codex/auth.json"), "{}");
  const credentialsFile = join(home, "credentials.yaml");
  if (credentials !== undefined) await writeFile(credentialsFile, credentials, { mode: 0o600 });
  const kind = await loadBundledAdapter(name);
  const options = { env: { ...env, HOME: home }, credentialsFile, environment, direct };
  const access = await openAdapterAccess(kind, { block: {}, ...options });
  expect(access.directCause).toBe(cause);
  expect(access.description.startsWith(cause === undefined ? "gateway" : "direct (")).toBe(true);
});
