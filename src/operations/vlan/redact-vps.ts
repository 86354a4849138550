import { isRecord, type ServiceRecord } from '../../hosting/payloads/record.ts';
import { isVpsName, normalizeVpsName } from '../../hosting/payloads/vps-name.ts';
import { canViewVps } from '../define/access/access.ts';
import type { OperationContext } from '../define/operation.ts';

/** Removes VPS that the actor isn't allowed to view from a record, at any depth. */
export type RedactVps = (record: ServiceRecord) => ServiceRecord;

export async function createVpsRedactor({
  loadAccess,
}: Pick<OperationContext, 'loadAccess'>): Promise<RedactVps> {
  const checkAccess = await loadAccess();
  const isHiddenName = (value: unknown) =>
    isVpsName(value) && !canViewVps(checkAccess, normalizeVpsName(value));
  const isHidden = (value: unknown) =>
    isHiddenName(value) || (isRecord(value) && Object.values(value).some(isHiddenName));

  const redactRecord = (record: ServiceRecord): ServiceRecord =>
    Object.fromEntries(
      Object.entries(record)
        .filter(([field, value]) => !isHiddenName(field) && !isHidden(value))
        .map(([field, value]) => [field, redactValue(value)]),
    );

  function redactValue(value: unknown): unknown {
    if (isRecord(value)) return redactRecord(value);
    if (!Array.isArray(value)) return value;
    return value.filter((item) => !isHidden(item)).map(redactValue);
  }

  return redactRecord;
}
