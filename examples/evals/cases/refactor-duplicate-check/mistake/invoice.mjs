import { checkCustomer } from "./check-customer.mjs";

export function createInvoice(customer, amount) {
  checkCustomer(customer);
  return { kind: "invoice", customer: customer.id, amount };
}
