import { checkCustomer } from "./check-customer.mjs";

export function createRefund(customer, amount) {
  checkCustomer(customer);
  return { kind: "refund", customer: customer.id, amount };
}
