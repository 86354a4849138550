import { quantityOf } from '../../hosting/readings/numbers.ts';
import { bare, isRecord, type ServiceRecord } from '../../hosting/readings/records.ts';
import { looksSecret } from '../../hosting/secrets.ts';
import { readableName } from '../facts.ts';
import type { Fact } from '../outcome.ts';

export interface QuotaFacts {
  readonly facts: readonly Fact[];
  /** What is left to be told in another way. */
  readonly rest: ServiceRecord;
}

/** Reads quotas and usage beside each other, "2 of 10", where a payload has a record of each by the same names. */
export function readQuotas(rest: ServiceRecord): QuotaFacts {
  const [quotasField, quotas] = recordIn(rest, /^(quotas?|limits?|max|maximum)$/);
  const [usageField, usage] = recordIn(rest, /^(usages?|used|current|in_?use)$/);
  if (!quotas || !usage) return { facts: [], rest };
  const paired = Object.keys(quotas).filter(
    (field) => !looksSecret(field) && isAmount(quotas[field]) && isAmount(usage[field]),
  );
  const left = {
    ...rest,
    [quotasField]: without(quotas, paired),
    [usageField]: without(usage, paired),
  };
  const facts = paired.map((field) => ({
    label: readableName([field]),
    value: `${usage[field]} of ${quotas[field]}`,
  }));
  return { facts, rest: left };
}

function recordIn(record: ServiceRecord, name: RegExp): [string, ServiceRecord | undefined] {
  for (const [field, value] of Object.entries(record)) {
    if (name.test(bare(field)) && isRecord(value)) return [field, value];
  }
  return ['', undefined];
}

function isAmount(value: unknown): value is number | string {
  const isNoLimit = typeof value === 'string' && /^(unlimited|none|no limit)$/i.test(value);
  return isNoLimit || (typeof value !== 'object' && quantityOf(value) !== undefined);
}

function without(record: ServiceRecord, fields: readonly string[]): ServiceRecord {
  return Object.fromEntries(Object.entries(record).filter(([field]) => !fields.includes(field)));
}
