/** What a service makes of its answers. */
export interface Distort {
  readonly data: (data: unknown) => unknown;
  /** Adds to a payload, and leaves what is there. */
  readonly beside: (data: unknown) => unknown;
  /** The body of an error. */
  readonly refusal: (body: unknown) => unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** What a call names something by: without these nothing that is typed would be found. */
const identifying = /^(vps_name|name|domain_name|id|external_port|address)$/;

/** Writes every text as `text` has it: those of what is there, and whole entries beside it, their names included. */
export function withTexts(text: (field: string) => string): Distort {
  const all = (value: unknown, field = ''): unknown => {
    if (typeof value === 'string') return text(field);
    if (Array.isArray(value)) return value.map((item) => all(item, field));
    return isFields(value) ? mapFields(value, (inner, name) => all(inner, name)) : value;
  };
  const kept = (value: unknown, field = ''): unknown => {
    if (Array.isArray(value))
      return [
        ...value.map((item) => kept(item, field)),
        ...value.slice(0, 3).map((item) => all(item, field)),
      ];
    if (isFields(value)) return { ...mapFields(value, kept), [text('field')]: text('value') };
    return typeof value === 'string' && !identifying.test(field) ? text(field) : value;
  };
  return {
    data: (data) => kept(data),
    beside: added({ [text('field')]: text('value'), note: text('note') }),
    refusal: (body) => all(body),
  };
}

/** Lists within the entries of a list: hundreds of each in hundreds would be more than an answer may have of bytes. */
const mostInEntries = 10;

/** Makes every list as long as `count`, of what is in it. */
export function withLists(count: number): Distort {
  const lengthen = (value: unknown, length: number): unknown => {
    if (isFields(value)) return mapFields(value, (inner) => lengthen(inner, length));
    if (!Array.isArray(value) || value.length === 0) return value;
    const items = value.map((item) => lengthen(item, mostInEntries));
    const more = Array.from({ length: Math.max(0, length - items.length) }, (_, index) =>
      numbered(items[index % items.length], index),
    );
    return [...items, ...more];
  };
  const many = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`field_${index}`, `value ${index}`]),
  );
  return {
    data: (value) => ({ ...asFields(lengthen(value, count)), ...many }),
    beside: added(many),
    refusal: (body) => body,
  };
}

/** Gives an entry names of its own. */
function numbered(item: unknown, index: number): unknown {
  if (typeof item === 'string') return `${item}-${index}`;
  if (!isFields(item)) return item;
  return mapFields(item, (value, field) => {
    if (!identifying.test(field)) return value;
    if (typeof value === 'number') return value + 1_000 + index;
    return typeof value === 'string' ? `${value}-${index}` : value;
  });
}

/** Puts something into the place of each value. */
export function withValues(replace: (value: unknown, field: string) => unknown): Distort {
  const data = (value: unknown, field = ''): unknown => {
    if (Array.isArray(value))
      return replace(
        value.map((item) => data(item, field)),
        field,
      );
    return isFields(value) ? mapFields(value, data) : replace(value, field);
  };
  return { data, beside: (value) => value, refusal: (body) => body };
}

/** Adds fields to every record, and to what is no record. */
export function withFields(fields: Fields): Distort {
  const data = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(data);
    return isFields(value) ? { ...mapFields(value, data), ...fields } : value;
  };
  return { data: (value) => ({ ...asFields(data(value)), ...fields }), beside: added(fields), refusal: data };
}

/** Wraps a payload in fields of fields, with more of them beside it. */
export function wrapped(depth: number): Distort {
  const wrap = (value: unknown, times: number): unknown =>
    Array.from({ length: times }).reduce<unknown>(
      (inner, _, index) => ({ [`level_${times - index}`]: inner }),
      value,
    );
  return {
    data: (value) => ({
      data: { result: value },
      deep: wrap('the end', depth),
      list: wrap([[[['end']]]], 3),
    }),
    beside: added({ deep: wrap('the end', depth) }),
    refusal: (body) => wrap(body, depth),
  };
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
