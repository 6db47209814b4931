import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { acpKinds } from "@switchyard/adapter-acp";
import { claudeCode } from "@switchyard/adapter-claude-code";
import { codex } from "@switchyard/adapter-codex";
import { copilot } from "@switchyard/adapter-copilot";
import { examineAgent } from "@switchyard/adapter-kit";
import { opencode } from "@switchyard/adapter-opencode";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { secret } from "@switchyard/secrets";
import { expect, onTestFinished, test } from "vitest";

const KINDS = [claudeCode, codex, copilot, opencode, ...acpKinds];

/** Creates a home folder with files, and a simulated program that only supports `--version`. */
async function openHome(program: string, files: readonly string[]) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "switchyard-authentication-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const path = join(root, "bin", program);
  await mkdir(dirname(path));
  await writeFile(path, '#!/bin/sh\n[ $# = 1 ] && [ "$1" = --version ] && echo "agent 1.2.3" && exit 0\nexit 2\n');
  await chmod(path, 0o755);
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), "{}");
  }
  const home = await openLocalEnvironment({ root, env: { PATH: `${dirname(path)}:/usr/bin:/bin`, HOME: root } });
  onTestFinished(() => home[Symbol.asyncDispose]());
  return home;
}

test.each([
  { name: "claude-code", program: "claude", variable: "CLAUDE_CODE_OAUTH_TOKEN", file: ".claude/.credentials.json" },
  { name: "codex", program: "codex", variable: "CODEX_API_KEY", file: ".codex/auth.json" },
  { name: "copilot", program: "copilot", variable: "GH_TOKEN", file: undefined },
  { name: "opencode", program: "opencode", variable: "OPENROUTER_API_KEY", file: ".local/share/opencode/auth.json" },
  { name: "acp:gemini", program: "gemini", variable: "GEMINI_API_KEY", file: ".gemini/oauth_creds.json" },
  { name: "acp:opencode", program: "opencode", variable: "OPENAI_API_KEY", file: ".local/share/opencode/auth.json" },
  { name: "acp:codex-acp", program: "codex-acp", variable: "OPENAI_API_KEY", file: ".codex/auth.json" },
  { name: "acp:copilot", program: "copilot", variable: "GITHUB_TOKEN", file: undefined },
])(
  "$name: reports its version and how the user is logged in, without asking a model [adapter-capabilities-1]",
  async ({ name, program, variable, file }) => {
    const kind = KINDS.find((one) => one.kind === name);
    if (kind === undefined) throw new Error(`there is no adapter ${name}`);
    const empty = await openHome(program, []);
    const variables = { [variable]: secret("a-value-that-is-never-shown") };
    const byKey = await examineAgent(kind, { home: empty, variables });
    expect(byKey).toMatchObject({
      isInstalled: true,
      version: "1.2.3",
      ok: true,
      authentication: { state: "yes", by: variable },
    });
    expect(JSON.stringify(byKey)).not.toContain("never-shown");
    const unknown = await examineAgent(kind, { home: empty });
    expect(unknown).toMatchObject({
      authentication: { state: "unknown" },
      fixes: [expect.stringContaining("If it is not authenticated")],
    });
    if (file === undefined) return;
    const byFile = await examineAgent(kind, { home: await openHome(program, [file]) });
    expect(byFile).toMatchObject({ authentication: { state: "yes", by: `~/${file}` }, fixes: [] });
  },
);
