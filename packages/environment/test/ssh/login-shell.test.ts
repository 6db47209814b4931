import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runProgram } from "@switchyard/container-engines";
import { expect, test } from "vitest";
import type { TestMachine } from "./open-machine.ts";
import { openMachine } from "./open-machine.ts";

function writeStartFile({ sshd }: TestMachine, text: string, name = ".bashrc"): void {
  const path = join(sshd.folder, "home", name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${text}\n`);
}

/** Checks everything that an agent uses: files, commands with and without input, searches, concurrent calls. */
async function expectUse({ open }: TestMachine): Promise<void> {
  await using environment = await open();
  await environment.writeFile("a.txt", "one\ntwo\n");
  expect(await environment.readFile("a.txt")).toBe("one\ntwo\n");
  const result = await environment.shell("cat a.txt; echo said >&2; exit 3");
  expect(result).toMatchObject({ stdout: "one\ntwo\n", stderr: "said\n", exitCode: 3 });
  expect((await environment.exec(["cat"], { stdin: "given\n" })).stdout).toBe("given\n");
  expect((await environment.grep("two")).matches.map(({ path }) => path)).toHaveLength(1);
  const many = await Promise.all(Array.from({ length: 2 }, (_, index) => environment.exec(["echo", `${index}`])));
  expect(many.map(({ stdout }) => stdout)).toEqual(["0\n", "1\n"]);
}

test.for<readonly [string, string]>([
  ["prints a line", "echo Welcome"],
  ["prints without a line end", "printf 'Welcome '"],
  ["sets the title of the terminal", "printf '\\033]0;%s\\007' title"],
  ["prints much", "yes greeting | head -c 300000"],
  ["prints bytes of any kind", "head -c 5000 /dev/urandom"],
  ["prints on standard error", "echo 'Connection refused' >&2; stty -a"],
  ["repeats the command it was given", 'echo "$BASH_EXECUTION_STRING"'],
  ["prints what it does", "set -xv"],
  ["stops at the first failure", "set -eu; export SHELLOPTS"],
  ["takes no patterns, overwrites nothing", "set -fC; export SHELLOPTS"],
  [
    "has aliases and functions",
    "shopt -s expand_aliases; alias sh='echo no' cat='cat -n'; cat() { echo no; }; sh() { echo no; }; export -f cat sh",
  ],
  ["has a prompt command and traps", "PROMPT_COMMAND='echo prompt'; trap 'echo debug' DEBUG; trap 'echo exit' EXIT"],
  ["looks for input without waiting", "read -t 0 line"],
  ["hides folders", "export CDPATH=/:/tmp; cd /; umask 077"],
  ["is slow", "sleep 0.3; echo Welcome"],
])("a login shell startup file that %s does not change results", async ([, startFile], { skip }) => {
  const machine = await openMachine(skip);
  writeStartFile(machine, startFile);
  await expectUse(machine);
});

test.for<readonly [string, string, string]>([
  ["ends shells that are not interactive", "case $- in *i*) ;; *) exit ;; esac", "not interactive"],
  ["ends with a message", "echo 'This account is currently not available.'; exit 1", "not interactive"],
  ["puts another shell in its place", "exec sh", "replaces"],
  ["puts another shell in its place after a greeting", "echo Welcome; exec bash --norc", "replaces"],
  ["reads a line", "read -r answer", "reads standard input"],
  ["reads a line with a time limit", "read -t 5 -r answer", "reads standard input"],
  ["reads all", "cat >/dev/null", "in time"],
  ["never ends", "echo Welcome; sleep 1000", "in time"],
  ["redirects the output", "exec >/dev/null", "in time"],
])("a login shell startup file that %s is rejected with its cause", async ([, startFile, cause], { skip }) => {
  const machine = await openMachine(skip);
  writeStartFile(machine, startFile);
  const opening = machine.open({ connectTimeoutMs: 2_000 });
  await expect(opening).rejects.toMatchObject({
    code: "environment.unavailable",
    details: { environment: "ssh:testhost", problem: expect.stringContaining(cause) },
  });
});

const SHELLS = [
  ["zsh", ".zshenv", "echo Welcome; alias sh='echo no' -g; setopt no_clobber"],
  ["fish", ".config/fish/config.fish", "echo Welcome; function sh; echo no; end"],
  ["tcsh", ".cshrc", "echo Welcome; alias sh 'echo no'; set noclobber"],
  ["dash", ".profile", "echo Welcome"],
] as const;

test.for(SHELLS)("a login shell that is %s runs the same commands", async ([shell, name, startFile], { skip }) => {
  const { code } = await runProgram(["sh", "-c", `command -v ${shell}`]);
  if (code !== 0) skip(`${shell} is not installed`);
  const machine = await openMachine(skip, [`ForceCommand exec ${shell} -c "$SSH_ORIGINAL_COMMAND"`]);
  writeStartFile(machine, startFile, name);
  await expectUse(machine);
});

test("an account with a forced command that echoes the request is rejected", async ({ skip }) => {
  const { open } = await openMachine(skip, ['ForceCommand echo "not allowed: $SSH_ORIGINAL_COMMAND"']);
  await expect(open()).rejects.toMatchObject({ details: { problem: expect.stringContaining("account") } });
});
