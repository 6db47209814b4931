import { describe, expect, test } from "vitest";
import { problemsOf } from "./histories/wire-checks.ts";
import { COMMAND_ROWS } from "./parity/command-rows.ts";
import { EDITING_ROW } from "./parity/editing-row.ts";
import { FILE_ROWS } from "./parity/file-rows.ts";
import type { ParityRow } from "./parity/parity-row.ts";
import { type Cast, Scene } from "./parity/scene.ts";
import { hasKey } from "./parity/scripted-provider.ts";
import { SESSION_ROWS } from "./parity/session-rows.ts";
import { at } from "./parity/wire-view.ts";

const ROWS: readonly ParityRow[] = [...FILE_ROWS, ...COMMAND_ROWS, ...SESSION_ROWS, EDITING_ROW];
const CAST: readonly Cast[] = (["openai", "anthropic", "gemini"] as const).flatMap((family) =>
  (["specification", "native"] as const).map((naming) => ({ family, naming })),
);

/** Streaming endpoints of the APIs. */
const STREAMS = {
  openai: /^\/v1\/responses$/,
  anthropic: /^\/v1\/messages$/,
  gemini: /:streamGenerateContent\?alt=sse$/,
};

/**
 * Checks that hold for every row: the script was completed, responses were streamed, and the real API would accept each
 * request.
 */
function checkCommonplaces(scene: Scene, { inputs }: ParityRow): void {
  const { family, provider, session } = scene;
  expect(session.failure).toBeUndefined();
  expect(provider.unused()).toEqual({});
  expect(scene.eventsOf("processing_end")).toMatchObject(inputs.map(() => ({ outcome: "completed" })));
  for (const request of provider.requests) {
    expect(problemsOf(family, request.body)).toEqual([]);
    expect(request.path).toMatch(STREAMS[family]);
    if (family !== "gemini") expect(at(request.body, "stream")).toBe(true);
    expect(hasKey(family, request)).toBe(true);
  }
  const text = scene
    .eventsOf("assistant_text_end")
    .map(({ content }) => content)
    .filter((content) => content !== "");
  expect(
    scene
      .eventsOf("assistant_text_delta")
      .map(({ content }) => content)
      .join(""),
  ).toBe(text.join(""));
  expect(scene.eventsOf("assistant_text_delta").length).toBeGreaterThan(text.length);
  const started = scene.eventsOf("tool_call_start").map(({ id }) => id);
  const ended = scene.eventsOf("tool_call_end").map(({ tool_call_id }) => tool_call_id);
  expect(ended.toSorted()).toEqual(started.toSorted());
  expect(new Set(started).size).toBe(started.length);
}

test("the matrix has the rows of the specification", () => {
  expect(ROWS.map(({ row }) => row).toSorted((left, right) => left - right)).toEqual(
    Array.from({ length: 15 }, (_, index) => index + 1),
  );
});

for (const cast of CAST) {
  describe(`${cast.family} under names of the ${cast.naming}`, () => {
    for (const row of ROWS) {
      test(row.title, async () => {
        await using scene = await Scene.play(cast, row);
        checkCommonplaces(scene, row);
        await row.check(scene);
      });
    }
  });
}
