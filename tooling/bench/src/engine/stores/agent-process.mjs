// @ts-check
// One run of the agent whose model asks for a tool in each of so many rounds. Run under strace.
import { createAgentEngine, createAnthropicProfile } from "@switchyard/agent";
import { DEPENDENCY, SESSION_INPUT } from "@switchyard/contracts";
import { createBoard, createDependencies, noopHost } from "@switchyard/engine";
import { openEnvironment } from "@switchyard/environment";
import { scriptedClient, text, toolCall } from "@switchyard/testkit";
import { createRun, inNewFolder, openBenchStore } from "./bench-store.mjs";

const rounds = Number(process.argv[2]);
await inNewFolder(async (folder) => {
  const store = await openBenchStore("file", folder);
  const writer = await createRun(store, "agent-run");
  const environment = await openEnvironment({ type: "local", root: folder, env: process.env });
  const calls = Array.from({ length: rounds }, (_, index) =>
    toolCall("write_file", { file_path: `note-${index}.txt`, content: `Round ${index}.` }),
  );
  const engine = createAgentEngine({
    client: scriptedClient([...calls, text("Done.")]),
    profile: createAnthropicProfile({ model: "scripted" }),
  });
  const board = createBoard();
  board.set(SESSION_INPUT, { messages: [{ role: "user", content: "Write the notes." }] });
  const run = {
    id: "agent-run",
    attributes: {},
    deps: createDependencies([[DEPENDENCY.environment, environment]]),
    signal: new AbortController().signal,
  };
  await engine.execute(run, { ...noopHost(), checkpoint: (checkpoint) => writer.save(checkpoint) }, board);
  await environment[Symbol.asyncDispose]();
  await store.close();
});
