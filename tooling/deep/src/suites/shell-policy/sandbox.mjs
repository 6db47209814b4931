// @ts-check
import { execFile, execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { readTrace } from "./read-trace.mjs";

/** @import { Effects } from "./read-trace.mjs" */

const run = promisify(execFile);
/** Number of times that bubblewrap is started if it fails before the command. */
const STARTS = 5;

/**
 * Runs a command with bubblewrap. Bubblewrap fails before the command starts if another program removes a mount, such as
 * that of a container, while bubblewrap copies the mounts. It is then started again.
 * @param {readonly string[]} args
 */
async function runSandbox(args) {
  for (let start = 1; ; start += 1) {
    try {
      return await run("bwrap", args);
    } catch (error) {
      const isMount = error instanceof Error && error.message.includes("bwrap: Can't bind mount");
      if (!isMount || start === STARTS) throw error;
    }
  }
}
const CALLS =
  "execve,execveat,open,openat,openat2,creat,connect,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,truncate,chmod,fchmodat,chown,lchown,fchownat,mknod,mknodat";
/** Runs each command line in a new copy of the workspace, and traces it to a file. */
const DRIVER = `#!/bin/bash
export HOME=/tmp/home PATH GIT_TERMINAL_PROMPT=0 LC_ALL=C.UTF-8
for file in /tmp/lines/*; do
  cd /
  rm -rf /tmp/w /tmp/outside
  cp -a /tmp/template /tmp/w
  mkdir /tmp/outside
  touch /tmp/outside/keep
  cd /tmp/w
  timeout -k 1 20 strace -f -qq -y -s 400 -o /tmp/traces/\${file##*/} -e trace=${CALLS} /bin/bash -c "$(<"$file")" </dev/null >/dev/null 2>&1
done
exit 0
`;

/** An archive with one file. */
const ZIP =
  "UEsDBAoAAAAAAAhee12datx0AgAAAAIAAAAFAAAAei50eHR6ClBLAQIeAwoAAAAAAAhee12datx0AgAAAAIAAAAFAAAAAAAAAAEAAACkgQAAAAB6LnR4dFBLBQYAAAAAAQABADMAAAAlAAAAAAA=";

const FILES = {
  "template/a.txt": "one\ntwo\ntwo\nthree\n",
  "template/b.txt": "one:1\ntwo:2\n",
  "template/big.txt": Array.from({ length: 2000 }, (_, index) => `line ${(index * 7919) % 2000}`).join("\n"),
  "template/x.json": '{"a": 1}\n',
  "template/magic": "0 string abc a file\n",
  "template/sub/c.txt": "c\n",
  "template/Makefile": "all:\n\t@echo made\n",
  "template/package.json": '{"name":"x","version":"1.0.0","scripts":{"test":"node ok.js"}}\n',
  "template/ok.py": "print(1)\n",
  "template/ok.js": "console.log(1)\n",
  "template/evil.sh": "/tmp/canary/run\n",
  "template/evil.py": 'import os\nos.system("/tmp/canary/run")\n',
  "template/evil.js": 'require("child_process").execFileSync("/tmp/canary/run")\n',
  "template/evil.pl": 'system("/tmp/canary/run");\n',
  "template/evil.sed": "1e /tmp/canary/run\n",
  "template/evil.awk": 'BEGIN{system("/tmp/canary/run")}\n',
  "template/evil.mk": "all:\n\t/tmp/canary/run\n",
  "template/evil/Makefile": "all:\n\t/tmp/canary/run\n",
  "template/evil/package.json": '{"name":"e","version":"1.0.0","scripts":{"test":"/tmp/canary/run"}}\n',
  "template/--output=x": "a file that is named like an option\n",
  "template/.envrc": "",
  "template/.vscode/settings.json": "{}\n",
  "canary/run": "#!/bin/sh\n: > /tmp/outside/canary\n",
  "canary/git-probe": "#!/bin/sh\n/tmp/canary/run\n",
  "canary/run.cjs": 'require("child_process").execFileSync("/tmp/canary/run")\n',
  "home/.gitconfig":
    '[user]\n\tname = x\n\temail = x@example.org\n[safe]\n\tdirectory = *\n[protocol "file"]\n\tallow = always\n',
};

/** Folder with the sandbox's files, in which commands run. */
export class Sandbox {
  #folder = mkdtempSync(join(tmpdir(), "shell-policy-"));
  #batches = 0;

  constructor() {
    for (const [name, text] of Object.entries(FILES)) {
      const path = join(this.#folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    writeFileSync(join(this.workspace, "x.zip"), Buffer.from(ZIP, "base64"));
    writeFileSync(join(this.#folder, "driver"), DRIVER);
    for (const name of ["driver", "canary/run", "canary/git-probe", "template/evil.sh"])
      chmodSync(join(this.#folder, name), 0o755);
    symlinkSync("/tmp/outside", join(this.workspace, "out"));
    this.#makeRepositories();
  }

  /** Initial workspace of every command. */
  get workspace() {
    return join(this.#folder, "template");
  }

  #makeRepositories() {
    const inherited = { ...process.env, HOME: join(this.#folder, "home") };
    const git = (/** @type {string} */ cwd, /** @type {readonly string[]} */ args) =>
      execFileSync("git", ["-c", "init.defaultBranch=main", ...args], { cwd, env: inherited, stdio: "ignore" });
    const evil = join(this.workspace, "evil");
    git(evil, ["init"]);
    git(evil, ["config", "core.fsmonitor", "/tmp/canary/run"]);
    git(this.workspace, ["init"]);
    execFileSync("tar", ["-cf", "x.tar", "a.txt", "b.txt"], { cwd: this.workspace });
    writeFileSync(join(this.workspace, ".gitignore"), "evil/\nout\n");
    git(this.workspace, ["add", "-A"]);
    git(this.workspace, ["commit", "-m", "one"]);
    writeFileSync(join(this.workspace, "a.txt"), "one\ntwo\nthree\n");
    git(this.workspace, ["commit", "-am", "two"]);
    writeFileSync(join(this.workspace, "a.txt"), "one\ntwo\ntwo\nthree\nfour\n");
  }

  /**
   * Runs command lines and returns the effects of each.
   * @param {readonly string[]} lines
   * @returns {Promise<readonly Effects[]>}
   */
  async watch(lines) {
    const batch = join(this.#folder, `batch-${++this.#batches}`);
    mkdirSync(join(batch, "lines"), { recursive: true });
    mkdirSync(join(batch, "traces"));
    for (const [index, line] of lines.entries()) writeFileSync(join(batch, "lines", String(index)), line);
    const bind = (/** @type {string} */ from, /** @type {string} */ to, kind = "--ro-bind") => [kind, from, to];
    await runSandbox([
      ...[
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
        "--tmpfs",
        "/tmp",
        "--unshare-all",
        "--die-with-parent",
      ],
      ...bind(this.workspace, "/tmp/template"),
      ...bind(join(this.#folder, "canary"), "/tmp/canary"),
      ...bind(join(this.#folder, "home"), "/tmp/home", "--bind"),
      ...bind(join(batch, "lines"), "/tmp/lines"),
      ...bind(join(batch, "traces"), "/tmp/traces", "--bind"),
      ...bind(join(this.#folder, "driver"), "/tmp/driver"),
      "/tmp/driver",
    ]);
    const effects = lines.map((_, index) => readTrace(readFileSync(join(batch, "traces", String(index)), "utf8")));
    rmSync(batch, { recursive: true, force: true });
    return effects;
  }

  /** Removes the sandbox's files. */
  close() {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
