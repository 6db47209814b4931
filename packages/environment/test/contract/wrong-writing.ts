import { existsSync, mkdirSync, rmSync } from "node:fs";
import { appendFile, lstat, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { EngineError, type FileContent } from "@switchyard/contracts";
import { but, pause, type WrongEnvironment } from "./wrong-environment.ts";

/** Environments that write incorrectly, or confuse folders with their content. */
export const wrongWriting: readonly WrongEnvironment[] = [
  {
    fault: "a byte order mark is not written",
    noticedBy: ["bytes-of-text", "read-as-written"],
    factory: but(({ right }) => ({
      writeFile: (path, content) =>
        right.writeFile(path, typeof content === "string" ? content.replace(/^\uFEFF/, "") : content),
    })),
  },
  {
    fault: "folders are not made",
    noticedBy: ["write-makes-folders"],
    factory: but(({ right, at }) => ({
      writeFile: async (path, content) => {
        if (!existsSync(dirname(at(path)))) throw new EngineError("environment.file_not_found", { path });
        await right.writeFile(path, content);
      },
    })),
  },
  {
    fault: "a file is written over, and its rest stays",
    noticedBy: ["write-replaces"],
    factory: but(({ right, at }) => ({
      writeFile: async (path, content) => {
        if (!(await right.exists(path))) return right.writeFile(path, content);
        const file = await open(at(path), "r+");
        await file.write(Buffer.from(content));
        await file.close();
      },
    })),
  },
  {
    fault: "bytes that were written stay those of the caller",
    noticedBy: ["write-takes-bytes"],
    factory: but(({ right }) => {
      const written = new Map<string, FileContent>();
      return {
        writeFile: async (path, content) => {
          written.set(path, content);
          await right.writeFile(path, content);
        },
        readFile: async (path, options) => {
          const content = written.get(path);
          if (content !== undefined) await right.writeFile(path, content);
          return right.readFile(path, options);
        },
      };
    }),
  },
  {
    fault: "the old content is kept beside the file",
    noticedBy: ["write-leaves-nothing", "write-at-once"],
    factory: but(({ right }) => ({
      writeFile: async (path, content) => {
        await right.writeFile(path, content);
        await right.writeFile(`${path}.bak`, "old");
      },
    })),
  },
  {
    fault: "a file is written piece by piece",
    noticedBy: ["write-whole"],
    factory: but(({ at }) => ({
      writeFile: async (path, content) => {
        mkdirSync(dirname(at(path)), { recursive: true });
        const bytes = Buffer.from(content);
        await writeFile(at(path), bytes.subarray(0, bytes.length / 2));
        await pause(5);
        await appendFile(at(path), bytes.subarray(bytes.length / 2));
      },
    })),
  },
  {
    fault: "a write while another is made is left out",
    noticedBy: ["write-many"],
    factory: but(({ right }) => {
      let writing = false;
      return {
        writeFile: async (path, content) => {
          if (writing) return;
          writing = true;
          await right.writeFile(path, content).finally(() => {
            writing = false;
          });
        },
      };
    }),
  },
  {
    fault: "a written file is a new one",
    noticedBy: ["write-keeps-mode"],
    factory: but(({ right, at }) => ({
      writeFile: async (path, content) => {
        rmSync(at(path), { force: true });
        await right.writeFile(path, content);
      },
    })),
  },
  {
    fault: "folders do not exist",
    noticedBy: ["exists"],
    factory: but(({ right }) => ({
      exists: async (path) => (await right.exists(path)) && (await right.stat(path)).kind === "file",
    })),
  },
  {
    fault: "sizes are counted in characters",
    noticedBy: ["stat", "golden-files"],
    factory: but(({ right }) => ({
      stat: async (path) => {
        const found = await right.stat(path);
        return found.kind === "file" ? { ...found, size: (await right.readFile(path)).length } : found;
      },
    })),
  },
  {
    fault: "times are told in seconds",
    noticedBy: ["stat-times"],
    factory: but(({ right }) => ({
      stat: async (path) => {
        const found = await right.stat(path);
        return { ...found, modifiedMs: found.modifiedMs / 1_000 };
      },
    })),
  },
  {
    fault: "names are sorted as people would",
    noticedBy: ["list", "list-depth"],
    factory: but(({ right }) => ({
      listDirectory: async (path, depth) =>
        (await right.listDirectory(path, depth)).sort((one, other) => one.name.localeCompare(other.name)),
    })),
  },
  {
    fault: "deeper entries come last",
    noticedBy: ["list-depth", "golden-files"],
    factory: but(({ right }) => ({
      listDirectory: async (path, depth) =>
        (await right.listDirectory(path, depth)).sort(
          (one, other) => one.name.split("/").length - other.name.split("/").length,
        ),
    })),
  },
  {
    fault: "hidden entries are left out",
    noticedBy: ["list-hidden", "golden-files"],
    factory: but(({ right }) => ({
      listDirectory: async (path, depth) =>
        (await right.listDirectory(path, depth)).filter(({ name }) => !/(^|\/)\./.test(name)),
    })),
  },
  {
    fault: "a folder is not made again",
    noticedBy: ["make-folder"],
    factory: but(({ right }) => ({
      makeDirectory: async (path) => {
        if (await right.exists(path)) throw new EngineError("environment.already_exists", { path });
        await right.makeDirectory(path);
      },
    })),
  },
  {
    fault: "nothing is moved over a file",
    noticedBy: ["rename-file"],
    factory: but(({ right }) => ({
      rename: async (from, to) => {
        if (await right.exists(to)) throw new EngineError("environment.already_exists", { path: to });
        await right.rename(from, to);
      },
    })),
  },
  {
    fault: "things are moved into a folder that is there, as mv does",
    noticedBy: ["rename-folder", "rename-refused"],
    factory: but(({ right, at }) => ({
      rename: async (from, to) => {
        const isFolder = (await stat(at(to)).catch(() => undefined))?.isDirectory() === true;
        await right.rename(from, isFolder ? `${to}/${basename(from)}` : to);
      },
    })),
  },
  {
    fault: "what is in the way is removed",
    noticedBy: ["rename-refused", "rename-folder"],
    factory: but(({ right }) => ({
      rename: async (from, to) => {
        if ((await right.exists(from)) && (await right.exists(to))) await right.remove(to);
        await right.rename(from, to);
      },
    })),
  },
  {
    fault: "folders are made before it is looked what to move",
    noticedBy: ["rename-missing"],
    factory: but(({ right, at }) => ({
      rename: async (from, to) => {
        mkdirSync(dirname(at(to)), { recursive: true });
        await right.rename(from, to);
      },
    })),
  },
  {
    fault: "hidden files keep a folder from being removed",
    noticedBy: ["remove"],
    factory: but(({ right, at }) => ({
      remove: async (path) => {
        if (!(await lstat(at(path))).isDirectory()) return right.remove(path);
        const names = await readdir(at(path));
        for (const name of names.filter((one) => !one.startsWith("."))) await right.remove(join(path, name));
        if (names.every((name) => !name.startsWith("."))) await right.remove(path);
      },
    })),
  },
  {
    fault: "what is not there is removed",
    noticedBy: ["remove-refused"],
    factory: but(({ right, at }) => ({
      remove: async (path) => ((await right.exists(path)) ? right.remove(path) : rm(at(path), { force: true })),
    })),
  },
  {
    fault: "the workspace itself is moved away and back",
    noticedBy: ["remove-refused"],
    factory: but(({ right, at }) => ({
      rename: async (from, to) => {
        if (at(from) !== right.workingDirectory) return right.rename(from, to);
        await rename(right.workingDirectory, `${right.workingDirectory}-moved`);
        await rename(`${right.workingDirectory}-moved`, right.workingDirectory);
      },
    })),
  },
];
