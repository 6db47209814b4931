import { expect, test } from "vitest";
import { makeWorkspace, runAgent, stateOf } from "./run-and-undo.ts";

const SETTINGS = [
  ...["core.fsmonitor", "core.pager", "diff.external", "diff.trap.textconv", "diff.trap.command"],
  ...["filter.trap.clean", "filter.trap.smudge", "filter.trap.process"],
];
const HOOKS = ["post-index-change", "reference-transaction", "post-checkout", "pre-commit", "fsmonitor-watchman"];

/** Returns a script that configures programs in a repository. If git executes one of them, it creates the file `ran`. */
function arm(ran: string): string {
  const hooks = HOOKS.map(
    (hook) => `printf '#!/bin/sh\\ntouch "${ran}"\\n' > .git/hooks/${hook}; chmod +x .git/hooks/${hook}`,
  );
  const settings = SETTINGS.map((key) => `git config ${key} "touch '${ran}'; cat"`);
  return ["mkdir -p .git/hooks", ...hooks, ...settings, "printf '* filter=trap diff=trap\\n' > .gitattributes"].join(
    "; ",
  );
}

test("nothing that a repository, or one inside of it, configures is executed", async () => {
  const workspace = await makeWorkspace();
  const ran = `${workspace.home}/ran`;
  const isRun = async (): Promise<string> => workspace.sh(`[ -e '${ran}' ] && echo ran || echo nothing`);
  const files = "echo a > a; echo s > small; git add a; git commit -qm one";
  await workspace.sh(
    `git init -q; ${files}; (git init -q in; cd in; ${files}; ${arm(ran)}); ${arm(ran)}; truncate -s 101M large; rm -f '${ran}'`,
  );
  const before = await stateOf(workspace.root);
  // The simulated agent moves a branch and changes the index without executing the programs.
  const run = await runAgent(
    workspace,
    "echo b > a; echo b > in/a; echo n > new; git -c core.hooksPath=/dev/null update-ref refs/heads/made HEAD; cp .git/index i; GIT_INDEX_FILE=$PWD/i git -c core.fsmonitor=false -c core.hooksPath=/dev/null update-index --force-remove a; mv i .git/index",
  );
  expect(run.changes.diff).toContain("+++ b/in/a");
  expect(run.record.repositories.map(({ name }) => name).sort()).toEqual(["index", "refs/heads/made"]);
  expect(await isRun()).toBe("nothing\n");
  await run.undo({ commits: true });
  expect(await stateOf(workspace.root)).toEqual(before);
  expect(await isRun()).toBe("nothing\n");
  // Git executes the programs if nothing prevents it.
  await workspace.sh("git status >/dev/null 2>&1 || true");
  expect(await isRun()).toBe("ran\n");
});
