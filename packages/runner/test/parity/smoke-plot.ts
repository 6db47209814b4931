import type { Family } from "../histories/wire-checks.ts";
import type { Plot } from "./scene.ts";
import { CHILD_TASK, SMOKE_STEPS, STEERING } from "./smoke-step.ts";

/** The smoke test as one session. See loop: §9.13. */
export function smokePlot(family: Family): Plot {
  const [first] = SMOKE_STEPS;
  const steering = SMOKE_STEPS.find(({ input }) => input.includes("Flask"));
  return {
    files: { "big.txt": "x".repeat(100_000) },
    // Claude's own default is two minutes. This test must show the default of the loop. See loop: §3.5.
    config: family === "anthropic" ? { defaultCommandTimeoutMs: 10_000 } : {},
    inputs: SMOKE_STEPS.map(({ input }) => input),
    script: ({ wording }) => ({
      [first?.input ?? ""]: SMOKE_STEPS.flatMap(({ answers }) => answers(wording)),
      [CHILD_TASK]: [
        { calls: [wording.write("test_hello.py", "def test_hello():\n    import hello\n")] },
        { say: "test_hello.py has a test." },
      ],
    }),
    async onEvent(event, { session }) {
      if (event.type === "user_input" && event.data.content === steering?.input) session.steer(STEERING);
    },
    async afterInput(input, scene) {
      await SMOKE_STEPS.find((step) => step.input === input)?.check(scene);
    },
  };
}
