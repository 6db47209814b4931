import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestEngine } from "@switchyard/container-engines";

/** Image with busybox and Perl. */
export const PERL_IMAGE = "switchyard-test/perl:1";

/** Makes an image of the files of the busybox image, Perl of this machine, and the files that Perl needs. */
export async function importPerl({ folder, must }: TestEngine): Promise<void> {
  const root = join(folder, "perl");
  mkdirSync(root);
  const run = (...argv: readonly [string, ...string[]]): string =>
    execFileSync(argv[0], argv.slice(1), { encoding: "utf8" });
  run("tar", "-xf", join(folder, "busybox.tar"), "-C", root);
  const files = [...run("ldd", "/usr/bin/perl").matchAll(/(\/\S+)/g)].map(([, path = ""]) => path);
  const modules = run("perl", "-MSocket", "-MFcntl", "-MErrno", "-e", "print join qq(\\n), values %INC").split("\n");
  const binaries = modules.flatMap((path) => {
    const name = path.replace(/^.*\/(\w+)\.pm$/, "$1");
    return [join(dirname(path), "auto", name, `${name}.so`)].filter(existsSync);
  });
  for (const path of ["/usr/bin/perl", ...files, ...modules, ...binaries]) {
    cpSync(realpathSync(path), join(root, path), { recursive: true });
  }
  run("tar", "-C", root, "-cf", `${root}.tar`, ".");
  await must("import", `${root}.tar`, PERL_IMAGE);
}
