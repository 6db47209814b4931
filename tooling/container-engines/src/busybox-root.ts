import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mustRun, runProgram } from "./run-program.ts";

/** Fills a folder with a small Linux system made of one program. Returns the reason if that is not possible. */
export async function fillWithBusybox(root: string): Promise<string | undefined> {
  const found = await runProgram(["sh", "-c", "command -v busybox"]);
  if (found.code !== 0) return "busybox is not installed; install the package busybox-static";
  for (const folder of ["bin", "etc", "proc", "dev", "root", "tmp"]) mkdirSync(join(root, folder), { recursive: true });
  const program = join(root, "bin", "busybox");
  copyFileSync(found.stdout.trim(), program);
  chmodSync(program, 0o755);
  chmodSync(join(root, "tmp"), 0o1777);
  for (const name of (await mustRun([program, "--list"])).split("\n")) {
    if (name !== "busybox") symlinkSync("busybox", join(root, "bin", name));
  }
  writeFileSync(join(root, "etc", "passwd"), "root:x:0:0:root:/root:/bin/sh\nworker:x:1000:1000::/tmp:/bin/sh\n");
  writeFileSync(join(root, "etc", "group"), "root:x:0:\nworker:x:1000:\n");
  return undefined;
}
