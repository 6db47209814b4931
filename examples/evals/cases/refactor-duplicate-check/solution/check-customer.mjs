/** Throws if a customer cannot be charged. */
export function checkCustomer(customer) {
  if (typeof customer?.id !== "string" || customer.id === "") throw new Error("The customer has no id.");
  if (customer.isBlocked) throw new Error("The customer is blocked.");
}
