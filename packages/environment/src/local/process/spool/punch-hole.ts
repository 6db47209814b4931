import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { basename } from "node:path";

/** Gives a part of a file back to the disk; its size stays. Resolves with whether that was possible. */
export type HolePuncher = (descriptor: number, from: number, length: number) => Promise<boolean>;

let found: { readonly punch: HolePuncher | undefined } | undefined;

/** Node has no call for holes, but util-linux has a program. Linux only. */
export function findHolePuncher(): HolePuncher | undefined {
  found ??= { punch: lookForPuncher() };
  return found.punch;
}

function lookForPuncher(): HolePuncher | undefined {
  if (process.platform !== "linux") return undefined;
  const program = ["/usr/bin/fallocate", "/bin/fallocate"].find((path) => existsSync(path));
  // That of busybox makes none.
  if (program === undefined || basename(realpathSync(program)) !== "fallocate") return undefined;
  return (descriptor, from, length) => runFallocate([program, String(from), String(length)], descriptor);
}

function runFallocate([program = "", from = "", length = ""]: readonly string[], descriptor: number): Promise<boolean> {
  return new Promise((resolve) => {
    // Through its own descriptor: a number in this process may mean another file by the time it starts.
    const argv = ["--punch-hole", "--offset", from, "--length", length, "/proc/self/fd/0"];
    const child = spawn(program, argv, { stdio: [descriptor, "ignore", "ignore"], env: {}, cwd: "/" });
    child.once("error", () => resolve(false));
    child.once("exit", (exitCode) => resolve(exitCode === 0));
  });
}
