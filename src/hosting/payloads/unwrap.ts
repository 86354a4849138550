import { isRecord, type ServiceRecord } from './record.ts';

/** Deeper values stay as they are. */
const maxDepth = 20;

/**
 * Removes the wrappers of well-known conventions, so that fields are where they would be without
 * them: resource objects of JSON:API and similar ones, connections of Relay, vectors of
 * Prometheus, and the text of XML elements that were converted to JSON.
 */
export function unwrapPayload(data: unknown): unknown {
  const payload = unwrapValue(data, maxDepth);
  // Relay: `{ node: { … } }` is the object that was asked for. Beside other fields, a node is a host.
  const isNode = isRecord(payload) && isRecord(payload.node) && Object.keys(payload).length === 1;
  return isNode ? payload.node : payload;
}

function unwrapValue(data: unknown, depth: number): unknown {
  if (depth === 0 || typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) return data.map((item) => unwrapValue(item, depth - 1));
  if (!isRecord(data)) return data;
  const inner = Object.entries(data).map(([field, value]) => [field, unwrapValue(value, depth - 1)]);
  const record: ServiceRecord = Object.fromEntries(inner);
  return unwrapXmlElement(record) ?? unwrapSample(record) ?? unwrapConnection(unwrapResource(record));
}

/**
 * JSON:API: `{ type: 'servers', id: '1', attributes: { … }, relationships: { … } }`. Others call the
 * attributes `properties`, and keep times and states in `metadata`.
 */
function unwrapResource(record: ServiceRecord): ServiceRecord {
  if (typeof record.type !== 'string' || !('id' in record)) return record;
  if (isRecord(record.properties) && isRecord(record.metadata) && !('attributes' in record)) {
    const { type, properties, metadata, ...own } = record;
    return { ...metadata, ...own, resourceType: type, ...properties };
  }
  const { attributes, relationships, ...resource } = record;
  if (!isRecord(attributes)) return record;
  const related = isRecord(relationships)
    ? Object.entries(relationships).map(([name, value]) => [name, isRecord(value) ? value.data : value])
    : [];
  // The resource's type is renamed, because the attributes can have a field named `type` too.
  const { type, ...own } = resource;
  return { ...Object.fromEntries(related), ...own, resourceType: type, ...attributes };
}

/** Relay: `{ edges: [{ cursor: '…', node: { … } }], pageInfo: { … } }`, or `nodes` without edges. */
function unwrapConnection(record: ServiceRecord): ServiceRecord {
  const { edges, nodes, ...others } = record;
  const items = Array.isArray(edges) ? edges.map(unwrapEdge) : nodes;
  if (!Array.isArray(items) || items.includes(undefined)) return record;
  return { ...others, items };
}

function unwrapEdge(edge: unknown): unknown {
  if (!isRecord(edge) || !isRecord(edge.node)) return undefined;
  const { node, cursor: _cursor, ...others } = edge;
  return { ...others, ...edge.node };
}

/** Prometheus: `{ metric: { __name__: 'cpu_percent', … }, value: [1795240800, '12.5'] }`. */
function unwrapSample(record: ServiceRecord): ServiceRecord | undefined {
  const { metric, value, ...others } = record;
  if (!isRecord(metric) || typeof metric.__name__ !== 'string' || Object.keys(others).length > 0)
    return undefined;
  return Array.isArray(value) && value.length === 2 ? { name: metric.__name__, value: value[1] } : undefined;
}

const textFields = ['$', '#text', '_text', '$t'];

/** XML: `{ "$": "12" }` and `{ "#text": "12", "@unit": "MB" }`. Attributes lose their prefix. */
function unwrapXmlElement(record: ServiceRecord): unknown {
  const field = textFields.find((name) => isText(record[name]));
  if (field === undefined) return undefined;
  const { [field]: text, ...others } = record;
  const attributes = Object.entries(others);
  if (!attributes.every(([name, value]) => name.startsWith('@') && isText(value))) return undefined;
  if (attributes.length === 0) return text;
  return { value: text, ...Object.fromEntries(attributes.map(([name, value]) => [name.slice(1), value])) };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
