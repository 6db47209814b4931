export function createRefund(customer, amount) {
  if (typeof customer?.id !== "string" || customer.id === "") throw new Error("The customer has no id.");
  if (customer.isBlocked) throw new Error("The customer is blocked.");
  return { kind: "refund", customer: customer.id, amount };
}
