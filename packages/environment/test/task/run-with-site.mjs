// @ts-check
// Runs a command in a network namespace in which a web server has a public address, and ends with its exit code. The
// server answers with the requested host, and writes each requested URL to a file.
// Usage: node run-with-site.mjs ADDRESS LOG COMMAND…
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";

const [, , address = "", log = "", ...words] = process.argv;
const server = createServer(({ headers: { host }, url }, response) => {
  appendFileSync(log, `${host}${url}\n`);
  response.end(`from ${host}`);
});
server.listen(80, address, () => {
  const command = spawn(process.execPath, words, { stdio: "inherit" });
  command.on("exit", (code) => process.exit(code ?? 1));
});
