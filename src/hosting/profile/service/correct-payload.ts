import { readRrdHistory } from '../metrics/history/rrd-history.ts';
import { collectLeaves } from '../payload/leaves.ts';
import { type Correction, listCorrectionFields } from '../readings/correction.ts';
import { formatAddress, hasValueAt, parseAddress } from '../readings/field-address.ts';
import { applyCorrections } from '../readings/places.ts';
import type { ReadingEndpoint } from '../readings/reading.ts';
import { inferProfile } from './infer.ts';

export interface CorrectedPayload {
  readonly data: unknown;
  /** IDs of readings whose field isn't in the payload. They aren't shown. */
  readonly missing: readonly string[];
}

/** Returns the payload with the corrections applied: its readers use the chosen fields. */
export function correctPayload(
  endpoint: ReadingEndpoint,
  data: unknown,
  corrections: readonly Correction[],
  vpsName: string,
): CorrectedPayload {
  const has = createFieldCheck(endpoint, data, vpsName);
  const missing = corrections.filter(
    (correction) => !has(correction.field) && !listCorrectionFields(correction).every(has),
  );
  const { findings } = inferProfile(endpoint, data, vpsName);
  const found = new Map(findings.map((finding) => [finding.reading, finding]));
  // A reading that already comes from the chosen field needs no correction.
  const needed = corrections.filter(({ reading, field, unit }) => {
    const finding = found.get(reading);
    return unit !== undefined || finding?.isCalculated !== false || finding.fields[0] !== field;
  });
  return { data: applyCorrections(data, needed), missing: missing.map(({ reading }) => reading) };
}

function createFieldCheck(
  endpoint: ReadingEndpoint,
  data: unknown,
  vpsName: string,
): (field: string) => boolean {
  if (endpoint === 'getRrdMonitoring') {
    const keys = new Set(readRrdHistory(data, vpsName).series.map(({ key }) => key));
    return (field) => keys.has(field);
  }
  if (endpoint === 'getLiveMonitoring') {
    const addresses = new Set(collectLeaves(data).map(({ path }) => formatAddress(path)));
    return (field) => addresses.has(field);
  }
  return (field) => {
    const address = parseAddress(field);
    return address !== undefined && hasValueAt(data, address);
  };
}
