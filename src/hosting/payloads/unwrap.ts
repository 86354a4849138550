import { isRecord, type ServiceRecord } from './record.ts';

/**
 * Moves the attributes of resource objects into the objects, as in JSON:API: `{ type: 'servers', id: '1',
 * attributes: { … }, relationships: { … } }`. Others call the attributes `properties`, and keep times and
 * states in `metadata`.
 */
export function unwrapResources(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) return data.map(unwrapResources);
  const inner = Object.entries(data).map(([field, value]) => [field, unwrapResources(value)]);
  return unwrapResource(Object.fromEntries(inner));
}

function unwrapResource(record: ServiceRecord): ServiceRecord {
  const { type, attributes, properties, metadata, relationships, ...own } = record;
  const content = isRecord(attributes) ? attributes : isRecord(metadata) ? properties : undefined;
  if (typeof type !== 'string' || !('id' in record) || !isRecord(content)) return record;
  const related = Object.entries(isRecord(relationships) ? relationships : {}).map(([name, value]) => [
    name,
    isRecord(value) ? value.data : value,
  ]);
  // The resource's type is renamed, because the attributes can have a field named `type` too.
  return {
    ...Object.fromEntries(related),
    ...(isRecord(metadata) && metadata),
    ...own,
    resourceType: type,
    ...content,
  };
}
