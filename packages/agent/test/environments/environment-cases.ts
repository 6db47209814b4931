import type { ExecutionEnvironment } from "@switchyard/contracts";
import { expect } from "vitest";

/** Something that every environment does. loop: §4.1. */
export interface EnvironmentCase {
  readonly title: string;
  run(environment: ExecutionEnvironment): Promise<void>;
}

function refusal(code: string): object {
  return expect.objectContaining({ code });
}

const FILE_CASES: readonly EnvironmentCase[] = [
  {
    title: "a file that was written is read as it is, with the folders it needed",
    async run(environment) {
      const content = "\uFEFFün\r\n\r\n😀 without an end";
      await environment.writeFile("a/b/c.txt", content);
      expect(await environment.readFile("a/b/c.txt")).toBe(content);
      expect(await environment.stat("a/b/c.txt")).toMatchObject({ kind: "file", size: Buffer.byteLength(content) });
      expect(await environment.stat("a/b")).toMatchObject({ kind: "directory" });
      await environment.writeFile("a/b/c.txt", "shorter");
      expect(await environment.readFile("a/b/c.txt")).toBe("shorter");
    },
  },
  {
    title: "a window of a file has the lines and bytes that were asked for",
    async run(environment) {
      await environment.writeFile("lines.txt", "one\ntwo\nthree\nfour");
      expect(await environment.readFile("lines.txt", { offset: 2, limit: 2 })).toBe("two\nthree\n");
      expect(await environment.readFile("lines.txt", { offset: 4 })).toBe("four");
      expect(await environment.readFile("lines.txt", { offset: 9 })).toBe("");
      const bytes = await environment.readBytes("lines.txt", { offset: 4, length: 3 });
      expect(new TextDecoder().decode(bytes)).toBe("two");
    },
  },
  {
    title: "a path may be absolute, and none leads out",
    async run(environment) {
      await environment.writeFile(`${environment.workingDirectory}/here.txt`, "here");
      expect(await environment.readFile("./x/../here.txt")).toBe("here");
      for (const path of ["../outside.txt", "/etc/passwd", "a/../../outside.txt"]) {
        const outside = refusal("environment.path_outside_workspace");
        await expect(environment.readFile(path)).rejects.toEqual(outside);
        await expect(environment.writeFile(path, "")).rejects.toEqual(outside);
      }
    },
  },
  {
    title: "what is not there, no file or no text is told apart",
    async run(environment) {
      await environment.writeFile("folder/bytes.bin", Uint8Array.of(0, 255, 1));
      expect([await environment.exists("nothing"), await environment.exists("folder")]).toEqual([false, true]);
      const missing = refusal("environment.file_not_found");
      await expect(environment.readFile("nothing")).rejects.toEqual(missing);
      await expect(environment.stat("nothing")).rejects.toEqual(missing);
      await expect(environment.listDirectory("nothing")).rejects.toEqual(missing);
      await expect(environment.readFile("folder")).rejects.toEqual(refusal("environment.not_a_file"));
      await expect(environment.readFile("folder/bytes.bin")).rejects.toEqual(refusal("environment.binary_file"));
      expect([...(await environment.readBytes("folder/bytes.bin"))]).toEqual([0, 255, 1]);
    },
  },
  {
    title: "folders are made, listed as deep as asked for, moved into and removed with all that is in them",
    async run(environment) {
      await environment.makeDirectory("d/empty");
      await environment.writeFile("d/x.txt", "12");
      await environment.rename("d/x.txt", "d/new/y.txt");
      const entries = await environment.listDirectory("d", 2);
      expect(entries.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
        "directory empty",
        "directory new",
        "file new/y.txt",
      ]);
      expect((await environment.listDirectory("d")).map(({ name }) => name)).toEqual(["empty", "new"]);
      await environment.remove("d/new");
      expect(await environment.exists("d/new/y.txt")).toBe(false);
    },
  },
];

const SEARCH_CASES: readonly EnvironmentCase[] = [
  {
    title: "grep finds lines, and says when there are more",
    async run(environment) {
      await environment.writeFile("s/a.ts", "Needle\nhay\nneedle\n");
      await environment.writeFile("s/b.md", "needle\n");
      const lines = await environment.grep("needle", { path: "s", glob: "*.ts" });
      expect(lines).toEqual({
        matches: [{ path: "s/a.ts", line: 3, text: "needle", isContext: false }],
        truncated: false,
      });
      const { matches } = await environment.grep("^needle$", { path: "s", caseInsensitive: true, mode: "count" });
      expect(matches.map(({ path, text }) => `${path} ${text}`).sort()).toEqual(["s/a.ts 2", "s/b.md 1"]);
      expect(await environment.grep("e", { path: "s", maxResults: 1 })).toMatchObject({ truncated: true });
      await expect(environment.grep("(")).rejects.toEqual(refusal("environment.invalid_pattern"));
    },
  },
  {
    title: "glob finds files by their paths from the working directory",
    async run(environment) {
      for (const path of ["g/a.ts", "g/deep/b.ts", "g/c.md"]) await environment.writeFile(path, "");
      expect((await environment.glob("g/**/*.ts")).sort()).toEqual(["g/a.ts", "g/deep/b.ts"]);
      expect(await environment.glob("*.md", { path: "g" })).toEqual(["g/c.md"]);
      expect(await environment.glob("g/**", { maxResults: 1 })).toHaveLength(1);
    },
  },
];

const COMMAND_CASES: readonly EnvironmentCase[] = [
  {
    title: "a command's output comes back, and is shown while it arrives",
    async run(environment) {
      const shown: string[] = [];
      const onOutput = ({ text }: { text: string }): void => void shown.push(text);
      const result = await environment.shell("echo out of it", { onOutput });
      expect(result).toMatchObject({ stdout: "out of it\n", stderr: "", exitCode: 0, timedOut: false, aborted: false });
      expect(shown.join("")).toBe("out of it\n");
      expect((await environment.exec(["echo", "a  b"])).stdout).toBe("a  b\n");
    },
  },
  {
    title: "a command that is not there is told",
    async run(environment) {
      const result = await environment.shell("no-such-command-anywhere");
      expect(result.exitCode).toBe(127);
      expect(result.stderr).toContain("not found");
      await expect(environment.exec(["no-such-command-anywhere"])).rejects.toEqual(
        refusal("environment.command_not_found"),
      );
    },
  },
  {
    title: "a command ends by its time limit, or by its signal",
    async run(environment) {
      expect(await environment.shell("sleep 30", { timeoutMs: 50 })).toMatchObject({ timedOut: true, aborted: false });
      const signal = AbortSignal.abort();
      expect(await environment.shell("sleep 30", { signal })).toMatchObject({ timedOut: false, aborted: true });
    },
  },
];

/** The cases that any environment passes, whoever wrote it. */
export const ENVIRONMENT_CASES: readonly EnvironmentCase[] = [...FILE_CASES, ...SEARCH_CASES, ...COMMAND_CASES];
