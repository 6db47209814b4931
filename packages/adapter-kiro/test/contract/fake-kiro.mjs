// @ts-check
// The scripted agent as a command that can say who it is: node fake-kiro.mjs DIALECT FOLDER [arguments of the command].
if (process.argv.at(-1) === "whoami") {
  console.log(process.env["KIRO_API_KEY"] === "contract-kiro-key" ? "Authenticated with API key" : "Not logged in");
} else {
  const program = new URL("../../../../fixtures/scripted-agent/scripted-agent.mjs", import.meta.url);
  await import(program.href);
}
