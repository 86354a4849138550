import { parseFlag } from '../values/flags.ts';
import { parseNumber } from '../values/numbers.ts';
import { isEmpty, isRecord, type ServiceRecord, toText } from '../values/records.ts';
import { parseTimeMs } from '../values/times.ts';
import { parseBytes } from '../values/units.ts';
import {
  type ChosenValue,
  type Correction,
  combineValues,
  parseTwoFields,
  toReadingNumber,
} from './correction.ts';
import { type FieldAddress, parseAddress, visitAddress } from './field-address.ts';
import { isPlausible, type Reading, rankField } from './reading.ts';

/** The field of a record that a reading was found in. */
export interface Place {
  /** The record, or undefined if the path is the address in the payload. */
  readonly record: object | undefined;
  readonly path: FieldAddress;
  /** Whether no other field has a different value for this reading, and no unit was guessed. */
  readonly isCertain: boolean;
}

/** A field of a record that can contain a reading, with its value. */
export interface FieldCandidate<Value> {
  readonly path: FieldAddress;
  readonly value: Value;
}

/** Chooses the field for each reading of a payload. */
export interface Places {
  /** Returns the correction of a reading, if a person made one. */
  correctionOf(reading: Reading): Correction | undefined;
  /**
   * Returns the value of a reading in a record. It comes from the field that a person chose, or from
   * the first candidate, which by default is the first declared field.
   */
  find<Value>(
    reading: Reading,
    record: object,
    parse: Parse<Value>,
    candidates?: Candidates<Value>,
  ): Value | undefined;
  findText(reading: Reading, record: object, candidates?: Candidates<string>): string | undefined;
  /** Returns the name of a list's entry. Without a field for it, the name is the entry's key in a map. */
  findName(reading: Reading, record: object, key: string | undefined): string | undefined;
  findNumber(reading: Reading, record: object, candidates?: Candidates<number>): number | undefined;
  findTimeMs(reading: Reading, record: object): number | undefined;
  findFlag(reading: Reading, record: object): boolean | undefined;
  /** Returns all values in the field that a person chose, or undefined if nobody chose one. */
  findChosen(reading: Reading): readonly unknown[] | undefined;
  /** Records the field that a reading came from. */
  note(reading: Reading, place: Place): void;
}

type Parse<Value> = (value: unknown, field: string) => Value | undefined;
type Candidates<Value> = () => readonly FieldCandidate<Value>[];

interface Context {
  readonly corrections: readonly Correction[];
  /** The places that readings came from, by reading. Missing if they aren't recorded. */
  readonly places?: Map<string, Place[]>;
}

/** Payloads that have corrections, or whose places are recorded. */
const contexts = new WeakMap<object, Context>();

/**
 * Returns a copy of a payload. Its readers take the corrected readings from the fields that a
 * person chose.
 */
export function applyCorrections<Data>(data: Data, corrections: readonly Correction[]): Data {
  if (typeof data !== 'object' || data === null || corrections.length === 0) return data;
  const copy = Array.isArray(data) ? [...data] : { ...data };
  contexts.set(copy, { corrections });
  return copy as Data;
}

/** Makes the readers of a copy use the same corrections, and record places in the same map. */
export function copyContext(data: object, copy: object): void {
  const context = contexts.get(data);
  if (context) contexts.set(copy, context);
}

/** Starts to record the fields that the readings of a payload come from. */
export function notePlaces(data: object): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  contexts.set(data, { corrections: contexts.get(data)?.corrections ?? [], places });
  return places;
}

/**
 * Opens the places of a payload's readings. While a list is searched, no places are recorded,
 * because other lists are tried too.
 */
export function openPlaces(data: unknown, { isSearch = false } = {}): Places {
  const context = typeof data === 'object' && data !== null ? contexts.get(data) : undefined;
  const chosen = new Map(
    (context?.corrections ?? []).map((correction) => [correction.reading, openCorrection(data, correction)]),
  );

  function note(reading: Reading, place: Place): void {
    const places = isSearch ? undefined : context?.places;
    if (places) places.set(reading.id, [...(places.get(reading.id) ?? []), place]);
  }

  function find<Value>(
    reading: Reading,
    record: object,
    parse: Parse<Value>,
    candidates: Candidates<Value> = () => listDeclared(reading, record, parse),
  ): Value | undefined {
    const own = chosen.get(reading.id);
    if (own) {
      const value = own.valueIn(record);
      return value && parse(value.value, value.name);
    }
    const [first, ...others] = candidates();
    if (first) {
      const isCertain = reading.type === 'names' || others.every(({ value }) => value === first.value);
      note(reading, { record, path: first.path, isCertain });
    }
    return first?.value;
  }

  return {
    correctionOf: (reading) => chosen.get(reading.id)?.correction,
    find,
    findText: (reading, record, candidates) => find(reading, record, toText, candidates),
    findName: (reading, record, key) =>
      find(reading, record, toText) ?? (chosen.has(reading.id) ? undefined : key),
    findNumber(reading, record, candidates) {
      const own = chosen.get(reading.id);
      if (own) return own.numberIn(reading, record);
      return find(reading, record, (value, field) => parseReadingNumber(reading, value, field), candidates);
    },
    findTimeMs: (reading, record) => find(reading, record, parseTimeMs),
    findFlag: (reading, record) => find(reading, record, parseFlag),
    findChosen: (reading) => chosen.get(reading.id)?.listValues(),
    note,
  };
}

/** Parses a number in a declared field. Returns undefined if it can't be true. */
export function parseReadingNumber(reading: Reading, value: unknown, field: string): number | undefined {
  const number = reading.unit === 'bytes' ? parseBytes(field, value) : parseNumber(value);
  return number !== undefined && isPlausible(reading, number) ? number : undefined;
}

function listDeclared<Value>(
  reading: Reading,
  record: object,
  parse: Parse<Value>,
): readonly FieldCandidate<Value>[] {
  if (!isRecord(record)) return [];
  return listDeclaredFields(reading, record).flatMap(({ field, value }) => {
    const parsed = parse(value, field);
    return parsed === undefined ? [] : [{ path: [field], value: parsed }];
  });
}

/** Lists the fields of a record that can contain a reading by their names, most likely first. */
export function listDeclaredFields(
  reading: Reading,
  record: ServiceRecord,
): readonly { readonly field: string; readonly value: unknown }[] {
  return Object.entries(record)
    .map(([field, value]) => ({ field, value, rank: isEmpty(value) ? -1 : rankField(reading, field) }))
    .filter(({ rank }) => rank >= 0)
    .toSorted((a, b) => a.rank - b.rank);
}

/** Finds the values that a correction names. They are looked up by the records around them. */
function openCorrection(data: unknown, correction: Correction) {
  const two = parseTwoFields(correction.field);
  const [left, right] = (two ? [two.left, two.right] : [correction.field]).map((field) =>
    indexValues(data, parseAddress(field)),
  );
  const valueIn = (record: object) => left?.byRecord.get(record);
  return {
    correction,
    valueIn,
    listValues: () => left?.all ?? [],
    numberIn(reading: Reading, record: object): number | undefined {
      const [a, b] = [valueIn(record), right?.byRecord.get(record)];
      if (!two) return a && toReadingNumber(reading, a, correction.unit);
      return a && b && combineValues(reading, [a, b], two.operator, correction.unit);
    },
  };
}

interface IndexedValues {
  /** The first value inside each record around it. */
  readonly byRecord: ReadonlyMap<object, ChosenValue>;
  readonly all: readonly unknown[];
}

function indexValues(data: unknown, address: FieldAddress | undefined): IndexedValues {
  const byRecord = new Map<object, ChosenValue>();
  const all: unknown[] = [];
  if (address) {
    visitAddress(data, address, (value, records) => {
      all.push(value);
      for (const record of records) {
        if (!byRecord.has(record)) byRecord.set(record, { name: address.at(-1) ?? '', value });
      }
    });
  }
  return { byRecord, all };
}
