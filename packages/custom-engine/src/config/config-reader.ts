import type { TemplateRules } from "../template/resolve-template.ts";
import type { Template } from "../template/template.ts";

/** Takes the problems of a configuration, and resolves its texts. */
export interface ConfigReader {
  /** Notes a problem of a field below `engine.custom`. */
  fail(field: string, problem: string): void;
  /** A text as a template; its problems are noted. */
  template(field: string, text: string, rules: TemplateRules): Template;
}

/** Texts that others can read: command lines and addresses. */
export const EXPOSED: TemplateRules = { isExposed: true, unknownNames: ["session_id"] };
/** Texts that only the engine sees. */
export const PRIVATE: TemplateRules = { isExposed: false, unknownNames: ["session_id"] };
