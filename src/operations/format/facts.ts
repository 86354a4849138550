import { listPagingFields } from '../../hosting/payloads/pages.ts';
import {
  findNameUnit,
  maxUptimeS,
  parseNumber,
  parseQuantity,
  parseSeconds,
  parseTimeMs,
} from '../../hosting/payloads/quantity.ts';
import {
  isEmpty,
  isRecord,
  normalizeFieldName,
  parseFlag,
  type ServiceRecord,
} from '../../hosting/payloads/record.ts';
import { containsSecret, isPublicKeyText, redactUrlPasswords } from '../../hosting/secret-detection.ts';
import { withoutSecrets } from '../../hosting/secret-redaction.ts';
import { type Argument, buttonSwitch } from '../define/arguments/argument.ts';
import type { Fact, NextStep, Value } from '../define/outcome.ts';
import { hiddenText } from './hide-secrets.ts';

/** Maximum number of fields shown at first, and then behind **More Fields**. */
const maxFacts = 12;
const maxAllFacts = 100;
const maxDepth = 6;

/** Maximum number of items shown from a list, and of characters from a text. Anything more is cut. */
const maxListItems = 20;
const maxValueChars = 1_000;

/** Creates the switch that makes a read show all fields. The **More Fields** button sets it. */
export function moreArgument(): Argument<boolean> {
  return buttonSwitch('More fields');
}

/** Returns the facts to show at first, and a button for the remaining ones. */
export function limitFacts(
  facts: readonly Fact[],
  { operation, input, more }: Pick<NextStep, 'operation' | 'input'> & { readonly more: boolean },
): { readonly facts: readonly Fact[]; readonly next: readonly NextStep[] } {
  if (more || facts.length <= maxFacts) return { facts, next: [] };
  return { facts: facts.slice(0, maxFacts), next: [moreStep(operation, input)] };
}

/** Returns the button that shows all fields of a response. */
export function moreStep(operation: string, input: NextStep['input']): NextStep {
  return { label: 'More Fields', operation, input: { ...input, more: true } };
}

/**
 * Returns the first facts in a change's reply, and how many more there are. There is no button for the
 * others, because a change can't be repeated just to show them.
 */
export function cutFacts(facts: readonly Fact[]): readonly Fact[] {
  const hidden = facts.length - maxFacts;
  if (hidden <= 0) return facts;
  const value = hidden === 1 ? '1 more field' : `${hidden} more fields`;
  return [...facts.slice(0, maxFacts), { label: 'Not shown', value }];
}

/**
 * Formats a record of unknown shape as facts with readable labels: its own fields first, then nested ones.
 * Hides possible secrets. Leaves out the fields in `omit`, and those that describe only the response: status
 * codes, request IDs, links and paging.
 */
export function formatFacts(
  record: unknown,
  { omit = [] }: { readonly omit?: readonly string[] } = {},
): readonly Fact[] {
  const found: FoundField[] = [];
  for (const field of flatten(withoutSecrets(record), [], omit)) {
    if (found.length === maxAllFacts) break;
    found.push(field);
  }
  const labels = found.map(({ path, name }) =>
    formatFieldName(withoutWrappers([...path.slice(0, -1), name])),
  );
  return found.map(({ path, value }, index) => {
    const label = labels[index] ?? '';
    const isUnique = label !== '' && labels.indexOf(label) === labels.lastIndexOf(label);
    return { label: (isUnique ? label : formatFieldName(path)) || 'Value', value };
  });
}

interface FoundField {
  readonly path: readonly string[];
  /** The last name in the path, without its unit. */
  readonly name: string;
  readonly value: Value;
}

function* flatten(
  value: unknown,
  path: readonly string[],
  omit: readonly string[] = [],
): Generator<FoundField> {
  if (isRecord(value)) yield* flattenRecord(value, path, omit);
  else if (Array.isArray(value)) yield* flattenList(value, path);
  else if (path.length > 0 && !isEmpty(value)) yield formatField(path, value);
}

function* flattenRecord(
  record: ServiceRecord,
  path: readonly string[],
  omit: readonly string[],
): Generator<FoundField> {
  if (path.length > 0 && isRecord(record) && parseQuantity(record)) return yield formatField(path, record);
  const unit = findUnit(record);
  const ignored = new Set([...omit, ...listResponseFields(record, path), ...(unit ? [unit.field] : [])]);
  const parts: [string, unknown][] = [];
  for (const [field, value] of Object.entries(record)) {
    if (ignored.has(field) || isEmpty(value)) continue;
    const inner = [...path, field];
    if (typeof value === 'object') parts.push([field, value]);
    else if (!isZeroTime(value)) yield formatField(inner, value, { siblings: record, unit: unit?.text });
  }
  for (const [field, value] of parts) yield* flattenPart(value, [...path, field], unit?.text);
}

function* flattenPart(value: unknown, path: readonly string[], unit?: string): Generator<FoundField> {
  if (path.length > maxDepth) yield toField(path, 'more fields inside');
  else if (Array.isArray(value)) yield* flattenList(value, path, unit);
  else yield* flatten(value, path);
}

function* flattenList(
  list: readonly unknown[],
  path: readonly string[],
  unit?: string,
): Generator<FoundField> {
  if (list.length === 0) return;
  const numbers = list.map(parseNumber);
  const parts = list.map((item) => isRecord(item) || Array.isArray(item));
  if (list.length > 3 && numbers.every((number) => number !== undefined))
    yield toField(path, describeNumbers(numbers, unit));
  else if (!parts.includes(true)) yield toField(path, describeTexts(list));
  else if (list.length > maxListItems) yield toField(path, `${list.length} entries`);
  else for (const [index, item] of list.entries()) yield* flattenPart(item, [...path, String(index + 1)]);
}

function describeNumbers(numbers: readonly number[], unit?: string): string {
  const [min, max] = [Math.min(...numbers), Math.max(...numbers)];
  const range = min === max ? `all ${min}` : `${min} to ${max}`;
  return `${numbers.length} numbers, ${addUnit(range, unit)}`;
}

function describeTexts(list: readonly unknown[]): string {
  const shown = list.slice(0, maxListItems).map(formatFieldValue).join(', ');
  return list.length > maxListItems ? `${shown} and ${list.length - maxListItems} more` : shown;
}

/** Returns the unit that a record gives in a separate field: `{ values: [98], unit: "MiB" }`. */
function findUnit(record: ServiceRecord): { readonly field: string; readonly text: string } | undefined {
  const field = Object.keys(record).find((name) => /^units?$/i.test(name));
  const text = field === undefined ? undefined : record[field];
  const hasNumbers = Object.values(record).some(
    (value) => parseNumber(Array.isArray(value) ? value[0] : value) !== undefined,
  );
  if (field === undefined || typeof text !== 'string' || text.length > 20 || !hasNumbers) return undefined;
  return { field, text };
}

const idField = /^(request|trace|correlation|transaction)(id|uuid)$/;
const linkField = /^(links?|href|self)$/;
const codeField = /^((http|status|result|return|response|error)?(code|status))$/;
const flagField = /^(success(ful)?|ok|errors?|errorcode)$/;

/** Lists the fields of a record that describe the response rather than the subject of the record. */
function listResponseFields(record: ServiceRecord, path: readonly string[]): readonly string[] {
  const isInPaging = path.some((field) => /^(meta(data)?|pag(e|ing|ination|einfo)|cursors?)$/i.test(field));
  const paging = listPagingFields(record, isInPaging);
  const isOuter = path.every(isWrapper);
  return Object.entries(record).flatMap(([field, value]) => {
    const name = normalizeFieldName(field);
    const isCode = isOuter && codeField.test(name) && isSuccessCode(value);
    const isOwnFlag = isOuter && flagField.test(name) && parseFlag(value) !== undefined;
    const isPlumbing = idField.test(name) || linkField.test(name) || paging.includes(field);
    return isCode || isOwnFlag || isPlumbing ? [field] : [];
  });
}

function isSuccessCode(value: unknown): boolean {
  const number = parseNumber(value);
  return number === 0 || (number !== undefined && number >= 200 && number < 300);
}

/** Matches fields that only wrap the content of a response, or the VPS in it. */
const wrapperField = /^(data|results?|response|payload|attributes|server|vps|vm|instance|virtualmachine)$/i;

function isWrapper(field: string): boolean {
  return wrapperField.test(field);
}

function withoutWrappers(path: readonly string[]): readonly string[] {
  const first = path.findIndex((field) => !isWrapper(field));
  return first === -1 ? path.slice(-1) : path.slice(first);
}

/** Returns whether a value is a date such as `0001-01-01`, which services use for something that never happened. */
function isZeroTime(value: unknown): boolean {
  return typeof value === 'string' && /^(0000-|0001-01-01|1970-01-01(T|$))/.test(value);
}

/** The unit given beside a field, and the record that contains both. */
interface FieldContext {
  readonly siblings?: ServiceRecord;
  readonly unit?: string | undefined;
}

/** Formats one field as a fact: as a quantity or time if its unit is known, otherwise in the service's own words. */
export function formatFact(path: readonly string[], value: unknown, context: FieldContext = {}): Fact {
  const field = formatField(path, value, context);
  return { label: formatFieldName([...path.slice(0, -1), field.name]) || 'Value', value: field.value };
}

function formatField(
  path: readonly string[],
  value: unknown,
  { siblings = {}, unit }: FieldContext = {},
): FoundField {
  const field = path.at(-1) ?? '';
  const quantity = typeof value === 'string' ? undefined : parseQuantity(value);
  const beside = quantity?.unit ?? unit;
  const found =
    quantity && beside !== undefined
      ? { value: addUnit(String(quantity.value), beside) }
      : parseValue(field, value);
  if (!found) return toField(path, Array.isArray(value) ? describeTexts(value) : formatFieldValue(value));
  const name =
    'name' in found && found.name !== '' && !Object.hasOwn(siblings, found.name) ? found.name : field;
  return { path, name, value: found.value };
}

function toField(path: readonly string[], value: Value): FoundField {
  const text = typeof value === 'string' ? value.slice(0, maxValueChars) : value;
  return { path, name: path.at(-1) ?? '', value: text };
}

function addUnit(text: string, unit = ''): string {
  if (unit === '') return text;
  return unit === '%' ? `${text}%` : `${text} ${unit}`;
}

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;

/** Returns the quantity or time that a field holds, and the field's name without its unit. */
function parseValue(
  field: string,
  value: unknown,
): { readonly value: Value; readonly name?: string } | undefined {
  const timeMs = typeof value === 'string' && isoTime.test(value) ? parseTimeMs(value) : undefined;
  if (timeMs !== undefined) return { value: { kind: 'time', timeMs } };
  const number = parseNumber(value);
  if (number === undefined || number < 0) return undefined;
  return parseNamedUnit(field, number) ?? parseNamedTime(field, number);
}

/** Maximum duration in ms: a hundred years. A larger number isn't considered a duration. */
const maxDurationMs = 100 * 365 * 86_400_000;

function parseNamedUnit(field: string, number: number) {
  const unit = findNameUnit(field);
  const amount = number * (unit?.factor ?? 1);
  if (!unit || !Number.isFinite(amount)) return undefined;
  const { name, dimension } = unit;
  // "Per minute" is a rate, not a number of minutes.
  if (/(^|[^A-Za-z])per$|Per$/.test(name)) return undefined;
  switch (dimension) {
    case 'bytes':
      return { name, value: { kind: 'bytes', bytes: amount } } as const;
    case 'percent':
      return unit.factor === 1 ? ({ name, value: { kind: 'percent', percent: amount } } as const) : undefined;
    case 'bytesPerSecond':
      return { name, value: { kind: 'rate', bytesPerSecond: amount } } as const;
    case 'seconds':
      return amount * 1_000 <= maxDurationMs
        ? ({ name, value: { kind: 'duration', durationMs: amount * 1_000 } } as const)
        : undefined;
  }
}

const timeField =
  /(^|[_\s.-])(at|time|timestamp|date|created|updated|expires|expiry|since|until)$|[a-z\d](At|Time|Timestamp|Date)$/;

function parseNamedTime(field: string, number: number): { readonly value: Value } | undefined {
  if (/uptime$/i.test(field)) {
    const seconds = parseSeconds(number);
    return seconds !== undefined && seconds <= maxUptimeS
      ? { value: { kind: 'duration', durationMs: seconds * 1_000 } }
      : undefined;
  }
  // Smaller numbers are considered counts, not times.
  const timeMs = timeField.test(field) && number >= 1e9 ? parseTimeMs(number) : undefined;
  return timeMs === undefined ? undefined : { value: { kind: 'time', timeMs } };
}

/**
 * Formats a field path as a label: `vps_name` as "Vps name", `cpu.cores` as "Cpu cores". Known
 * acronyms keep their spelling.
 */
export function formatFieldName(path: readonly string[]): string {
  const words = path
    .join(' ')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[\s_.-]+/u)
    .filter((word) => word !== '')
    .map((word) => wordSpellings.get(word.toLowerCase()) ?? word.toLowerCase());
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Acronyms and names with a fixed spelling. */
const wordSpellings = new Map(
  'VPS IP IPv4 IPv6 CPU RAM OS ID SSH FTP URL MB GB TB VLAN DNS SSL HTTP HTTPS Kbps Mbps Gbps'
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
);

/** Formats one value as text, without secrets. */
export function formatFieldValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string' && containsSecret(value) && !isPublicKeyText(value)) return hiddenText;
  return redactUrlPasswords(String(value));
}
