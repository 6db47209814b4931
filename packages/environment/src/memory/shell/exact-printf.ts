import type { Command } from "just-bash";
import { encodeContent, toLatin1 } from "./encode-content.ts";

/**
 * `printf` command that writes octal escapes as bytes. It wraps the `printf` of the emulated shell, which treats `\377`
 * as a character and writes it as UTF-8. The wrapped `printf` writes bytes if all its arguments are bytes, so the
 * arguments are converted to bytes first.
 */
export const exactPrintf: Command = {
  name: "printf",
  async execute(args, { origCommand: original }) {
    if (original === undefined) return { stdout: "", stderr: "printf: command not found\n", exitCode: 127 };
    // With `-v` the output is assigned to a variable, which contains text, so the original `printf` is used.
    if (args[0] === "-v") return original(args);
    const result = await original(args.map((text) => toLatin1(encodeContent(text, "utf8"))));
    return { ...result, stdoutKind: "bytes", stdoutEncoding: "binary" };
  },
};
