import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { basename } from "node:path";

/**
 * Function that releases the disk space of a byte range in a file; the file's size stays the same. Resolves with true
 * on success.
 */
export type HolePuncher = (descriptor: number, from: number, length: number) => Promise<boolean>;

let found: { readonly punch: HolePuncher | undefined } | undefined;

/**
 * Returns a function that releases the disk space of a byte range in a file. The function runs `fallocate` of
 * util-linux, because Node has no such call. Linux only.
 */
export function findHolePuncher(): HolePuncher | undefined {
  found ??= { punch: findPuncher() };
  return found.punch;
}

function findPuncher(): HolePuncher | undefined {
  if (process.platform !== "linux") return undefined;
  const program = ["/usr/bin/fallocate", "/bin/fallocate"].find((path) => existsSync(path));
  // The `fallocate` of busybox cannot release the space of a range (punch holes).
  if (program === undefined || basename(realpathSync(program)) !== "fallocate") return undefined;
  return (descriptor, from, length) => runFallocate([program, String(from), String(length)], descriptor);
}

function runFallocate([program = "", from = "", length = ""]: readonly string[], descriptor: number): Promise<boolean> {
  return new Promise((resolve) => {
    // The child inherits the file's descriptor, because in this process the number may soon refer to another file.
    const argv = ["--punch-hole", "--offset", from, "--length", length, "/proc/self/fd/0"];
    const child = spawn(program, argv, { stdio: [descriptor, "ignore", "ignore"], env: {}, cwd: "/" });
    child.once("error", () => resolve(false));
    child.once("exit", (exitCode) => resolve(exitCode === 0));
  });
}
