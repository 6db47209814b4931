import { literalTemplate, type Template } from "../template/template.ts";
import { type ConfigReader, EXPOSED } from "./config-reader.ts";
import type { LocalConfig } from "./custom-engine-config.ts";
import type { CustomBlock } from "./engine-block.ts";
import { problemOfPath } from "./problem-of-path.ts";

/** Loads the configuration of a command. See custom-engine: local transport. */
export function loadLocal({ local = {} }: CustomBlock, reader: ConfigReader): LocalConfig {
  const { command, args = [] } = local;
  if (command === undefined || command.trim() === "") {
    reader.fail("local.command", " is required when transport is local");
  }
  const path = (field: "cwd" | "input_file" | "output_file"): Template | undefined => {
    const written = local[field];
    if (written === undefined) return undefined;
    const template = reader.template(`local.${field}`, written, EXPOSED);
    const problem = problemOfPath(template);
    if (problem !== undefined) reader.fail(`local.${field}`, `: ${problem}`);
    return template;
  };
  return {
    transport: "local",
    command: reader.template("local.command", command ?? "", EXPOSED),
    args: args.map((text, index) =>
      text === "" ? literalTemplate("") : reader.template(`local.args[${index}]`, text, EXPOSED),
    ),
    cwd: path("cwd"),
    inputFile: path("input_file"),
    outputFile: path("output_file"),
  };
}
