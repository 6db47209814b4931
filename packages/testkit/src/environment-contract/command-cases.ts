// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the commands contain shell expansions.
import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { outcomeOf } from "../contract/expectations.ts";
import { assertRefusedAs, type EnvironmentBench, timed } from "./environment-bench.ts";

const ARGUMENTS = [
  "plain",
  "two words",
  "",
  "'single'",
  '"double"',
  "line\nend",
  "end\n",
  "tab\there",
  "*",
  "$HOME",
  "$(echo run)",
  "`echo run`",
  "; touch planted",
  "&& touch planted",
  "| cat",
  "> planted",
  "--",
  "-n",
  "--version",
  "back\\slash\\n",
  "%s",
  "ünï 😀",
  "~",
  "{a,b}",
  "#",
  "!",
  "",
] as const;

/** Conformance cases for running programs with arguments, and for running command lines. */
export const commandCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/exec-arguments",
    requirement: "loop-4.1-3",
    title: "Passes arguments to a program unchanged, without a shell",
    async check({ environment, needs }) {
      needs("shell");
      const { stdout, exitCode } = await environment.exec(["printf", "<%s>\\n", ...ARGUMENTS]);
      assert.equal(stdout, ARGUMENTS.map((argument) => `<${argument}>\n`).join(""));
      assert.equal(exitCode, 0);
      assert.equal(await environment.exists("planted"), false);
    },
  },
  {
    id: "environment/exec-many-arguments",
    requirement: "loop-4.1-3",
    title: "Accepts a thousand arguments, and an argument of a hundred thousand characters",
    async check({ environment, needs }) {
      needs("shell");
      const many = Array.from({ length: 1_000 }, (_, index) => `argument ${index}`);
      assert.equal((await environment.exec(["printf", "%s\\n", ...many])).stdout, `${many.join("\n")}\n`);
      const long = "x".repeat(100_000);
      assert.equal((await environment.exec(["printf", "%s", long])).stdout, long);
    },
  },
  {
    id: "environment/exec-result",
    requirement: ["loop-4.1-3", "loop-4.2-5"],
    title: "Returns both streams separately, the exit code, how the command ended, the duration, and nothing else",
    async check({ environment, needs }) {
      needs("shell");
      const { durationMs, ...result } = await environment.shell("echo out; echo err >&2; exit 3");
      assert.deepEqual(result, {
        stdout: "out\n",
        stderr: "err\n",
        exitCode: 3,
        timedOut: false,
        aborted: false,
        droppedBytes: 0,
      });
      assert.ok(Number.isFinite(durationMs) && durationMs >= 0, `the duration is ${durationMs}`);
    },
  },
  {
    id: "environment/exec-codes",
    requirement: "loop-4.1-3",
    title: "Returns the exit code of the command, whatever its value",
    async check({ environment, needs }) {
      needs("shell");
      for (const code of [0, 1, 2, 42, 125, 126, 127, 128, 130, 254, 255]) {
        const { exitCode, stdout } = await environment.shell(`echo ${code}; exit ${code}`);
        assert.deepEqual([exitCode, stdout], [code, `${code}\n`]);
      }
      assert.equal((await environment.exec(["false"])).exitCode, 1);
    },
  },
  {
    id: "environment/exec-signals",
    requirement: "loop-4.1-3",
    title: "Returns exit code 128 + n and the signal's name for a command that a signal ended",
    async check({ environment, needs }) {
      needs("shell", "processes");
      for (const [name, code] of [
        ["TERM", 143],
        ["KILL", 137],
        ["HUP", 129],
      ] as const) {
        const { exitCode, signal, timedOut, aborted } = await environment.exec(["sh", "-c", `kill -${name} $$`]);
        assert.deepEqual({ exitCode, signal }, { exitCode: code, signal: `SIG${name}` });
        assert.deepEqual([timedOut, aborted], [false, false]);
      }
    },
  },
  {
    id: "environment/exec-missing",
    requirement: "loop-4.1-3",
    title: "Rejects a missing program with environment.command_not_found, and returns exit code 127 from a shell",
    async check({ environment, needs }) {
      needs("shell");
      for (const command of ["no-such-program-anywhere", "./no/such/file"]) {
        const error = await assertRefusedAs(() => environment.exec([command, "x"]), "command_not_found", command);
        assert.equal(error.details["command"], command);
      }
      const { exitCode, stderr } = await environment.shell("no-such-program-anywhere");
      assert.equal(exitCode, 127);
      assert.match(stderr, /not found/);
    },
  },
  {
    id: "environment/exec-refused",
    requirement: "loop-4.1-3",
    title: "Rejects with a classified error, and runs nothing, if a command cannot be started",
    async check({ environment, needs, writeFiles }) {
      needs("shell");
      await writeFiles({ "plain.txt": "touch planted\n" });
      const failed = "spawn_failed";
      await assertRefusedAs(() => environment.exec([]), failed, "nothing");
      await assertRefusedAs(() => environment.exec([""]), failed, "an empty name");
      await assertRefusedAs(() => environment.exec(["touch", "planted\0x"]), failed, "a NUL in an argument");
      const line: readonly string[] = JSON.parse('"touch planted"');
      assert.ok("error" in (await outcomeOf(() => environment.exec(line))), "a line in place of a list was taken");
      assert.equal(await environment.exists("planted"), false);
    },
  },
  {
    id: "environment/exec-not-executable",
    requirement: "loop-4.1-3",
    title: "Rejects a file that is not executable, and a folder, with environment.spawn_failed",
    async check({ environment, needs, writeFiles }) {
      needs("shell", "permissions");
      await writeFiles({ "plain.txt": "touch planted\n", "folder/a.txt": "" });
      await assertRefusedAs(() => environment.exec(["./plain.txt"]), "spawn_failed", "a plain file");
      await assertRefusedAs(() => environment.exec(["./folder"]), "spawn_failed", "a folder");
      assert.equal(await environment.exists("planted"), false);
    },
  },
  {
    id: "environment/exec-program-of-workspace",
    requirement: "loop-4.1-3",
    title: "Runs a program of the workspace by its path, and never by its name alone",
    async check({ environment, needs, writeFiles, script }) {
      needs("shell", "permissions");
      await writeFiles({
        "bin/contract-tool": '#!/bin/sh\necho "ran $1"\n',
        "contract-tool": "#!/bin/sh\necho wrong\n",
      });
      await script("chmod 755 bin/contract-tool contract-tool");
      assert.equal((await environment.exec(["./bin/contract-tool", "a b"])).stdout, "ran a b\n");
      assert.equal((await environment.exec(["./contract-tool"], { cwd: "bin" })).stdout, "ran \n");
      await assertRefusedAs(() => environment.exec(["contract-tool"]), "command_not_found", "its name alone");
      assert.equal((await environment.shell("contract-tool", { env: { policy: "none" } })).exitCode, 127);
    },
  },
  {
    id: "environment/shell-language",
    requirement: "loop-4.2-3",
    title: "Supports pipes, lists, expansions, here-documents and several lines in a command line",
    async check({ environment, needs, writeFiles }) {
      needs("shell");
      await writeFiles({ "b.txt": "b\n", "a.txt": "a\n" });
      const expected: readonly (readonly [string, string])[] = [
        ["printf 'b\\na\\n' | sort", "a\nb\n"],
        ["false || echo or; true && echo and", "or\nand\n"],
        ['x=1; echo "$((x + 1)) ${x:-none} $(echo inner)"', "2 1 inner\n"],
        ['for f in *.txt; do cat "$f"; done', "a\nb\n"],
        ["cat <<'END'\n$x 'quoted'\nEND\necho after", "$x 'quoted'\nafter\n"],
        ["echo 'ünï 😀'", "ünï 😀\n"],
        ["(exit 7); echo $?", "7\n"],
        ["echo out >&2 2>/dev/null; echo end # comment", "end\n"],
      ];
      for (const [line, stdout] of expected) assert.equal((await environment.shell(line)).stdout, stdout, line);
    },
  },
  {
    id: "environment/shell-errors",
    requirement: "loop-4.1-3",
    title: "Returns a message and an exit code for an invalid command line, and does nothing for an empty one",
    async check({ environment, needs }) {
      needs("shell");
      const wrong = await environment.shell("echo 'never closed");
      assert.notEqual(wrong.exitCode, 0);
      assert.notEqual(wrong.stderr, "");
      const { exitCode, stdout, stderr } = await environment.shell("");
      assert.deepEqual([exitCode, stdout, stderr], [0, "", ""]);
      assert.equal((await environment.shell("-n; echo ran")).stdout, "ran\n");
    },
  },
  {
    id: "environment/shell-bash",
    requirement: "loop-4.2-3",
    title: "Uses bash as the shell",
    async check({ environment, needs }) {
      needs("shell", "bash");
      const line = 'words=(a "b c"); [[ -n "$BASH_VERSION" ]] && echo "bash ${#words[@]}"';
      assert.equal((await environment.shell(line)).stdout, "bash 2\n");
    },
  },
  {
    id: "environment/shell-apart",
    requirement: "loop-4.1-3",
    title: "Keeps no shell state between command lines",
    async check({ environment, needs }) {
      needs("shell");
      await environment.shell("cd /; export LEFT=behind; umask 777; set -e");
      const { stdout } = await environment.shell('echo "<${LEFT-}>"; false; pwd');
      assert.equal(stdout, `<>\n${environment.workingDirectory}\n`);
    },
  },
  {
    id: "environment/commands-and-files",
    requirement: ["loop-4.1-2", "loop-4.1-3"],
    title: "Reads what commands wrote immediately, and shows written files to commands",
    async check({ environment, needs }) {
      needs("shell", "writing");
      for (let round = 0; round < 5; round += 1) {
        await environment.writeFile("d/a.txt", `written ${round}\n`);
        const { stdout } = await environment.shell(`cat d/a.txt; echo 'command ${round}' > d/b.txt; rm -f d/c*.txt`);
        assert.equal(stdout, `written ${round}\n`);
        assert.equal(await environment.readFile("d/b.txt"), `command ${round}\n`);
        await environment.writeFile(`d/c${round}.txt`, "");
        assert.deepEqual(
          (await environment.listDirectory("d")).map(({ name }) => name),
          ["a.txt", "b.txt", `c${round}.txt`],
        );
      }
    },
  },
  {
    id: "environment/cwd",
    requirement: "loop-4.1-4",
    title: "Runs a command in the working directory or the requested folder",
    async check({ environment, needs, writeFiles }) {
      needs("shell");
      await writeFiles({ "sub/it's a folder/a.txt": "" });
      const { workingDirectory } = environment;
      const workingDirectoryOf = async (cwd?: string) => (await environment.exec(["pwd"], { cwd })).stdout;
      assert.equal(await workingDirectoryOf(), `${workingDirectory}\n`);
      assert.equal(await workingDirectoryOf("."), `${workingDirectory}\n`);
      for (const cwd of ["sub/it's a folder", `${workingDirectory}/sub/x/../it's a folder`]) {
        assert.equal(await workingDirectoryOf(cwd), `${workingDirectory}/sub/it's a folder\n`);
        const { stdout } = await environment.shell('ls; echo "$PWD"', { cwd });
        assert.equal(stdout, `a.txt\n${workingDirectory}/sub/it's a folder\n`);
      }
    },
  },
  {
    id: "environment/cwd-refused",
    requirement: "loop-4.1-4",
    title: "Rejects a missing folder, or a file, with its path, and runs nothing",
    async check({ environment, needs, writeFiles }) {
      needs("shell");
      await writeFiles({ "a.txt": "x" });
      for (const [cwd, code] of [
        ["no", "file_not_found"],
        ["a.txt", "not_a_directory"],
      ] as const) {
        const touch = `touch ${environment.workingDirectory}/planted`;
        const error = await assertRefusedAs(() => environment.shell(touch, { cwd }), code, `running in ${cwd}`);
        assert.equal(error.details["path"], cwd);
        await assertRefusedAs(() => environment.exec(["true"], { cwd }), code, `running in ${cwd}`);
      }
      assert.equal(await environment.exists("planted"), false);
    },
  },
  {
    id: "environment/duration",
    requirement: ["loop-4.1-3", "loop-4.2-6"],
    title: "Returns the elapsed time as the duration",
    async check({ environment, needs }) {
      needs("shell");
      const { value, durationMs } = await timed(() => environment.shell("sleep 1"));
      assert.ok(value.durationMs >= 950, `a second took ${value.durationMs} ms`);
      assert.ok(value.durationMs <= durationMs + 1, `${value.durationMs} ms of ${durationMs}`);
    },
  },
];
