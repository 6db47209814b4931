import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../evaluate.ts";

/** Files of a task that is solved by writing `done` to `/app/out.txt`. */
const TASK: Readonly<Record<string, string>> = {
  "task.toml": '[environment]\nnetwork_mode = "no-network"\ncpus = 1\nmemory_mb = 128\n',
  "instruction.md": "Write done to /app/out.txt.\n",
  "environment/Dockerfile": "FROM busybox:stable\nWORKDIR /app\n",
  "tests/test.sh":
    '#!/bin/sh\n[ "$(cat /app/out.txt)" = done ] && reward=1 || reward=0\necho $reward >/logs/verifier/reward.txt\n',
  "solution/solve.sh": "#!/bin/sh\necho done >out.txt\n",
};

/** Creates task folders in a new folder. `undefined` removes a file of the default task. */
export async function makeTasks(
  tasks: Readonly<Record<string, Readonly<Record<string, string | undefined>>>>,
): Promise<string> {
  const folder = await makeFolder();
  for (const [name, files] of Object.entries(tasks)) {
    for (const [path, content] of Object.entries({ ...TASK, ...files })) {
      if (content === undefined) continue;
      const target = join(folder, name, path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content);
      // Scripts run whatever their mode.
      await chmod(target, 0o644);
    }
  }
  return folder;
}
