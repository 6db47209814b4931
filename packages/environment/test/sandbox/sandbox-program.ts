// A process with one sandbox: node program.mjs ROOT HOME COMMAND…. Prints the result of each command as a line of JSON.
// A command `hang …` is left running: the process waits to be killed.
import { openSandboxedEnvironment } from "@switchyard/environment/local";

const [root = "", home = "", ...commands] = process.argv.slice(2);
const environment = await openSandboxedEnvironment({ root, env: { PATH: process.env["PATH"], HOME: home } });
for (const command of commands) {
  const onOutput = (): void => void process.stdout.write("up\n");
  if (command.startsWith("hang ")) await environment.shell(command.slice("hang ".length), { onOutput });
  else process.stdout.write(`${JSON.stringify(await environment.shell(command))}\n`);
}
await environment[Symbol.asyncDispose]();
