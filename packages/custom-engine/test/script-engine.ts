/** An engine of a few lines of JavaScript, in which `input`, `reply` and the module `fs` are available. */
export function script(body: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  const program = `
    const fs = require("node:fs");
    const [inputFile, outputFile] = process.argv.slice(1);
    const input = JSON.parse(fs.readFileSync(inputFile, "utf8"));
    const reply = (result) => fs.writeFileSync(outputFile, JSON.stringify({ exit_code: 0, final_message: "", ...result }));
    ${body}`;
  const { local, ...custom } = fields;
  return {
    transport: "local",
    ...custom,
    local: {
      command: process.execPath,
      args: ["-e", program, "${input_file}", "${output_file}"],
      output_file: "${output_file}",
      ...(typeof local === "object" ? local : {}),
    },
  };
}
