import { createMemoryEnvironment } from "@switchyard/environment/memory";
import { expect, test } from "vitest";
import { runEngine } from "../../../test/run-engine.ts";

const COUNTING = {
  ...{ transport: "local", env: { WORD: "${kwargs.word}" }, kwargs: { word: "hello" } },
  local: {
    command: "sh",
    args: [
      "-c",
      'printf \'{"exit_code":0,"final_message":"%s from %s"}\' "$WORD" "$(pwd)" > "$2"',
      "sh",
      "${input_file}",
      "${output_file}",
    ],
    output_file: "${output_file}",
  },
};

test("a command runs in the session's environment: with one in memory, nothing of this machine is touched [custom-local-4]", async () => {
  await using environment = createMemoryEnvironment({ files: { "outputs/session-result.json": "old" } });
  const { result, error } = await runEngine(COUNTING, { environment });
  expect(error).toBeUndefined();
  // The variable's value is in `env` and therefore masked, but this value is too short for that.
  expect(result?.final_message).toBe(`hello from ${environment.workingDirectory}`);
  expect(JSON.parse(await environment.readFile("inputs/messages.json"))).toMatchObject({ kwargs: { word: "hello" } });
});
