import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { expect, onTestFinished, test } from "vitest";
import { takeSnapshot } from "../src/index.ts";

const execute = promisify(execFile);

interface Workspace {
  readonly setUp: string;
  readonly agent: string;
  /** Name of the workspace's folder. */
  readonly name?: string;
  /** Name and script of a program that replaces one of the same name. In the script, `REAL` is the replaced program. */
  readonly tool?: readonly [name: string, script: string];
}

/** Returns the changes of a simulated run, and the folder with its snapshot. */
async function changesOf({ setUp, agent, name = "root", tool }: Workspace) {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-scripts-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [root, tools] = [join(folder, name), join(folder, "tools")];
  await mkdir(root);
  await mkdir(tools);
  if (tool !== undefined) {
    const { stdout } = await execute("sh", ["-c", 'command -v "$1"', "sh", tool[0]]);
    await writeFile(join(tools, tool[0]), `#!/bin/sh\n${tool[1].replaceAll("REAL", stdout.trim())}\n`);
    await chmod(join(tools, tool[0]), 0o755);
  }
  await execute("sh", ["-ec", setUp], { cwd: root });
  const path = `${tools}${delimiter}${process.env["PATH"] ?? ""}`;
  await using environment = await openLocalEnvironment({ root, env: { PATH: path, HOME: folder } });
  const snapshot = await takeSnapshot(environment, { scratch: join(folder, "scratch") });
  await execute("sh", ["-ec", agent], { cwd: root });
  await snapshot?.changes();
  // Changes are computed again, for example when a run is resumed.
  return { ...(await snapshot?.changes()), scratch: join(folder, "scratch") };
}

test("new files in a folder that contained only a large file are new, not ignored", async () => {
  // Gives the other commands time to exclude the large file before git lists the ignored paths.
  const late = `case "$*" in
*--ignored*) for i in $(seq 200); do if grep -q large.bin "$GIT_DIR/info/exclude"; then break; fi; done ;;
esac
exec REAL "$@"`;
  const changes = await changesOf({
    setUp: "mkdir models; truncate -s 11000000 models/large.bin",
    agent: "echo new > models/new",
    tool: ["git", late],
  });
  expect(changes.diff).toContain("models/new");
});

test("a repository whose path has a space can be used with a shell that splits the values of export", async () => {
  // In such a shell, as dash was before version 0.5.11, "export" splits unquoted values as each other command does.
  const splitting = `[ "$1" = -c ] || exec REAL "$@"
script=$(printf '%s\\nx' "$2" | sed 's/^export /split_export /')
shift 2
exec REAL -c "split_export() { export \\"\\$@\\"; }
\${script%x}" "$@"`;
  const changes = await changesOf({
    name: "folder 1",
    setUp: "git init -q; echo a > a; git add a",
    agent: "echo b > a",
    tool: ["sh", splitting],
  });
  expect(changes.diff).toContain("+b");
});

test("files that were ignored are never written to a diff, although the run removes the ignore rule", async () => {
  // Collects every diff that git writes, because a later diff replaces an earlier one.
  const collecting = `REAL "$@"; status=$?
for word do case $word in --output=*) cat "\${word#*=}" >> "$GIT_DIR/diffs" ;; esac; done
exit $status`;
  for (const rule of ["", "secret\\ninstalled/\\n!secret\\n!installed/\\n"]) {
    const changes = await changesOf({
      setUp:
        "git init -q; printf 'secret\\ninstalled/\\n' > .gitignore; mkdir -p installed/d; echo hidden > secret; echo hidden > installed/d/i; git add .",
      agent: `printf '${rule}' > .gitignore; echo new > new`,
      tool: ["git", collecting],
    });
    expect(changes.diff).toContain("+new");
    const diffs = await readFile(join(changes.scratch, "snapshots.git", "diffs"), "utf8");
    expect(diffs).toContain("+new");
    expect(diffs).not.toContain("hidden");
  }
});
