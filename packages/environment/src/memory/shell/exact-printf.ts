import type { Command } from "just-bash";
import { encodeContent, toLatin1 } from "./encode-content.ts";

/**
 * `printf` that writes escapes as bytes. The emulation's version treats `\377` as a character and writes UTF-8; with
 * arguments given as bytes, it prints bytes.
 */
export const exactPrintf: Command = {
  name: "printf",
  async execute(args, { origCommand: original }) {
    if (original === undefined) return { stdout: "", stderr: "printf: command not found\n", exitCode: 127 };
    // Variables contain text.
    if (args[0] === "-v") return original(args);
    const result = await original(args.map((text) => toLatin1(encodeContent(text, "utf8"))));
    return { ...result, stdoutKind: "bytes", stdoutEncoding: "binary" };
  },
};
