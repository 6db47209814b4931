import { EngineError, EVENT_TYPES } from "@switchyard/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  agentIdOf,
  assertPattern,
  assertRunId,
  assertSubject,
  isStreamDelta,
  matchesPattern,
  nodeIdOf,
  patternAllRuns,
  patternRun,
  patternRunSteps,
  patternRunStream,
  sanitiseId,
  subjectOf,
} from "../index.ts";

test("every subject begins with engine.run. and the run's id [engine-subjects-1]", () => {
  for (const type of EVENT_TYPES) expect(subjectOf(type, "run-1", "agent")).toMatch(/^engine\.run\.run-1\./);
});

test("run start and end, steps and increments have the subjects of the contract [engine-subjects-2] [engine-subjects-3] [engine-subjects-4]", () => {
  expect(subjectOf("run_start", "r")).toBe("engine.run.r.start");
  expect(subjectOf("run_end", "r", "agent")).toBe("engine.run.r.end");
  expect(subjectOf("step_start", "r", "a")).toBe("engine.run.r.step.a.start");
  expect(subjectOf("step_complete", "r", "a")).toBe("engine.run.r.step.a.complete");
  expect(subjectOf("step_error", "r", "a")).toBe("engine.run.r.step.a.error");
  expect(subjectOf("assistant_text_delta", "r", "a")).toBe("engine.run.r.stream.a.delta");
  expect(subjectOf("warning", "r", "a")).toBe("engine.run.r.session.a.warning");
});

test("an actor is one segment, and the builders sanitise their arguments [engine-subjects-7] [engine-sanitise-id-3]", () => {
  expect(subjectOf("step_start", "a.b", "agent.node.x*>")).toBe("engine.run.a_b.step.agent_node_x__.start");
  expect(subjectOf("step_start", "", "")).toBe("engine.run._.step._.start");
  expect(patternRun("a.>")).toBe("engine.run.a__.>");
});

test("dots, asterisks and greater-than signs become underscores, the empty text becomes one [engine-sanitise-id-1] [engine-sanitise-id-2]", () => {
  expect(sanitiseId("a.b*c>d-e_f")).toBe("a_b_c_d-e_f");
  expect(sanitiseId("")).toBe("_");
});

test("the agent id ends before the first .node. or .iter with digits [engine-subjects-8]", () => {
  const expected = {
    agent: "agent",
    "agent.node.plan": "agent",
    "agent-A.iter3": "agent-A",
    "agent.iter12.node.x": "agent",
    "agent.node.x.iter3": "agent",
    "agent.iterate": "agent.iterate",
    "agent.nodes": "agent.nodes",
    "agent.node": "agent.node",
    "team.agent.stmt4": "team.agent.stmt4",
    "": "",
  };
  for (const [actor, agent] of Object.entries(expected)) expect(agentIdOf(actor), actor).toBe(agent);
  expect([nodeIdOf("agent.node.plan.b"), nodeIdOf("agent.iter3")]).toEqual(["plan.b", undefined]);
});

test("patterns select all runs, one run, its steps and its stream [engine-subjects-9] [engine-subjects-11]", () => {
  const subjects = EVENT_TYPES.flatMap((type) => [subjectOf(type, "r", "a"), subjectOf(type, "other", "a")]);
  const selected = (pattern: string): string[] => subjects.filter((subject) => matchesPattern(pattern, subject));
  expect(selected(patternAllRuns())).toEqual(subjects);
  expect(selected(patternRun("r"))).toEqual(subjects.filter((subject) => subject.startsWith("engine.run.r.")));
  expect(selected(patternRunSteps("r"))).toEqual(
    subjects.filter((subject) => subject.startsWith("engine.run.r.step.")),
  );
  expect(selected(patternRunStream("r"))).toEqual(
    subjects.filter((subject) => subject.startsWith("engine.run.r.stream.")),
  );
});

test("the pattern of a run also matches an engine's own subjects [engine-subjects-10]", () => {
  expect(matchesPattern(patternRun("r"), "engine.run.r.parallel.fork")).toBe(true);
  expect(matchesPattern(patternRun("r"), "engine.run.r")).toBe(false);
  expect(matchesPattern(patternRun("r"), "engine.run.r2.start")).toBe(false);
});

test("stream subjects are recognised by their text alone [engine-is-stream-delta-1]", () => {
  expect(isStreamDelta("engine.run.r.stream.agent.delta")).toBe(true);
  for (const subject of [
    "engine.run.r.start",
    "engine.run.r.stream.delta",
    "engine.run.r.stream.a.b.delta",
    "other.run.r.stream.a.delta",
    "engine.run.r.stream.a.delta.x",
    "",
  ]) {
    expect(isStreamDelta(subject), subject).toBe(false);
  }
});

test("a subject has 1 to 1024 bytes, no empty segment and no wildcard [engine-envelope-3]", () => {
  for (const subject of ["a", "a.b", "é".repeat(512)]) expect(() => assertSubject(subject)).not.toThrow();
  for (const subject of ["", ".", "a.", ".a", "a..b", "a.*", "a.b>", "é".repeat(513)]) {
    expect(() => assertSubject(subject), subject).toThrow(EngineError);
  }
});

test("an asterisk is one segment, a greater-than sign one or more last ones [engine-envelope-4] [engine-envelope-5]", () => {
  const table: [pattern: string, subject: string, matches: boolean][] = [
    ["a.*.c", "a.b.c", true],
    ["a.*.c", "a.b.b.c", false],
    ["a.*", "a", false],
    ["*", "a", true],
    ["a.>", "a", false],
    ["a.>", "a.b", true],
    ["a.>", "a.b.c.d", true],
    [">", "a.b", true],
    ["a.b", "a.b", true],
    ["a.b", "a.B", false],
    ["a.b", "a.b.c", false],
    ["*.*.>", "a.b", false],
    [">", "a", true],
    ["*.run.*.node.>", "graph.run.r1.node.n1.start", true],
    // An invalid subject matches nothing, and an invalid pattern selects nothing.
    [">", "", false],
    ["*", "", false],
    ["", "", false],
    ["", "a", false],
    ["a.b", "", false],
    ["a.*.b", "a..b", false],
    ["a.>", "a.", false],
    ["a.>", "a..b", false],
    [">", ".a", false],
    ["*.a", ".a", false],
    ["a..b", "a..b", false],
    ["a.>.b", "a.x", false],
    ["a.>.b", "a.x.b", false],
    [">.b", "a.b", false],
  ];
  for (const [pattern, subject, matches] of table)
    expect(matchesPattern(pattern, subject), `${pattern} ${subject}`).toBe(matches);
  for (const pattern of ["", "a..b", "a.b*", "a.>.b", "a>", "a.>b", "**"])
    expect(() => assertPattern(pattern), pattern).toThrow(EngineError);
  for (const pattern of [">", "*", "a.*.>", "a.b"]) expect(() => assertPattern(pattern)).not.toThrow();
});

const segment = fc.string({ unit: fc.constantFrom("a", "b", "-"), minLength: 1, maxLength: 2 });
const part = fc.oneof(segment, fc.constant("*"));

test("a pattern matches the same subjects as the equivalent regular expression [engine-envelope-4] [engine-envelope-5]", () => {
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      fc.array(segment, { minLength: 1, maxLength: 5 }),
      (parts, open, segments) => {
        const pattern = [...parts, ...(open ? [">"] : [])].join(".");
        const subject = segments.join(".");
        assertPattern(pattern);
        const source = parts.map((text) => (text === "*" ? "[^.]+" : text)).join("\\.") + (open ? "\\..+" : "");
        expect(matchesPattern(pattern, subject)).toBe(new RegExp(`^${source}$`).test(subject));
      },
    ),
  );
});

test("for any ids of a run and an actor, the subject is valid and belongs to that run [engine-subjects-1] [engine-subjects-7]", () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 20 }),
      fc.string({ maxLength: 20 }),
      fc.constantFrom(...EVENT_TYPES),
      (runId, actor, type) => {
        const subject = subjectOf(type, runId, actor);
        expect(() => assertSubject(subject)).not.toThrow();
        expect(matchesPattern(patternRun(runId), subject)).toBe(true);
      },
    ),
  );
});

test("a run id that would change in a subject, or is not a plain file name, is refused [engine-run-2]", () => {
  for (const id of ["run-1", "A_b-9", "x".repeat(128)]) expect(() => assertRunId(id)).not.toThrow();
  for (const id of ["", ".", "..", "a.b", "a/b", "a\\b", "a*", "a>b", "a b", "a\0", "é", "x".repeat(129)]) {
    expect(() => assertRunId(id), id).toThrow(EngineError);
  }
});
