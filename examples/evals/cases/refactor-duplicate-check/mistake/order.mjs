import { checkCustomer } from "./check-customer.mjs";

export function createOrder(customer, amount) {
  checkCustomer(customer);
  return { kind: "order", customer: customer.id, amount };
}
