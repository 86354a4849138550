import type { z } from 'zod';

/** Something that Slack would refuse, said in its own kind of words. */
export interface Problem {
  /** JSON pointer into the message, such as `/blocks/3/text/text`, or into the call's arguments, such as `/view/title/text`. */
  readonly pointer: string;
  readonly message: string;
  /** The error of the Web API, where it is another than `invalid_blocks` or `invalid_arguments`. */
  readonly error?: string;
}

/** A JSON pointer (RFC 6901) to a place under `base`. */
export function pointerTo(base: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (pointer, key) => `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    base,
  );
}

/** Checks a value's shape; answers one problem for each fault, with `base` before its path. */
export function checkShape(schema: z.ZodType, value: unknown, base: string): Problem[] {
  const result = schema.safeParse(value, { reportInput: true });
  return result.success ? [] : result.error.issues.flatMap((issue) => problemsOf(issue, base));
}

function problemsOf(issue: z.core.$ZodIssue, base: string): Problem[] {
  const given = givenIn(issue);
  const field = issue.path.at(-1);
  if (given === undefined && field !== undefined && canBeMissing.has(issue.code)) {
    const pointer = pointerTo(base, issue.path.slice(0, -1));
    return [{ pointer, message: `missing required field: ${String(field)}` }];
  }
  const pointer = pointerTo(base, issue.path);
  return messagesOf(issue, given).map((message) => ({ pointer, message }));
}

const canBeMissing: ReadonlySet<string> = new Set(['invalid_type', 'invalid_union', 'invalid_value']);

/** What stands where the issue points; a union's issue points at the field that tells its members apart. */
function givenIn(issue: z.core.$ZodIssue): unknown {
  const { input } = issue;
  const isUnion = issue.code === 'invalid_union' && typeof input === 'object' && input !== null;
  return isUnion ? Object.entries(input).find(([key]) => key === issue.path.at(-1))?.[1] : input;
}

function messagesOf(issue: z.core.$ZodIssue, given: unknown): string[] {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => `invalid additional property: ${key}`);
    case 'invalid_type':
      return [`must provide ${typeNames.get(issue.expected) ?? 'a valid value'}`];
    case 'invalid_union':
    case 'invalid_value':
      return [notOneOf(issue.path.at(-1), given)];
    case 'too_big':
      return [tooBig(issue.origin, Number(issue.maximum))];
    case 'too_small':
      return [tooSmall(issue.origin, Number(issue.minimum), issue.inclusive === false)];
    default:
      return [issue.message];
  }
}

function notOneOf(field: PropertyKey | undefined, given: unknown): string {
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

function tooBig(origin: string, max: number): string {
  if (origin === 'string') return `must be less than ${max + 1} characters`;
  if (origin === 'array') return `no more than ${max} items allowed`;
  return `must be less than or equal to ${max}`;
}

function tooSmall(origin: string, min: number, isExclusive: boolean): string {
  if (origin === 'string') return `must be more than ${min - 1} characters`;
  if (origin === 'array') return `must provide at least ${min} items`;
  return isExclusive ? `must be greater than ${min}` : `must be greater than or equal to ${min}`;
}
