import type { Exceptions } from "@switchyard/fresh-process";

/** Tests that cannot run with a process per step, by file and full name, and why. */
export const EXCEPTIONS: Exceptions = {};
