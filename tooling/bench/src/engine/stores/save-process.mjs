// @ts-check
// Saves checkpoints of some sessions at once: `save-process.mjs <kind> <sessions> <steps of each>`. Run under strace.
import { createRun, inNewFolder, openBenchStore } from "./bench-store.mjs";
import { saveSteps } from "./save-steps.mjs";

const [kind, sessions, steps] = process.argv.slice(2);
await inNewFolder(async (folder) => {
  const store = await openBenchStore(kind === "sqlite" ? "sqlite" : "file", folder);
  const runs = Array.from({ length: Number(sessions) }, async (_, index) => {
    const step = saveSteps(await createRun(store, `run-${index}`));
    for (let done = 0; done < Number(steps); done += 1) await step();
  });
  await Promise.all(runs);
  await store.close();
});
