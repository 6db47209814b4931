import { EngineError } from "@switchyard/contracts";
import { type ComparedReplay, type Difference, firstDifference } from "@switchyard/llm/cassette";
import type { Endpoint } from "../api/find-endpoint.ts";
import type { CallCleaner } from "./clean-call.ts";
import type { ModelCallRecording, RecordedModelCall } from "./model-call-recording.ts";

/** Options for responding from a recording. */
export interface ReplayOptions {
  /** Recording of an earlier run; see `parseModelCalls`. */
  readonly recording: ModelCallRecording;
  /**
   * Function that is applied to every text of the recorded and the actual request before they are compared; see
   * `createNormaliser` of `@switchyard/llm/cassette`. The gateway first replaces values that differ between two runs of
   * the same agent, such as UUIDs and times.
   */
  readonly normalise?: ((text: string) => string) | undefined;
  /**
   * Names of fields that are not compared, at any depth. Default: fields in which agents send ids of sessions, such as
   * `metadata` and `prompt_cache_key`.
   */
  readonly ignore?: readonly string[] | undefined;
}

/** Skills in the system prompt of Gemini CLI. Gemini CLI lists them in the order in which it happened to load them. */
const SKILLS = /(?<=<available_skills>)[\s\S]*?(?=<\/available_skills>)/g;

/** Sorts the skills in a system prompt, so that their order does not matter. */
function sortSkills(list: string): string {
  return list.split("</skill>").sort().join("</skill>");
}

/** Patterns of texts that differ between two runs, such as random ids and measured times, and their placeholders. */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  // UUIDs of messages and sessions.
  [/(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/gi, "<uuid>"],
  // Ids of tool calls in Gemini CLI: the name of the tool, the time, and a number.
  [/^(\w+)_\d{13}_(\d+)$/, "$1_<time>_$2"],
  // Last line of a command's output in Gemini CLI.
  [/^Process Group PGID: \d+$/gm, "Process Group PGID: <pid>"],
  // First lines of a command's output in Codex.
  [/^Chunk ID: [0-9a-f]+\nWall time: [\d.]+ seconds$/gm, "<chunk>"],
  // First line of a prompt in Copilot CLI.
  [/<current_datetime>[^<]*<\/current_datetime>/g, "<current_datetime>"],
];

const IGNORED: readonly string[] = ["metadata", "client_metadata", "user", "prompt_cache_key", "safety_identifier"];

/** Responds to the requests of one run from a recording. */
export interface Replay extends ComparedReplay {
  /** Returns the recorded call that matches a request. Throws `cassette.mismatch` or `cassette.exhausted`. */
  next(endpoint: Endpoint, request: RecordedModelCall["request"]): RecordedModelCall;
}

/**
 * Creates a replay. Requests must match the recorded ones in their order, except concurrent requests. The first
 * difference of a run is what `assertFinished` throws.
 */
export function createReplay({ recording, normalise, ignore = IGNORED }: ReplayOptions, cleaner: CallCleaner): Replay {
  const { calls } = recording;
  const unplayed = [...calls];
  const normaliseText = (text: string): string => {
    let stable = text.replace(SKILLS, (list) => sortSkills(list));
    for (const [pattern, placeholder] of VOLATILE) stable = stable.replace(pattern, placeholder);
    return normalise === undefined ? stable : normalise(stable);
  };
  const options = { normalise: normaliseText, ignore: new Set(ignore) };
  let failure: EngineError | undefined;
  let index = 0;

  function differenceOf(call: RecordedModelCall, actual: object): Difference | undefined {
    const { api, path, request } = call;
    return firstDifference({ api, path, request }, actual, options);
  }
  function fail(error: EngineError): never {
    failure ??= error;
    throw error;
  }
  return {
    next({ api, path }, request) {
      index += 1;
      const [first] = unplayed;
      if (first === undefined) return fail(new EngineError("cassette.exhausted", { index, calls: calls.length }));
      const actual = { api, path, request: cleaner.request(request) };
      const position = unplayed.findIndex((call) => differenceOf(call, actual) === undefined);
      const [found] = position < 0 ? [] : unplayed.splice(position, 1);
      if (found !== undefined) return found;
      const difference = differenceOf(first, actual) ?? { path: "", expected: "", actual: "" };
      const problem = `${difference.path} was recorded as ${difference.expected} and is ${difference.actual}`;
      return fail(new EngineError("cassette.mismatch", { index, ...difference, problem }));
    },
    assertFinished() {
      if (failure !== undefined) throw failure;
      if (unplayed.length > 0) {
        throw new EngineError("cassette.unused", { unused: unplayed.length, calls: calls.length });
      }
    },
  };
}
