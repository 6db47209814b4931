import type { TemplateRules } from "../template/resolve-template.ts";
import type { Template } from "../template/template.ts";

/** Collects the problems of a configuration and resolves references in its texts. */
export interface ConfigReader {
  /** Adds a problem of a field below `engine.custom`. */
  fail(field: string, problem: string): void;
  /** Parses a text as a template, and adds the problems of the template. */
  template(field: string, text: string, rules: TemplateRules): Template;
}

/** Rules for `{{…}}` templates in command lines and URLs, which other users and programs can read. */
export const EXPOSED: TemplateRules = { isExposed: true, unknownNames: ["session_id"] };
/** Rules for `{{…}}` templates in texts that only the engine receives, such as request bodies. */
export const PRIVATE: TemplateRules = { isExposed: false, unknownNames: ["session_id"] };
