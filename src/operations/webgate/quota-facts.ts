import { parseQuantity } from '../../hosting/profile/values/numbers.ts';
import { isRecord, normalizeFieldName, type ServiceRecord } from '../../hosting/profile/values/records.ts';
import { isSecretFieldName } from '../../hosting/secret-detection.ts';
import type { Fact } from '../define/outcome.ts';
import { formatFieldName } from '../format/facts.ts';

export interface QuotaFacts {
  readonly facts: readonly Fact[];
  /** The fields that aren't in the facts. */
  readonly rest: ServiceRecord;
}

/**
 * Combines quotas and usage into facts such as "2 of 10" if the payload has both under the same
 * names.
 */
export function formatQuotas(rest: ServiceRecord): QuotaFacts {
  const [quotasField, quotas] = findRecord(rest, /^(quotas?|limits?|max|maximum)$/);
  const [usageField, usage] = findRecord(rest, /^(usages?|used|current|in_?use)$/);
  if (!quotas || !usage) return { facts: [], rest };
  const paired = Object.keys(quotas).filter(
    (field) => !isSecretFieldName(field) && isAmount(quotas[field]) && isAmount(usage[field]),
  );
  const left = {
    ...rest,
    [quotasField]: without(quotas, paired),
    [usageField]: without(usage, paired),
  };
  const facts = paired.map((field) => ({
    label: formatFieldName([field]),
    value: `${usage[field]} of ${quotas[field]}`,
  }));
  return { facts, rest: left };
}

function findRecord(record: ServiceRecord, name: RegExp): [string, ServiceRecord | undefined] {
  for (const [field, value] of Object.entries(record)) {
    if (name.test(normalizeFieldName(field)) && isRecord(value)) return [field, value];
  }
  return ['', undefined];
}

function isAmount(value: unknown): value is number | string {
  const isNoLimit = typeof value === 'string' && /^(unlimited|none|no limit)$/i.test(value);
  return isNoLimit || (typeof value !== 'object' && parseQuantity(value) !== undefined);
}

function without(record: ServiceRecord, fields: readonly string[]): ServiceRecord {
  return Object.fromEntries(Object.entries(record).filter(([field]) => !fields.includes(field)));
}
