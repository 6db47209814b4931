import { z } from "zod";
import type { BudgetHold, BudgetState, BudgetUse } from "../store/budget-state.ts";
import { schemaFor } from "./schema-for.ts";

const count = z.number().min(0);

const useSchema: z.ZodType<BudgetUse> = schemaFor<BudgetUse>()(
  z.object({ account: z.string(), day: z.string(), tokens: count, cost_micros: count }),
);

const holdSchema: z.ZodType<BudgetHold> = schemaFor<BudgetHold>()(
  z.object({
    id: z.string(),
    accounts: z.array(z.string()),
    tokens: count,
    cost_micros: count,
    runs: count,
    watched: z.array(z.object({ machine: z.string(), since_ms: z.number() })),
    part_of: z.string().optional(),
    counted: z.object({ tokens: count, cost_micros: count }).optional(),
  }),
);

/** Schema of `BudgetState`: the usage of shared budgets, stored as the document `budgets`. */
export const budgetStateSchema: z.ZodType<BudgetState> = schemaFor<BudgetState>()(
  z.object({
    format: z.literal(2),
    used: z.array(useSchema),
    open: z.array(holdSchema),
  }),
);
