import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestEngine } from "@switchyard/container-engines";

const run = (...argv: readonly [string, ...string[]]): string =>
  execFileSync(argv[0], argv.slice(1), { encoding: "utf8" });

/** Image with busybox and Perl. */
export const PERL_IMAGE = "switchyard-test/perl:1";

/** Files of Perl that were copied to another root folder. Paths are relative to this folder, and begin with a slash. */
export interface CopiedPerl {
  readonly program: string;
  /** Program that loads Perl and its libraries. */
  readonly loader: string;
  /** Folders of libraries and of modules. */
  readonly libraries: readonly string[];
  readonly modules: readonly string[];
}

/** Copies Perl of this machine, and the files that Perl needs, to another root folder. */
export function copyPerl(root: string): CopiedPerl {
  const files = [...run("ldd", "/usr/bin/perl").matchAll(/(\/\S+)/g)].map(([, path = ""]) => path);
  const modules = run("perl", "-MSocket", "-MFcntl", "-MErrno", "-e", "print join qq(\\n), values %INC").split("\n");
  const binaries = modules.flatMap((path) => {
    const name = path.replace(/^.*\/(\w+)\.pm$/, "$1");
    return [join(dirname(path), "auto", name, `${name}.so`)].filter(existsSync);
  });
  for (const path of ["/usr/bin/perl", ...files, ...modules, ...binaries]) {
    cpSync(realpathSync(path), join(root, path), { recursive: true });
  }
  const folders = (paths: readonly string[]): string[] => [...new Set(paths.map((path) => dirname(path)))];
  const loader = files.find((path) => /\/ld[-.]/.test(path)) ?? "";
  return { program: "/usr/bin/perl", loader, libraries: folders(files), modules: folders(modules) };
}

/** Makes an image of the files of the busybox image, Perl of this machine, and the files that Perl needs. */
export async function importPerl({ folder, must }: TestEngine): Promise<void> {
  const root = join(folder, "perl");
  mkdirSync(root);
  run("tar", "-xf", join(folder, "busybox.tar"), "-C", root);
  copyPerl(root);
  run("tar", "-C", root, "-cf", `${root}.tar`, ".");
  await must("import", `${root}.tar`, PERL_IMAGE);
}
