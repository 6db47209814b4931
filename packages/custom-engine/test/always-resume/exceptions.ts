import type { Exceptions } from "@switchyard/fresh-process";

/** Tests that cannot run with a separate process for each step, by file and full name, with the reason. */
export const EXCEPTIONS: Exceptions = {};
