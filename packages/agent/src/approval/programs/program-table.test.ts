import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkCommand } from "./check-command.ts";
import { VALUE_KINDS } from "./check-value.ts";
import { optionsOf, parseOptions } from "./option-table.ts";
import type { Program, ProgramForm } from "./program.ts";
import { findProgram, PROGRAMS } from "./program-table.ts";

interface TableForm {
  readonly program: Program;
  readonly form: ProgramForm;
  /** Arguments that select the form. */
  readonly words: readonly string[];
}

const FORMS: readonly TableForm[] = PROGRAMS.flatMap((program) =>
  program.names.flatMap((name): TableForm[] => [
    ...(program.commands === undefined ? [{ program, form: program, words: [name] }] : []),
    ...Object.entries(program.commands ?? {}).map(([command, form]) => ({ program, form, words: [name, command] })),
  ]),
);
const covered = FORMS.filter(({ form }) => form.never === undefined);

/** Returns the problem of a command under a rule that contains the arguments of its form, such as `git log *`. */
function problemOf(words: readonly string[], named: number): string | undefined {
  return checkCommand(words, named).problem;
}

describe("the table of programs", () => {
  test("gives each name one row, and each row a source [loop-8-4]", () => {
    const names = PROGRAMS.flatMap((program) => program.names);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    for (const {
      names: [first],
      source,
    } of PROGRAMS) {
      expect([first, /\(\d|https:|manual/.test(source)]).toEqual([first, true]);
    }
    for (const name of names) expect(findProgram(name)?.names).toContain(name);
  });

  test("writes its options and kinds in a notation that is understood [loop-8-4]", () => {
    for (const { program, form, words } of FORMS) {
      const notations = [form.options ?? "", form.needs ?? "", ...Object.values(program.risks ?? {})];
      for (const item of notations.flatMap((text) => text.split(" ")).filter((text) => text !== "")) {
        const [[name = "", spec] = []] = parseOptions(item);
        expect([words, item, /^(?:-[^\s|]*|\*)$/.test(name)]).toEqual([words, item, true]);
        expect(["module", ...VALUE_KINDS]).toContain(spec?.kind);
      }
      for (const kind of (form.operands ?? "any").split(" ").filter((text) => text !== "")) {
        expect(VALUE_KINDS).toContain(kind);
      }
      for (const name of parseOptions(form.needs ?? "").keys()) {
        expect([words, name, optionsOf(program, form).has(name)]).toEqual([words, name, true]);
      }
    }
  });

  test("covers no option with a risk, however it is written [loop-8-4]", () => {
    for (const { program, form, words } of covered) {
      for (const [name, { risk, value }] of optionsOf(program, form)) {
        if (risk === undefined) continue;
        const attached = name.startsWith("--") ? `${name}=x` : `${name}x`;
        const spellings = [[name], [name, "x"], ["x", name, "x"], ...(value === "none" ? [] : [[attached]])];
        for (const spelling of spellings) {
          // After an interpreter's script or a wrapper's inner command, options belong to that script or command.
          if (program.stops === true && spelling[0] === "x") continue;
          expect([words, spelling, problemOf([...words, ...spelling], words.length)]).not.toContain(undefined);
        }
      }
    }
  });

  test("covers no option that it does not list, nor an abbreviation of one [loop-8-4]", () => {
    const forms = covered.filter(({ program, form }) => !optionsOf(program, form).has("*"));
    const unlisted = fc.stringMatching(/^--[a-z][a-z-]{0,12}$/);
    fc.assert(
      fc.property(fc.constantFrom(...forms), unlisted, fc.boolean(), ({ program, form, words }, option, isAttached) => {
        fc.pre(!optionsOf(program, form).has(option));
        const spelling = isAttached ? [`${option}=x`] : [option, "x"];
        expect(problemOf([...words, ...spelling], words.length)).toBeDefined();
      }),
    );
    for (const { program, form, words } of forms) {
      const table = optionsOf(program, form);
      for (const [name] of table) {
        const short = name.slice(0, -1);
        if (!name.startsWith("--") || short.length < 3 || table.has(short)) continue;
        expect([words, short, problemOf([...words, short], words.length)]).not.toContain(undefined);
      }
    }
  });

  test("covers combined letters only if it lists each of them [loop-8-4]", () => {
    const forms = covered.filter(({ program }) => program.style === undefined && program.wraps === undefined);
    fc.assert(
      fc.property(
        fc.constantFrom(...forms),
        fc.stringMatching(/^[A-Za-z]{2,4}$/),
        ({ program, form, words }, letters) => {
          const table = optionsOf(program, form);
          fc.pre(!table.has(`-${letters}`));
          const first = [...letters].find((letter) => table.get(`-${letter}`)?.value !== "none");
          const spec = table.get(`-${first ?? ""}`);
          const isCovered = problemOf([...words, `-${letters}`], words.length) === undefined;
          if (first !== undefined && (spec === undefined || spec.risk !== undefined)) expect(isCovered).toBe(false);
        },
      ),
    );
  });

  test("covers writing forms inside the workspace only [loop-8-4]", () => {
    const writing = covered.filter(({ form }) => form.operands === "writes");
    expect(writing.length).toBeGreaterThan(8);
    for (const { words } of writing) {
      for (const path of ["/outside", "../outside", "a/../../b", "~/x", "a/./b", "host:x", "", "-"]) {
        expect([words, path, problemOf([...words, path], words.length)]).not.toContain(undefined);
      }
    }
    for (const name of ["mkdir", "touch", "rm", "cp", "tee"]) expect(problemOf([name, "a/b"], 1)).toBeUndefined();
  });
});
