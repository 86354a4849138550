import { z } from 'zod';
import { isObject } from '../json.ts';

const parameterSchema = z.looseObject({
  type: z.string().min(1),
  title: z.string().optional(),
  description: z.string().optional(),
  is_required: z.boolean().default(false),
});
/** Parameters by name. Also reads the form of the Deno SDK, which has `properties` and `required`. */
const parametersSchema = z.preprocess((value) => {
  if (!isObject(value) || !isObject(value.properties)) return value;
  const required: readonly unknown[] = Array.isArray(value.required) ? value.required : [];
  const entries = Object.entries(value.properties);
  return Object.fromEntries(
    entries.map(([name, facts]) => [
      name,
      isObject(facts) ? { ...facts, is_required: required.includes(name) } : facts,
    ]),
  );
}, z.record(z.string(), parameterSchema).default({}));

/** The manifest's `functions`: the app's steps for Workflow Builder, by callback ID. */
export const functionsSchema = z
  .record(
    z.string().min(1).max(100),
    z.looseObject({
      title: z.string().min(1),
      description: z.string().default(''),
      input_parameters: parametersSchema,
      output_parameters: parametersSchema,
    }),
  )
  .default({});

export type FunctionDefinition = z.output<typeof functionsSchema>[string];
export type FunctionParameters = z.output<typeof parametersSchema>;

/** Lists what is wrong with the inputs or outputs of a function, one sentence each. */
export function findParameterProblems(
  parameters: FunctionParameters,
  values: Readonly<Record<string, unknown>>,
): string[] {
  const missing = Object.entries(parameters)
    .filter(([name, { is_required }]) => is_required && (values[name] ?? '') === '')
    .map(([name]) => `The parameter ${name} is required.`);
  const unknown = Object.keys(values)
    .filter((name) => !Object.hasOwn(parameters, name))
    .map((name) => `The function has no parameter ${name}.`);
  return [...missing, ...unknown];
}
