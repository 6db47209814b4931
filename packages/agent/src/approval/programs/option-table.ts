import type { Program, ProgramForm, Risk } from "./program.ts";

/** An option of a program. */
export interface OptionSpec {
  /** First name of the option, used as its identifier. */
  readonly key: string;
  readonly value: "none" | "required" | "optional";
  /** Kind of the value. */
  readonly kind: string;
  /** Risk that prevents approval rules from covering the option. `undefined` if rules cover the option. */
  readonly risk?: Risk | undefined;
}

/** Options of a program, by name. An option with several names has one entry for each of them. */
export type OptionTable = ReadonlyMap<string, OptionSpec>;

const RISKS: readonly Risk[] = ["run", "write", "connect", "elsewhere", "discard"];
const NOTATION = /^([^:?]+)(?:([:?])([\w-]*))?$/;

/** Parses the option notation that `ProgramForm` describes. */
export function parseOptions(notation: string, risk?: Risk): Map<string, OptionSpec> {
  const table = new Map<string, OptionSpec>();
  for (const item of notation.split(" ").filter((text) => text !== "")) {
    const [, names = "", mark, kind = ""] = NOTATION.exec(item) ?? [];
    const [key = ""] = names.split("|");
    const value = mark === ":" ? "required" : mark === "?" ? "optional" : "none";
    for (const name of names.split("|")) table.set(name, { key, value, kind: kind === "" ? "any" : kind, risk });
  }
  return table;
}

function compile(program: Program, form: ProgramForm): OptionTable {
  const table = new Map<string, OptionSpec>();
  const lines = [program.wraps?.lines ?? "", program.risks?.run ?? ""].join(" ");
  for (const risks of [{ ...program.risks, run: lines }, form.risks ?? {}]) {
    for (const risk of RISKS) {
      for (const [name, spec] of parseOptions(risks[risk] ?? "", risk)) table.set(name, spec);
    }
  }
  for (const [name, spec] of parseOptions(form.options ?? "")) table.set(name, spec);
  return table;
}

const tables = new WeakMap<Program, WeakMap<ProgramForm, OptionTable>>();

/** Returns the options of a subcommand, together with the risky options of its program. */
export function optionsOf(program: Program, form: ProgramForm): OptionTable {
  const ofProgram = tables.get(program) ?? new WeakMap<ProgramForm, OptionTable>();
  tables.set(program, ofProgram);
  const known = ofProgram.get(form);
  if (known !== undefined) return known;
  const table = compile(program, form);
  ofProgram.set(form, table);
  return table;
}
