// @ts-check
import { callOperators } from "./operators/calls.mjs";
import { conditionOperators } from "./operators/conditions.mjs";
import { limitOperators } from "./operators/limits.mjs";
import { maskOperators } from "./operators/masks.mjs";
import { orderOperators } from "./operators/order.mjs";
import { signalOperators } from "./operators/signals.mjs";

/** @import { Operator } from "./operator.mjs" */

/**
 * Every operator, by kind. A run draws from all kinds equally where a package has places for them.
 * @type {Readonly<Record<string, readonly Operator[]>>}
 */
export const OPERATORS = {
  conditions: conditionOperators,
  limits: limitOperators,
  order: orderOperators,
  calls: callOperators,
  masks: maskOperators,
  signals: signalOperators,
};
