import { EngineError } from "@switchyard/contracts";
import type { ParseError } from "jsonc-parser";

/** Position and cause of a JSON syntax error. */
interface JsonProblem {
  /** Line, starting at 1. */
  line: number;
  /** Column, starting at 1, in UTF-16 units. */
  column: number;
  /** Short description. */
  problem: string;
}

const LITERALS: Readonly<Record<string, string>> = {
  InvalidSymbol: "this is not a JSON value",
  InvalidNumberFormat: "this is not a JSON number",
  PropertyNameExpected: "a property name in double quotes is expected",
  ValueExpected: "a value is expected",
  ColonExpected: "a colon is expected",
  CommaExpected: "a comma or the end of the list or object is expected",
  CloseBraceExpected: "`}` is expected",
  CloseBracketExpected: "`]` is expected",
  EndOfFileExpected: "the JSON value ends here, but more text follows",
  InvalidCommentToken: "JSON has no comments",
  UnexpectedEndOfComment: "JSON has no comments",
  UnexpectedEndOfString: "this text in quotes is not closed",
  UnexpectedEndOfNumber: "this number is not complete",
  InvalidUnicode: "this escape is invalid",
  InvalidEscapeCharacter: "this escape is invalid",
  InvalidCharacter: "a character here must be escaped",
};

/**
 * Parses JSON; ignores a leading byte order mark. Rejects with `input.malformed`, whose details contain line and column
 * regardless of the Node.js version.
 */
export async function parseJson(text: string, path: string): Promise<unknown> {
  const json = text.startsWith("\uFEFF") ? text.slice(1) : text;
  try {
    const value: unknown = JSON.parse(json);
    return value;
  } catch (error) {
    throw malformedInput({ path, ...(await describeProblem(json)) }, error);
  }
}

function malformedInput(details: JsonProblem & { path: string }, cause: unknown): EngineError {
  return new EngineError("input.malformed", { ...details }, { cause });
}

async function describeProblem(json: string): Promise<JsonProblem> {
  const { parse, printParseErrorCode } = await import("jsonc-parser");
  const errors: ParseError[] = [];
  try {
    parse(json, errors, { disallowComments: true });
  } catch {
    // The JSON is nested too deeply for the parser that locates syntax errors.
  }
  const [first] = errors;
  if (first === undefined) return { line: 1, column: 1, problem: "it cannot be parsed" };
  const before = json.slice(0, first.offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return {
    line: before.split("\n").length,
    column: first.offset - lineStart + 1,
    problem: LITERALS[printParseErrorCode(first.error)] ?? "it cannot be parsed",
  };
}
