import { z } from 'zod';
import { RackhandError } from '../../../errors.ts';
import { isRecord } from '../../../hosting/payloads/record.ts';
import type { Vps } from '../../../hosting/payloads/vps.ts';
import { normalizeVpsName } from '../../../hosting/payloads/vps-name.ts';
import { isSecretFieldName } from '../../../hosting/secret-detection.ts';
import { matchVps } from '../../choices/matching/match-choices.ts';
import { matchPattern } from '../../choices/matching/match-pattern.ts';
import type { Choice } from '../../define/arguments/choice-source.ts';
import { optionalArgument } from '../../define/arguments/optional-argument.ts';

const word = (label: string) =>
  z
    .string()
    .trim()
    .max(100, { error: `${label}: give at most 100 characters` });

export const listArguments = {
  state: optionalArgument(
    {
      label: 'State or name',
      example: 'stopped',
      hint: 'Only VPS in this state, with this name or address, or whose name matches this pattern.',
    },
    word('State or name'),
  ),
  where: optionalArgument(
    {
      label: 'Where',
      flag: 'where',
      valueName: 'field=value',
      example: 'region=fra',
      hint: 'Only VPS with this value in one of their fields.',
    },
    word('Where').regex(/^[^=]+=.+$/, { error: 'Write FIELD=VALUE, such as region=fra' }),
  ),
  sort: optionalArgument(
    {
      label: 'Sort by',
      flag: 'sort',
      valueName: 'field',
      example: 'memory',
      hint: 'A field of the VPS, or "state".',
    },
    word('Sort by'),
  ),
};

export interface ListFilters {
  readonly state: string | undefined;
  readonly where: string | undefined;
  readonly sort: string | undefined;
}

/** Maximum number of fields listed in an error. */
const maxNamedFields = 12;

const normalize = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Returns the VPS that match the filters, sorted as requested. Typed names of VPS are looked up in
 * `choices`. Throws if no VPS has the field to filter or sort by.
 */
export function filterVps(
  vps: readonly Vps[],
  { state, where, sort }: ListFilters,
  choices: readonly Choice[],
): readonly Vps[] {
  const inState = state === undefined ? vps : filterByWord(vps, state, choices);
  const matching = where === undefined ? inState : filterByField(vps, inState, where);
  return sort === undefined ? matching : sortByField(vps, matching, sort);
}

/** Returns the VPS in a state or, if there are none, the VPS with a matching name, pattern or address. */
function filterByWord(vps: readonly Vps[], word: string, choices: readonly Choice[]): readonly Vps[] {
  const inState = vps.filter((one) => normalize(one.state ?? '') === normalize(word));
  if (inState.length > 0) return inState;
  const named = word.includes('*')
    ? matchPattern(word, choices)
    : matchVps(normalizeVpsName(word), choices).choices;
  const names = new Set(named.map(({ value }) => value));
  return vps.filter(({ name }) => names.has(name));
}

/** Describes the filters: "stopped, region=fra". */
export function describeFilters({ state, where }: ListFilters): string {
  return [state, where].filter((filter) => filter !== undefined).join(', ');
}

function filterByField(all: readonly Vps[], vps: readonly Vps[], where: string): readonly Vps[] {
  const [name = '', ...rest] = where.split('=');
  const field = findField(all, name);
  const wanted = rest.join('=').trim().toLowerCase();
  return vps.filter(({ record }) => listTexts(record[field]).some((text) => text.toLowerCase() === wanted));
}

function sortByField(all: readonly Vps[], vps: readonly Vps[], sort: string): readonly Vps[] {
  const byState = normalize(sort) === 'state' || normalize(sort) === 'status';
  const field = byState ? undefined : findField(all, sort);
  const keyOf = ({ state, record }: Vps) =>
    field === undefined ? state : listTexts(record[field]).toSorted().at(0);
  // VPS without a value come last.
  return vps.toSorted((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    if (left === undefined || right === undefined)
      return Number(left === undefined) - Number(right === undefined);
    return left.localeCompare(right, 'en', { numeric: true });
  });
}

/** Returns the field with this name, ignoring case and separators. */
function findField(vps: readonly Vps[], typed: string): string {
  const fields = [...new Set(vps.flatMap(({ record }) => Object.keys(record)))].filter(
    (field) => !isSecretFieldName(field),
  );
  const field = fields.find((candidate) => normalize(candidate) === normalize(typed));
  if (field !== undefined) return field;
  const others = fields.length > maxNamedFields ? ` and ${fields.length - maxNamedFields} more` : '';
  const known = `The fields are ${fields.slice(0, maxNamedFields).join(', ')}${others}.`;
  throw new RackhandError(
    'input_invalid',
    `No VPS in the list has a field "${typed.trim()}".${fields.length > 0 ? ` ${known}` : ''}`,
  );
}

/** Returns a value as text or, for an array or object, the texts of the values directly in it. */
function listTexts(value: unknown): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return [String(value)];
  if (Array.isArray(value)) return value.flatMap((item) => (isRecord(item) ? [] : listTexts(item)));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) =>
    isSecretFieldName(field) || isRecord(inner) || Array.isArray(inner) ? [] : listTexts(inner),
  );
}
