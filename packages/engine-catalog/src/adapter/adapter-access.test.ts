import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openAdapterAccess } from "./adapter-access.ts";
import { loadBundledAdapter } from "./adapters.ts";

const ANTHROPIC = { ANTHROPIC_API_KEY: "a-key-0123456789" };
const OPENAI = { OPENAI_API_KEY: "a-key-0123456789" };

test.each([
  { name: "claude-code", env: ANTHROPIC, direct: true, cause: "switched_off" },
  { name: "claude-code", env: {}, cause: "no_key" },
  { name: "codex", env: OPENAI, cause: "stored_login" },
  { name: "opencode", env: ANTHROPIC, cause: "not_redirectable" },
  { name: "kiro", env: {}, cause: "not_redirectable" },
  { name: "claude-code", env: ANTHROPIC, cause: undefined },
])("why $name calls models directly: $cause", async ({ name, env, direct, cause }) => {
  const home = await mkdtemp(join(tmpdir(), "switchyard-adapter-access-"));
  onTestFinished(() => rm(home, { recursive: true }));
  await mkdir(join(home, ".codex"));
  await writeFile(join(home, ".codex/auth.json"), "{}");
  const kind = await loadBundledAdapter(name);
  const access = await openAdapterAccess(kind, { direct, block: {}, env: { ...env, HOME: home } });
  expect(access.directCause).toBe(cause);
  expect(access.description.startsWith(cause === undefined ? "gateway" : "direct (")).toBe(true);
});
