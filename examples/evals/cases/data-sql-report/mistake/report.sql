SELECT customers.name, COUNT(orders.id), COALESCE(SUM(orders.cents), 0) AS cents
FROM customers
LEFT JOIN orders ON orders.customer_id = customers.id
WHERE orders.placed_on LIKE '2025-%'
GROUP BY customers.id
ORDER BY cents DESC, customers.name;
