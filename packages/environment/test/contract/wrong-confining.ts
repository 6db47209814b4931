import { execFile } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { EngineError, type GrepResult } from "@switchyard/contracts";
import { but, type Making, pause, type WrongEnvironment } from "./wrong-environment.ts";

const run = promisify(execFile);

const SWAP_MS = 1_000;

/** Waits until a folder is replaced by a link. The wait also suffices on a busy machine. */
function awaitSwap(path: string): void {
  const until = performance.now() + SWAP_MS;
  while (!isLink(path) && performance.now() < until);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** A search that follows links. */
async function followingSearch({ right }: Making, pattern: string, path = "."): Promise<GrepResult> {
  const { stdout } = await run("grep", ["-R", "-n", "-s", "-e", pattern, path], {
    cwd: right.workingDirectory,
  }).catch(() => ({ stdout: "" }));
  const lines = stdout.split("\n").filter((line) => line !== "");
  const matches = lines.map((line) => {
    const [found = "", number = "", text = ""] = line.split(":");
    return { path: found.replace(/^\.\//, ""), line: Number(number), text, isContext: false };
  });
  return { matches, truncated: false };
}

/** A search of the files of a folder, by their paths, line by line. */
function searchByPath(folder: string, pattern: string): GrepResult {
  try {
    const matches = readdirSync(folder).flatMap((name) =>
      readFileSync(`${folder}/${name}`, "utf8")
        .split("\n")
        .flatMap((text, at) => (text.includes(pattern) ? [{ path: name, line: at + 1, text, isContext: false }] : [])),
    );
    return { matches, truncated: false };
  } catch (error) {
    throw new EngineError("environment.file_not_found", { path: folder }, { cause: error });
  }
}

function isOutside(error: unknown): boolean {
  return EngineError.is(error, "environment.path_outside_workspace");
}

/** Ignores the failure of a change that leads outside the workspace. */
async function ignoreFailure(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isOutside(error)) throw error;
  });
}

/** Checks only the text of a path. */
function assertTextInside({ right, at }: Making, path: string): void {
  if (at(path).startsWith(`${right.workingDirectory}/`)) return;
  throw new EngineError("environment.path_outside_workspace", { path, root: right.workingDirectory });
}

/** Environments in which the text of a path can lead outside. */
export const wrongPaths: readonly WrongEnvironment[] = [
  {
    fault: "an absolute path is taken for a relative one",
    noticedBy: ["paths-relative"],
    factory: but(({ right }) => ({ readFile: (path, options) => right.readFile(path.replace(/^\/+/, ""), options) })),
  },
  {
    fault: "paths that lead out are read",
    noticedBy: ["paths-outside-read"],
    factory: but(({ at }) => ({ readFile: async (path) => readFileSync(at(path), "utf8") })),
  },
  {
    fault: "a file that leads out does not exist",
    noticedBy: ["paths-outside-read", "paths-outside-secret"],
    factory: but(({ right }) => ({
      exists: (path) =>
        right.exists(path).catch((error: unknown) => {
          if (isOutside(error)) return false;
          throw error;
        }),
    })),
  },
  {
    fault: "changes outside are left out in silence",
    noticedBy: ["paths-outside-changed", "paths-outside-secret", "links-out-written"],
    factory: but(({ right }) => ({ writeFile: (path, content) => ignoreFailure(right.writeFile(path, content)) })),
  },
  {
    fault: "the target of a move may be outside",
    noticedBy: ["paths-outside-changed"],
    factory: but(({ right }) => ({ rename: (from, to) => ignoreFailure(right.rename(from, to)) })),
  },
  {
    fault: "a file beside the workspace is written by its path",
    noticedBy: ["paths-outside-secret"],
    factory: but(({ right, subject }) => ({
      writeFile: async (path, content) => {
        if (!path.startsWith(`${subject.outside}/`)) return right.writeFile(path, content);
        await writeFile(path, content);
        throw new EngineError("environment.path_outside_workspace", { path });
      },
    })),
  },
  {
    fault: "a pattern that leads out finds nothing",
    noticedBy: ["paths-outside-glob", "links-out-read"],
    factory: but(({ right }) => ({
      glob: (pattern, options) =>
        right.glob(pattern, options).catch((error: unknown) => {
          if (isOutside(error) && options?.path === undefined) return [];
          throw error;
        }),
    })),
  },
  {
    fault: "a working folder outside is the workspace",
    noticedBy: ["paths-outside-cwd", "links-out-cwd", "cwd-refused"],
    factory: but(({ right }) => ({
      exec: (argv, options) => right.exec(argv, options).catch(() => right.exec(argv, { ...options, cwd: "." })),
    })),
  },
  {
    fault: "an empty path is the workspace",
    noticedBy: ["names-unusable"],
    factory: but(({ right }) => ({ stat: (path) => right.stat(path === "" ? "." : path) })),
  },
  {
    fault: "a path ends at its NUL",
    noticedBy: ["names-unusable"],
    factory: but(({ right }) => ({
      writeFile: (path, content) => right.writeFile(path.split("\0", 1).join(), content),
    })),
  },
  {
    fault: "names of more than 200 bytes are too long",
    noticedBy: ["names-longest"],
    factory: but(({ right }) => ({
      readFile: async (path, options) => {
        if (path.split("/").some((name) => Buffer.byteLength(name) > 200))
          throw new EngineError("environment.invalid_path", { path });
        return right.readFile(path, options);
      },
    })),
  },
  {
    fault: "files are read by a shell",
    noticedBy: ["names-odd", "names-odd-top"],
    factory: but(({ right }) => ({ readFile: async (path) => (await right.shell(`cat ${path}`)).stdout })),
  },
  {
    fault: "things are removed by a shell",
    noticedBy: ["names-odd-moved"],
    factory: but(({ right }) => ({
      remove: async (path) => {
        await right.shell(`rm -rf ./${path.replace(/[^\w*?[\]/-]/g, "")}`);
      },
    })),
  },
  {
    fault: "what is found is told in lines",
    noticedBy: ["names-odd-found"],
    factory: but(({ right }) => ({
      glob: async (pattern, options) => (await right.glob(pattern, options)).join("\n").split("\n"),
    })),
  },
];

/** Environments in which links can lead outside. */
export const wrongLinks: readonly WrongEnvironment[] = [
  {
    fault: "links are not followed",
    noticedBy: ["links-inside"],
    factory: but(({ right, at }) => ({
      readFile: async (path, options) => {
        if ((await realpath(at(path))) !== at(path)) throw new EngineError("environment.not_a_file", { path });
        return right.readFile(path, options);
      },
    })),
  },
  {
    fault: "what a link leads to is listed",
    noticedBy: ["links-listed"],
    factory: but(({ right, at }) => ({
      listDirectory: async (path, depth) => {
        const entries = await right.listDirectory(path, depth);
        const followed = entries.map(async (entry) => {
          if (entry.kind !== "symlink") return entry;
          const found = await stat(at(entry.name)).catch(() => undefined);
          return { ...entry, kind: found?.isDirectory() ? ("directory" as const) : ("file" as const) };
        });
        return Promise.all(followed);
      },
    })),
  },
  {
    fault: "readers look at the text of a path alone",
    noticedBy: ["links-out-read"],
    factory: but((making) => ({
      readBytes: async (path) => {
        assertTextInside(making, path);
        return readFile(making.at(path));
      },
    })),
  },
  {
    fault: "writers look at the text of a path alone",
    noticedBy: ["links-out-written", "swap-written"],
    factory: but((making) => ({
      writeFile: async (path, content) => {
        assertTextInside(making, path);
        if (!/out|live\//.test(path)) return making.right.writeFile(path, content);
        await writeFile(making.at(path), content).catch((error: unknown) => {
          throw new EngineError("environment.io_failed", { path }, { cause: error });
        });
      },
    })),
  },
  {
    fault: "the search follows links",
    noticedBy: ["links-out-search"],
    factory: but((making) => ({ grep: (pattern, options) => followingSearch(making, pattern, options?.path) })),
  },
  {
    fault: "links in a circle fail somehow",
    noticedBy: ["links-circle"],
    factory: but(({ right }) => ({
      stat: (path) =>
        right.stat(path).catch((error: unknown) => {
          if (!EngineError.is(error, "environment.invalid_path")) throw error;
          throw new EngineError("environment.io_failed", { path }, { cause: error });
        }),
    })),
  },
  {
    fault: "what a link leads to is removed",
    noticedBy: ["links-removed"],
    factory: but(({ at }) => ({ remove: async (path) => rm(await realpath(at(path)), { recursive: true }) })),
  },
];

/** Environments that check a path, and use it afterwards. */
export const wrongMoments: readonly WrongEnvironment[] = [
  {
    fault: "a path is checked before it is read",
    noticedBy: ["swap-read", "swap-read-file"],
    factory: but(({ right, at }) => {
      const readChecked = async (path: string): Promise<Buffer> => {
        await right.stat(path);
        // Long enough for a replacement in between, also on a busy machine.
        await pause(1);
        return readFile(at(path)).catch((error: unknown) => {
          throw new EngineError("environment.file_not_found", { path }, { cause: error });
        });
      };
      return {
        readFile: async (path) => (await readChecked(path)).toString(),
        readBytes: readChecked,
      };
    }),
  },
  {
    fault: "a folder is checked before something is written into it",
    noticedBy: ["swap-written"],
    factory: but(({ right, at }) => ({
      writeFile: async (path, content) => {
        if (!path.startsWith("live/")) return right.writeFile(path, content);
        await right.stat(dirname(path));
        await writeFile(at(path), content).catch((error: unknown) => {
          throw new EngineError("environment.file_not_found", { path }, { cause: error });
        });
      },
    })),
  },
  {
    fault: "a folder is checked before something is moved out of it",
    noticedBy: ["swap-moved"],
    factory: but(({ right, at }) => ({
      rename: async (from, to) => {
        await right.stat(dirname(from));
        // Long enough for a replacement in between, also on a busy machine.
        await pause(1);
        await rename(at(from), at(to)).catch((error: unknown) => {
          throw new EngineError("environment.file_not_found", { path: from }, { cause: error });
        });
      },
    })),
  },
  {
    fault: "what is in a folder is removed by its path",
    noticedBy: ["swap-removed"],
    factory: but(({ at }) => ({
      remove: async (path) => {
        const folder = at(path);
        await pause(0);
        if (isLink(folder)) return;
        try {
          const names = readdirSync(folder).toSorted().toReversed();
          awaitSwap(folder);
          for (const name of names) rmSync(`${folder}/${name}`, { force: true });
        } catch (error) {
          throw new EngineError("environment.file_not_found", { path }, { cause: error });
        }
      },
    })),
  },
  {
    fault: "a folder is checked before it is searched",
    noticedBy: ["swap-search"],
    factory: but(({ right, at }) => ({
      grep: async (pattern, options) => {
        if (options?.path !== "live") return right.grep(pattern, options);
        await right.stat(options.path);
        awaitSwap(at(options.path));
        return searchByPath(at(options.path), pattern);
      },
    })),
  },
  {
    fault: "a working folder is checked before something runs in it",
    noticedBy: ["swap-cwd"],
    factory: but(({ right, at }) => ({
      exec: async (argv, options) => {
        await right.stat(options?.cwd ?? ".");
        return right.exec(["sh", "-c", 'cd "$0" && exec "$@"', at(options?.cwd ?? "."), ...argv]);
      },
    })),
  },
  {
    fault: "pipes, sockets and devices are looked at for a while",
    noticedBy: ["pipes", "sockets"],
    factory: but(({ right, at }) => ({
      readBytes: async (path, options) => {
        const found = await stat(at(path)).catch(() => undefined);
        if (found !== undefined && !found.isFile() && !found.isDirectory()) await right.shell("sleep 2.2");
        return right.readBytes(path, options);
      },
    })),
  },
  {
    fault: "devices are files",
    noticedBy: ["devices"],
    factory: but(({ right, at }) => ({
      readBytes: async (path, options) => {
        const found = await stat(at(path)).catch(() => undefined);
        return found?.isCharacterDevice() ? new Uint8Array(options?.length ?? 1) : right.readBytes(path, options);
      },
    })),
  },
];
