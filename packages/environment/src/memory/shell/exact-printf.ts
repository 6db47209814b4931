import type { Command } from "just-bash";
import { encodeContent, toLatin1 } from "./encode-content.ts";

/**
 * `printf` that writes the bytes of its escapes. The emulation's own takes `\377` for a character and writes that as
 * UTF-8; given its arguments as bytes, what it prints are bytes.
 */
export const exactPrintf: Command = {
  name: "printf",
  async execute(args, { origCommand: original }) {
    if (original === undefined) return { stdout: "", stderr: "printf: command not found\n", exitCode: 127 };
    // Into a variable goes text.
    if (args[0] === "-v") return original(args);
    const result = await original(args.map((text) => toLatin1(encodeContent(text, "utf8"))));
    return { ...result, stdoutKind: "bytes", stdoutEncoding: "binary" };
  },
};
