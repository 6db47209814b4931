import { z } from "zod";
import { schemaFor } from "./schema-for.ts";

interface Point {
  x: number;
  label?: string | undefined;
}

schemaFor<Point>()(z.object({ x: z.number(), label: z.string().optional() }));

// @ts-expect-error a field of the interface is missing
schemaFor<Point>()(z.object({ x: z.number() }));

// @ts-expect-error a field is not in the interface
schemaFor<Point>()(z.object({ x: z.number(), label: z.string().optional(), y: z.number() }));

// @ts-expect-error a required field is optional
schemaFor<Point>()(z.object({ x: z.number().optional(), label: z.string().optional() }));

// @ts-expect-error a field has another type
schemaFor<Point>()(z.object({ x: z.string(), label: z.string().optional() }));
