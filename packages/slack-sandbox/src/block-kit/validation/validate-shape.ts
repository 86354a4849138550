import type { z } from 'zod';
import { type Problem, toJsonPointer } from './problem.ts';

/** Validates a value against a schema. Returns a problem for each issue. Its location starts with `base`. */
export function validateShape(schema: z.ZodType, value: unknown, base: string): Problem[] {
  const result = schema.safeParse(value, { reportInput: true });
  return result.success ? [] : result.error.issues.flatMap((issue) => toProblems(issue, base));
}

function toProblems(issue: z.core.$ZodIssue, base: string): Problem[] {
  const given = findInput(issue);
  const field = issue.path.at(-1);
  if (given === undefined && field !== undefined && codesForMissingField.has(issue.code)) {
    const pointer = toJsonPointer(base, issue.path.slice(0, -1));
    return [{ pointer, message: `missing required field: ${String(field)}` }];
  }
  const pointer = toJsonPointer(base, issue.path);
  return formatIssue(issue, given).map((message) => ({ pointer, message }));
}

const codesForMissingField: ReadonlySet<string> = new Set(['invalid_type', 'invalid_union', 'invalid_value']);

/** Returns the value at an issue's path. For a union, this is the value of its discriminator. */
function findInput(issue: z.core.$ZodIssue): unknown {
  const { input } = issue;
  const isUnion = issue.code === 'invalid_union' && typeof input === 'object' && input !== null;
  return isUnion ? Object.entries(input).find(([key]) => key === issue.path.at(-1))?.[1] : input;
}

function formatIssue(issue: z.core.$ZodIssue, given: unknown): string[] {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => `invalid additional property: ${key}`);
    case 'invalid_type':
      return [`must provide ${typeNames.get(issue.expected) ?? 'a valid value'}`];
    case 'invalid_union':
    case 'invalid_value':
      return [formatNotOneOf(issue.path.at(-1), given)];
    case 'too_big':
      return [formatTooBig(issue.origin, Number(issue.maximum))];
    case 'too_small':
      return [formatTooSmall(issue.origin, Number(issue.minimum), issue.inclusive === false)];
    default:
      return [issue.message];
  }
}

function formatNotOneOf(field: PropertyKey | undefined, given: unknown): string {
  if (typeof given !== 'string') return 'must provide a string';
  return field === 'type' ? `unsupported type: ${given}` : 'must be a valid enum value';
}

const typeNames: ReadonlyMap<string, string> = new Map([
  ['array', 'an array'],
  ['boolean', 'a boolean'],
  ['int', 'an integer'],
  ['number', 'a number'],
  ['object', 'an object'],
  ['string', 'a string'],
]);

function formatTooBig(origin: string, max: number): string {
  if (origin === 'string') return `must be less than ${max + 1} characters`;
  if (origin === 'array') return `no more than ${max} items allowed`;
  return `must be less than or equal to ${max}`;
}

function formatTooSmall(origin: string, min: number, isExclusive: boolean): string {
  if (origin === 'string') return `must be more than ${min - 1} characters`;
  if (origin === 'array') return `must provide at least ${min} items`;
  return isExclusive ? `must be greater than ${min}` : `must be greater than or equal to ${min}`;
}
