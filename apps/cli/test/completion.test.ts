import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { BIN, makeFolder, switchyard } from "./start-switchyard.ts";
import { noTmux, startOnScreen } from "./tmux.ts";

/** Installs the command in a folder on the PATH. */
async function installed(): Promise<{ PATH: string }> {
  const folder = await makeFolder();
  const file = join(folder, "switchyard");
  await writeFile(file, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`);
  await chmod(file, 0o755);
  return { PATH: `${folder}:${process.env["PATH"] ?? ""}` };
}

async function isMissing(shell: string): Promise<boolean> {
  const { failed } = await execa(shell, ["-c", "exit 0"], { reject: false });
  return failed;
}

async function complete(...words: string[]): Promise<string[]> {
  const { exitCode, stdout, stderr } = await switchyard(["complete", "--", ...words]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return stdout.split("\n").map((line) => line.replace(/\t.*$/, ""));
}

describe("complete", () => {
  test("knows commands, options and the values of options", async () => {
    expect(await complete("ru")).toEqual([":none", "run", "runs", "runtimes"]);
    expect(await complete("runs", "s")).toEqual([":none", "show"]);
    expect(await complete("run", "--max-tu")).toEqual([":none", "--max-turns"]);
    expect(await complete("run", "--approve", "on-")).toEqual([":none", "on-commands", "on-writes"]);
    expect(await complete("run", "--approve=al")).toEqual([":none", "--approve=always"]);
    expect(await complete("run", "--engine", "ag")).toEqual([":files", "agent"]);
    expect(await complete("run", "--workspace", "")).toEqual([":folders"]);
    expect(await complete("run", "--model", "anthropic/claude-sonnet-4")).toContain("anthropic/claude-sonnet-4-5");
    expect(await complete("completion", "")).toEqual([":none", "bash", "zsh", "fish"]);
  });

  test("offers nothing if nothing is known, and never hidden words", async () => {
    expect(await complete("run", "the task")).toEqual([":none"]);
    expect(await complete("run", "--", "--mo")).toEqual([":none"]);
    expect(await complete("compl")).toEqual([":none", "completion"]);
  });

  test("knows the runs of this user", async () => {
    const env = { HOME: await makeFolder() };
    expect(await switchyard(["demo"], { env })).toMatchObject({ exitCode: 0 });
    const { stdout } = await switchyard(["complete", "--", "runs", "show", ""], { env });
    expect(stdout).toMatch(/^:none\n[\w-]+\tcompleted: .+$/);
  });
});

describe("the script of a shell", () => {
  test.each([
    ["switchyard runs sh", "show"],
    ["switchyard run --approve=on-c", "on-commands"],
    ["switchyard run --env dock", "docker:"],
    ["switchyard run --env docker:", "docker:"],
  ])("bash: %s", async (line, last) => {
    const script = `
      source <(switchyard completion bash)
      complete -p switchyard | grep -q -- '-F _switchyard'
      read -ra typed <<<"$1"
      COMP_WORDS=()
      for word in "\${typed[@]}"; do
        while IFS= read -r piece; do [[ -n $piece ]] && COMP_WORDS+=("$piece"); done < <(sed 's/[:=]/\\n&\\n/g' <<<"$word")
      done
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _switchyard
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = await execa("bash", ["--norc", "-c", script, "bash", line], {
      env: await installed(),
    });
    expect(stderr).toBe("");
    expect(stdout.split("\n")).toContain(last === "docker:" && line.endsWith(":") ? "@" : last);
  });

  test("fish completes words and shows their descriptions", async ({ skip }) => {
    skip(await isMissing("fish"), "needs fish");
    const home = await makeFolder();
    const script = 'switchyard completion fish | source; complete -C "switchyard runs sh"';
    const { stdout } = await execa("fish", ["--no-config", "-c", script], {
      env: { ...(await installed()), HOME: home },
    });
    expect(stdout).toMatch(/^show\tShow a run/);
  });

  test("zsh completes words at its prompt", async ({ skip }) => {
    skip(await isMissing("zsh"), "needs zsh");
    skip((await noTmux()) !== undefined, "needs tmux");
    const screen = await startOnScreen(["zsh", "-f"], { env: await installed() });
    await screen.type("autoload -U compinit && compinit -u -D && source <(switchyard completion zsh) && echo READ''Y");
    await screen.press("Enter");
    await screen.until(/^READY/m);
    await screen.type("switchyard runs sh");
    await screen.press("Tab");
    await screen.until("switchyard runs show");
    await screen.press("C-u");
    await screen.type("switchyard run --env dock");
    await screen.press("Tab");
    await screen.until("switchyard run --env docker:");
  });
});
