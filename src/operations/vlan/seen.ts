import { canonicalName, isRecord, isVpsName, type ServiceRecord } from '../../hosting/readings/records.ts';
import type { OperationContext } from '../operation.ts';
import { maySee } from '../runs/access.ts';

/** Leaves out of a record, however deep, the VPS that somebody may not look at, with what stands there of each. */
export type Seen = (record: ServiceRecord) => ServiceRecord;

/** Creates what leaves out the VPS that the asker may not look at. */
export async function seenBy({ reach }: Pick<OperationContext, 'reach'>): Promise<Seen> {
  const reached = await reach();
  const isHiddenName = (value: unknown) => isVpsName(value) && !maySee(reached, canonicalName(value));
  const isHidden = (value: unknown) =>
    isHiddenName(value) || (isRecord(value) && Object.values(value).some(isHiddenName));

  const seenOf = (record: ServiceRecord): ServiceRecord =>
    Object.fromEntries(
      Object.entries(record)
        .filter(([field, value]) => !isHiddenName(field) && !isHidden(value))
        .map(([field, value]) => [field, within(value)]),
    );

  function within(value: unknown): unknown {
    if (isRecord(value)) return seenOf(value);
    if (!Array.isArray(value)) return value;
    return value.filter((item) => !isHidden(item)).map(within);
  }

  return seenOf;
}
