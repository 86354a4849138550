import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { Reading, ReadingEndpoint, ReadingValue } from '../readings/reading.ts';
import { isVpsName, normalizeVpsName, type ServiceRecord } from '../values/records.ts';
import { correctSeries } from './correct-series.ts';
import { type Correction, nameCanonicalField, type PlannedCorrection } from './correction.ts';
import {
  convertRecords,
  type FieldAddress,
  findFieldValues,
  formatAddress,
  isContainerPart,
  parseAddress,
  removeField,
} from './field-address.ts';
import { findSources, isSameValue } from './find-sources.ts';
import { listPayloadFields, listReadings, nestLeaves, prepareSample } from './infer.ts';

export interface CorrectedPayload {
  readonly data: unknown;
  /** IDs of readings whose field isn't in the payload. They aren't shown. */
  readonly missing: readonly string[];
  /** IDs of readings that can't be read from their field. */
  readonly unreadable: readonly string[];
}

/**
 * Rewrites a payload so that each corrected reading is found in the field that a person chose. A
 * field that would be read instead is renamed: its name gets the prefix `raw_`.
 */
export function correctPayload(
  endpoint: ReadingEndpoint,
  data: unknown,
  corrections: readonly Correction[],
  vpsName: string,
): CorrectedPayload {
  const readings = new Map(listReadings(endpoint).map((reading) => [reading.id, reading]));
  const planned = corrections.flatMap(({ reading: id, ...correction }): PlannedCorrection[] => {
    const reading = readings.get(id);
    return reading ? [{ reading, ...correction }] : [];
  });
  if (planned.length === 0) return { data, missing: [], unreadable: [] };
  if (endpoint === 'getRrdMonitoring') {
    const result = correctSeries(data, planned, vpsName);
    return { data: result.data, missing: result.missing.map(({ id }) => id), unreadable: [] };
  }
  const [missing, unreadable]: [string[], string[]] = [[], []];
  let corrected = endpoint === 'getLiveMonitoring' ? nestLeaves(data) : data;
  for (const correction of planned) {
    const sample = prepareSample(endpoint, corrected);
    const plan = findPlan(endpoint, sample, correction, vpsName);
    if (plan.isMissing) missing.push(correction.reading.id);
    if (!plan.isRead && !plan.isMissing) unreadable.push(correction.reading.id);
    corrected = rewrite(corrected, plan);
  }
  return { data: corrected, missing, unreadable };
}

interface RewritePlan {
  /** Address of the records that get the canonical field. */
  readonly place?: FieldAddress;
  /** Address of the chosen field within such a record. */
  readonly source: FieldAddress;
  readonly canonicalField: string;
  /** Fields that must not be read instead of the chosen one. */
  readonly hidden: readonly FieldAddress[];
  readonly isMissing: boolean;
  readonly isRead: boolean;
}

/** Maximum number of fields that compete for one reading. */
const maxHidden = 5;

/** Plans are cached by the shape of their payload, because finding one takes a while. */
const knownPlans = new LRUCache<string, RewritePlan>({ max: 500 });

function findPlan(
  endpoint: ReadingEndpoint,
  sample: unknown,
  correction: PlannedCorrection,
  vpsName: string,
): RewritePlan {
  const addresses = listPayloadFields(endpoint, sample).map(({ address }) => formatAddress(address));
  const { reading, field, unit } = correction;
  const key = JSON.stringify([reading.id, field, unit, addresses]);
  const known = knownPlans.get(key);
  if (known && isStillRight(known, sample, correction, vpsName)) return known;
  const plan = planRewrite(endpoint, sample, correction, vpsName);
  knownPlans.set(key, plan);
  return plan;
}

/** Returns whether a plan also fits a payload of the same shape with other values. */
function isStillRight(
  plan: RewritePlan,
  sample: unknown,
  { reading, field }: PlannedCorrection,
  vpsName: string,
): boolean {
  const rewritten = rewrite(sample, plan);
  const result = reading.read(rewritten, vpsName);
  if (!plan.isRead) return result === undefined;
  const address = parseAddress(field) ?? [field];
  const values = findFieldValues(sample, address);
  if (plan.place === undefined) {
    const without = reading.read(removeField(rewritten, address), vpsName);
    const isAgreed = result !== undefined && isSameValue({ address, values }, reading, result);
    return isAgreed || !isDeepStrictEqual(result, without);
  }
  const canonical = [...plan.place, plan.canonicalField];
  return isReadFrom(rewritten, { reading, result, values, canonical, vpsName });
}

/**
 * Finds a rewrite after which the reading comes from the chosen field. If there is none, finds one
 * after which the reading isn't found.
 */
function planRewrite(
  endpoint: ReadingEndpoint,
  sample: unknown,
  correction: PlannedCorrection,
  vpsName: string,
): RewritePlan {
  const { reading, field } = correction;
  const address = parseAddress(field) ?? [field];
  const values = findFieldValues(sample, address);
  const context: PlanContext = { endpoint, sample, reading, values, vpsName };
  const none = { source: [], canonicalField: '', isMissing: values.length === 0 };
  if (!none.isMissing) {
    if (isReadAlready(context, address, correction)) return { ...none, hidden: [], isRead: true };
    const canonicalField = nameCanonicalField(correction, address.at(-1) ?? '', values);
    for (const place of canonicalField === undefined ? [] : listPlaces(address)) {
      const base = {
        ...none,
        place,
        source: address.slice(place.length),
        canonicalField: canonicalField ?? '',
      };
      const hidden = hideCompetitors(context, base);
      if (hidden) return { ...base, hidden, isRead: true };
    }
  }
  // It is better to show nothing than something wrong.
  return { ...none, hidden: hideCompetitors(context, none) ?? [], isRead: false };
}

interface PlanContext {
  readonly endpoint: ReadingEndpoint;
  readonly sample: unknown;
  readonly reading: Reading;
  /** The values of the chosen field. */
  readonly values: readonly unknown[];
  readonly vpsName: string;
}

/** Returns whether the reading already comes from the chosen field without a correction. */
function isReadAlready(
  { endpoint, sample, reading, vpsName }: PlanContext,
  address: FieldAddress,
  { unit }: PlannedCorrection,
): boolean {
  const fields = listPayloadFields(endpoint, sample);
  const sources = findSources(sample, vpsName, fields, listReadings(endpoint));
  const source = sources.find((one) => one.reading.id === reading.id);
  if (unit !== undefined || source === undefined || source.isCalculated) return false;
  return isDeepStrictEqual(source.fields[0]?.address, address);
}

/**
 * Finds the fields to hide so that the reading comes from the canonical field. If the plan has no
 * canonical field, the reading must not be found.
 */
function hideCompetitors(
  { endpoint, sample, reading, values, vpsName }: PlanContext,
  base: Omit<RewritePlan, 'hidden' | 'isRead'>,
): readonly FieldAddress[] | undefined {
  const canonical = base.place && [...base.place, base.canonicalField];
  // Without their names, the entries of a list would be lost.
  const others = listReadings(endpoint).filter(({ type, id }) => type === 'names' && id !== reading.id);
  const hidden: FieldAddress[] = [];
  while (hidden.length <= maxHidden) {
    const rewritten = rewrite(sample, { ...base, hidden, isRead: true });
    const result = reading.read(rewritten, vpsName);
    const isRight = canonical
      ? isReadFrom(rewritten, { reading, result, values, canonical, vpsName })
      : result === undefined;
    if (isRight) return hidden;
    const fields = listPayloadFields(endpoint, rewritten).filter(
      ({ address }) => !isDeepStrictEqual(address, canonical),
    );
    const sources = findSources(rewritten, vpsName, fields, listReadings(endpoint));
    const source = sources.find((one) => one.reading.id === reading.id);
    const competitor = source?.fields[0]?.address;
    if (competitor === undefined) return undefined;
    hidden.push(competitor);
    const without = hideField(rewritten, competitor);
    if (others.some((other) => !isDeepStrictEqual(other.read(without, vpsName), other.read(sample, vpsName))))
      return undefined;
  }
  return undefined;
}

/** Lists the addresses of records around a field that can get the canonical field, outermost first. */
function listPlaces(address: FieldAddress): readonly FieldAddress[] {
  const first = address.findIndex(isContainerPart);
  const lengths = address.map((_part, index) => index).filter((length) => length > first);
  return lengths.map((length) => address.slice(0, length));
}

interface ReadCheck {
  readonly reading: Reading;
  readonly result: ReadingValue | undefined;
  /** The values of the chosen field. */
  readonly values: readonly unknown[];
  /** The address of the canonical field. */
  readonly canonical: FieldAddress;
  readonly vpsName: string;
}

/** Returns whether a reading comes from the canonical field, for each value of the chosen field. */
function isReadFrom(data: unknown, { reading, result, values, canonical, vpsName }: ReadCheck): boolean {
  if (result === undefined) return false;
  const found = typeof result === 'object' ? Object.values(result) : [result];
  if (reading.type === 'text' || reading.type === 'names') {
    return isDeepStrictEqual(found.map(toComparable).toSorted(), values.map(toComparable).toSorted());
  }
  const { min, max } = reading.plausible ?? { min: -Infinity, max: Infinity };
  const isPlausible = found.every((value) => typeof value !== 'number' || (value >= min && value <= max));
  const without = reading.read(removeField(data, canonical), vpsName);
  return isPlausible && found.length === values.length && !isDeepStrictEqual(without, result);
}

function toComparable(value: unknown): string {
  return isVpsName(value) ? normalizeVpsName(value) : String(value);
}

function rewrite(data: unknown, { place, source, canonicalField, hidden }: RewritePlan): unknown {
  const withReading = place === undefined ? data : convertRecords(data, place, toCanonical);
  return hidden.reduce(hideField, withReading);

  function toCanonical(record: ServiceRecord): ServiceRecord {
    const [value] = findFieldValues(record, source);
    if (value === undefined) return record;
    const isOwn = source.length === 1 && source[0] === canonicalField;
    const kept = isOwn ? record : renameField(record, canonicalField);
    return { ...kept, [canonicalField]: value };
  }
}

/** Renames a field so that it isn't read. A field that was already renamed is removed. */
function hideField(data: unknown, address: FieldAddress): unknown {
  const name = address.at(-1) ?? '';
  if (isContainerPart(name) || name.startsWith(hiddenPrefix)) return removeField(data, address);
  return convertRecords(data, address.slice(0, -1), (record) => renameField(record, name));
}

const hiddenPrefix = 'raw_';

function renameField(record: ServiceRecord, name: string): ServiceRecord {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key === name ? `${hiddenPrefix}${key}` : key, value]),
  );
}
