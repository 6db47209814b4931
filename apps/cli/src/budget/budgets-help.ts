/** Help text of the option `--budgets`. */
export const BUDGETS_HELP = "file with budgets that several processes share: cost and tokens per day, concurrent runs";
