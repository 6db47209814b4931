import assert from "node:assert/strict";
import type { ContractCase } from "./contract-case.ts";

/**
 * Returns the conformance cases of a contract, for an implementation to which the cases named in `ids` do not apply.
 * Such a case passes only if it reports, with `onSkip`, that it does not apply. A test suite can therefore not skip
 * applicable cases unnoticed. Throws a TypeError for an unknown id.
 */
export function expectInapplicable<Factory>(
  contract: readonly ContractCase<Factory>[],
  ids: readonly string[],
): readonly ContractCase<Factory>[] {
  const unknown = ids.filter((id) => contract.every((one) => one.id !== id));
  if (unknown.length > 0) throw new TypeError(`The contract has no case ${unknown.join(", ")}.`);
  return contract.map((one) => (ids.includes(one.id) ? inapplicable(one) : one));
}

function inapplicable<Factory>(one: ContractCase<Factory>): ContractCase<Factory> {
  return {
    ...one,
    title: `Does not apply: ${one.title}`,
    run: async (factory, options = {}) => {
      let reason: string | undefined;
      const onSkip = (why: string): void => {
        reason = why;
      };
      await one.run(factory, { ...options, onSkip });
      if (reason === undefined) assert.fail(`The case ${one.id} applies, although it is listed as inapplicable.`);
    },
  };
}
