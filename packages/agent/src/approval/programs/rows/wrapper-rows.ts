import type { Program, Wrapper } from "../program.ts";

interface WrapperRow {
  readonly names: readonly string[];
  readonly source: string;
  readonly options?: string;
  readonly run?: string;
  readonly wraps?: Wrapper;
  readonly hides?: "always";
  /**
   * True if the program, when started without a command, prints information and exits. False if it starts a shell
   * instead.
   */
  readonly printsAlone?: boolean;
}

/** Returns the table row of a wrapper program, which runs the command that follows its options. */
function wrapper({
  names,
  source,
  options = "",
  run = "",
  wraps = { skip: 0 },
  hides,
  printsAlone,
}: WrapperRow): Program {
  const row: Program = { names, source, options, stops: true, effects: ["run"], risks: { run }, wraps, hides };
  return printsAlone === true ? row : { ...row, never: "run" };
}

/**
 * Wrapper programs, which run the command passed to them. A rule covers a call of a wrapper only if the rule also
 * covers the inner command.
 */
export const WRAPPER_ROWS: readonly Program[] = [
  wrapper({
    names: ["env"],
    source: "env(1)",
    options: "-0|--null -u|--unset: -i|--ignore-environment -v|--debug",
    run: "-S|--split-string: -C|--chdir: --default-signal? --ignore-signal? --block-signal?",
    wraps: { skip: 0, assigns: true, lines: "-S|--split-string:" },
    printsAlone: true,
  }),
  wrapper({
    names: ["timeout", "gtimeout"],
    source: "timeout(1)",
    options: "-k|--kill-after: -s|--signal: --preserve-status --foreground -v|--verbose",
    wraps: { skip: 1 },
  }),
  wrapper({ names: ["nice"], source: "nice(1)", options: "-n|--adjustment: -#", printsAlone: true }),
  wrapper({ names: ["ionice"], source: "ionice(1)", options: "-c|--class: -n|--classdata: -t|--ignore" }),
  wrapper({ names: ["nohup"], source: "nohup(1)", options: "" }),
  wrapper({ names: ["setsid"], source: "setsid(1)", options: "-c|--ctty -f|--fork -w|--wait" }),
  wrapper({ names: ["stdbuf"], source: "stdbuf(1)", options: "-i|--input: -o|--output: -e|--error:" }),
  wrapper({ names: ["unbuffer"], source: "unbuffer(1)", options: "-p" }),
  wrapper({
    names: ["time"],
    source: "time(1), bash(1)",
    options: "-p|--portability -v|--verbose -a|--append",
    run: "-o|--output: -f|--format:",
  }),
  wrapper({
    names: ["command", "builtin", "exec"],
    source: "bash(1), SHELL BUILTIN COMMANDS",
    options: "-p -v -V -c -l",
    run: "-a:",
    wraps: { skip: 0, prints: "-v -V" },
  }),
  wrapper({
    names: ["sudo", "doas", "sudoedit", "pkexec", "run0"],
    source: "sudo(8), doas(1)",
    options: "-A -b -E|--preserve-env? -H -k -n -P -S -i -s",
    run: "-u|--user: -g|--group: -h|--host: -p|--prompt: -C: -R|--chroot: -D|--chdir: -r: -t: -T: -U:",
    wraps: { skip: 0, assigns: true },
  }),
  wrapper({
    names: ["su", "runuser"],
    source: "su(1)",
    options: "-l|--login -m|-p|--preserve-environment",
    run: "-c|--command: -s|--shell: -g: -G: -w: -u|--user:",
    wraps: { lines: "-c|--command:" },
    hides: "always",
  }),
  wrapper({
    names: ["chroot"],
    source: "chroot(8)",
    options: "",
    run: "--userspec: --groups: --skip-chdir",
    wraps: { skip: 1 },
  }),
  wrapper({
    names: [
      "unshare",
      "nsenter",
      "setpriv",
      "capsh",
      "bwrap",
      "firejail",
      "systemd-run",
      "systemd-inhibit",
      "caffeinate",
      "proot",
      "fakeroot",
      "dbus-run-session",
      "xvfb-run",
      "numactl",
      "prlimit",
      "cgexec",
      "linux64",
      "linux32",
      "choom",
      "rlwrap",
      "torsocks",
      "proxychains",
      "proxychains4",
      "catchsegv",
      "valgrind",
      "perf",
      "heaptrack",
      "entr",
      "chpst",
      "softlimit",
      "daemonize",
      "start-stop-daemon",
      "cpulimit",
      "chronic",
      "dotenv",
      "dumb-init",
      "tini",
    ],
    source: "manuals of these programs: they run the command that follows",
  }),
  wrapper({
    names: ["taskset", "chrt", "setarch", "envdir", "setlock", "gosu", "su-exec", "faketime"],
    source: "taskset(1), chrt(1), setarch(8), envdir(8): the first operand is not a command",
    wraps: { skip: 1 },
  }),
  wrapper({
    names: ["cross-env"],
    source: "https://github.com/kentcdodds/cross-env",
    wraps: { skip: 0, assigns: true },
  }),
  wrapper({
    names: ["strace", "ltrace"],
    source: "strace(1)",
    options: "-f -c -q -v -t -T -y",
    run: "-o: -e: -p: -s: -a: -E: -u: -O: -S: -P:",
  }),
  wrapper({
    names: ["gdb", "lldb"],
    source: "gdb(1): -ex, -x, --args",
    run: "-ex: -x|--command: --args",
    hides: "always",
  }),
  wrapper({
    names: ["flock"],
    source: "flock(1)",
    options:
      "-e|-x|--exclusive -s|--shared -n|--nonblock -w|--timeout: -o|--close -F|--no-fork -E|--conflict-exit-code: -u|--unlock",
    run: "-c|--command:",
    wraps: { skip: 1, lines: "-c|--command:" },
  }),
  wrapper({
    names: ["watch"],
    source: "watch(1): joins its operands to a shell command",
    options:
      "-n|--interval: -d|--differences? -t|--no-title -b -c|--color -e|--errexit -g|--chgexit -p|--precise -x|--exec",
    wraps: { skip: 0, isLine: true },
    hides: "always",
  }),
  wrapper({
    names: ["script"],
    source: "script(1): -c, and its output file",
    options: "-q|--quiet -a|--append -e|--return -f|--flush",
    run: "-c|--command: -O: -I: -B: -T:",
    wraps: { lines: "-c|--command:" },
    hides: "always",
  }),
  wrapper({
    names: ["xargs"],
    source: "xargs(1)",
    options:
      "-0|--null -r|--no-run-if-empty -t|--verbose -x|--exit -n|--max-args: -P|--max-procs: -L|--max-lines: -s|--max-chars: -d|--delimiter: -E: -I: -i? -l? -o|--open-tty",
    run: "-a|--arg-file: -p|--interactive",
    hides: "always",
  }),
  wrapper({
    names: ["parallel"],
    source: "parallel(1)",
    options: "-j|--jobs: -k|--keep-order",
    wraps: { skip: 0, isLine: true },
    hides: "always",
  }),
  wrapper({
    names: ["hyperfine", "watchexec", "concurrently", "sem"],
    source: "manuals of these programs: they pass operands to a shell",
    wraps: { skip: 0, isLine: true },
  }),
  wrapper({ names: ["busybox", "toybox"], source: "https://busybox.net/downloads/BusyBox.html", options: "" }),
  wrapper({
    names: ["ssh", "slogin", "autossh", "mosh", "rsh", "sshpass", "et"],
    source: "ssh(1): -o ProxyCommand, -F, and the remote command",
    options: "-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y",
    run: "-B: -b: -c: -D: -E: -e: -F: -I: -i: -J: -L: -l: -m: -O: -o: -p: -Q: -R: -S: -W: -w:",
    wraps: { skip: 1, isLine: true },
    hides: "always",
  }),
  {
    names: ["at", "batch", "crontab", "systemctl", "launchctl", "tmux", "screen", "dtach", "zellij", "nq", "tsp"],
    source: "at(1), crontab(1), tmux(1): run commands later or elsewhere",
    never: "run",
    hides: "always",
  },
];
