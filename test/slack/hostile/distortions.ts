/** How a service changes its responses. */
export interface Distort {
  readonly transform: (data: unknown) => unknown;
  /** Adds something to a payload without changing the existing values. */
  readonly extend: (data: unknown) => unknown;
  /** Changes the body of an error. */
  readonly error: (body: unknown) => unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Fields that identify something. They stay unchanged, because nothing that is typed would be found
 * otherwise.
 */
const identifying = /^(vps_name|name|domain_name|id|external_port|address)$/;

/**
 * Replaces strings by `text`. In existing entries, identifying fields stay unchanged. In added
 * entries, they are replaced too.
 */
export function withTexts(text: (field: string) => string): Distort {
  const all = (value: unknown, field = ''): unknown => {
    if (typeof value === 'string') return text(field);
    if (Array.isArray(value)) return value.map((item) => all(item, field));
    return isFields(value) ? mapFields(value, (inner, name) => all(inner, name)) : value;
  };
  const distortIdentified = (value: unknown, field = ''): unknown => {
    if (Array.isArray(value))
      return [
        ...value.map((item) => distortIdentified(item, field)),
        ...value.slice(0, 3).map((item) => all(item, field)),
      ];
    if (isFields(value)) return { ...mapFields(value, distortIdentified), [text('field')]: text('value') };
    return typeof value === 'string' && !identifying.test(field) ? text(field) : value;
  };
  return {
    transform: (data) => distortIdentified(data),
    extend: added({ [text('field')]: text('value'), note: text('note') }),
    error: (body) => all(body),
  };
}

/**
 * Length of nested lists. Hundreds of entries in each of hundreds would exceed the maximum size of
 * a response.
 */
const maxNestedItems = 10;

/** Extends every list to `count` entries by repeating entries. */
export function withLists(count: number): Distort {
  const lengthen = (value: unknown, length: number): unknown => {
    if (isFields(value)) return mapFields(value, (inner) => lengthen(inner, length));
    if (!Array.isArray(value) || value.length === 0) return value;
    const items = value.map((item) => lengthen(item, maxNestedItems));
    const more = Array.from({ length: Math.max(0, length - items.length) }, (_, index) =>
      numbered(items[index % items.length], index),
    );
    return [...items, ...more];
  };
  const many = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`field_${index}`, `value ${index}`]),
  );
  return {
    transform: (value) => ({ ...asFields(lengthen(value, count)), ...many }),
    extend: added(many),
    error: (body) => body,
  };
}

/** Makes the names in a repeated entry unique. */
function numbered(item: unknown, index: number): unknown {
  if (typeof item === 'string') return `${item}-${index}`;
  if (!isFields(item)) return item;
  return mapFields(item, (value, field) => {
    if (!identifying.test(field)) return value;
    if (typeof value === 'number') return value + 1_000 + index;
    return typeof value === 'string' ? `${value}-${index}` : value;
  });
}

/** Replaces each value. */
export function withValues(replace: (value: unknown, field: string) => unknown): Distort {
  const data = (value: unknown, field = ''): unknown => {
    if (Array.isArray(value))
      return replace(
        value.map((item) => data(item, field)),
        field,
      );
    return isFields(value) ? mapFields(value, data) : replace(value, field);
  };
  return { transform: data, extend: (value) => value, error: (body) => body };
}

/** Adds fields to every record. A payload that isn't a record becomes one. */
export function withFields(fields: Fields): Distort {
  const data = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(data);
    return isFields(value) ? { ...mapFields(value, data), ...fields } : value;
  };
  return {
    transform: (value) => ({ ...asFields(data(value)), ...fields }),
    extend: added(fields),
    error: data,
  };
}

/** Applies one distortion after the other. */
export function combined(...distortions: readonly Distort[]): Distort {
  const apply = (name: keyof Distort) => (data: unknown) =>
    distortions.reduce((changed, distortion) => distortion[name](changed), data);
  return { transform: apply('transform'), extend: apply('extend'), error: apply('error') };
}

function added(fields: Fields): (data: unknown) => unknown {
  return (data) => ({ ...fields, ...asFields(data) });
}

function asFields(value: unknown): Fields {
  return isFields(value) ? value : { items: value };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapFields(record: Fields, map: (value: unknown, field: string) => unknown): Fields {
  return Object.fromEntries(Object.entries(record).map(([field, value]) => [field, map(value, field)]));
}
