import { isObject } from '../../src/json.ts';

/** Objects that occur in the answers of many methods, by the names of the fields that contain them. */
const objectNames: ReadonlyMap<string, string> = new Map([
  ...['bookmark', 'bot', 'bot_profile', 'call', 'channel', 'file', 'message', 'reminder', 'user'].map(
    (name) => [name, name] as const,
  ),
  ...['usergroup', 'view', 'profile', 'team', 'icons', 'item'].map((name) => [name, name] as const),
  ...['bookmarks', 'channels', 'files', 'items', 'messages', 'reminders', 'teams', 'usergroups', 'users'].map(
    (name) => [name, name.slice(0, -1)] as const,
  ),
  ['members', 'user'],
]);

/** Fields whose content has its own tests, or that apps fill. */
const opaqueFields: ReadonlySet<string> = new Set([
  ...['args', 'assistant_app_thread', 'attachments', 'blocks', 'fields', 'metadata', 'properties', 'room'],
  ...['root', 'state', 'transcription', 'emoji', 'list_metadata', 'list_limits', 'title_blocks'],
]);

/** Fields that every answer can have. */
const commonFields: ReadonlySet<string> = new Set([
  ...['ok', 'error', 'warning', 'needed', 'provided', 'deprecated_argument', 'response_metadata', 'errors'],
]);

/** IDs and times, which are keys in some answers. */
const idPattern = /^(?:[A-Z][A-Z0-9]{4,}_?|\d+\.\d+)$/;

/** Types of fields, by where they are: a method or `@` and an object's name, and the path below. */
export type Shapes = Map<string, Map<string, Set<string>>>;

/** Adds the fields of an answer to the shapes. Fields of common objects are kept once for all methods. */
export function addShape(shapes: Shapes, method: string, answer: object): void {
  const fields = Object.entries(answer).filter(([name]) => !commonFields.has(name));
  addFields(shapes, method, '', Object.fromEntries(fields));
}

function addFields(shapes: Shapes, place: string, prefix: string, value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) addFields(shapes, place, `${prefix}[]`, item);
    return;
  }
  if (!isObject(value)) return;
  const fields = shapes.get(place) ?? new Map<string, Set<string>>();
  shapes.set(place, fields);
  for (const [key, part] of Object.entries(value)) {
    const name = idPattern.test(key) ? '*' : key;
    const path = prefix + (prefix && '.') + name;
    fields.set(path, (fields.get(path) ?? new Set()).add(typeOf(part)));
    const object = findObjectName(name, part);
    if (opaqueFields.has(name)) continue;
    if (object === undefined) addFields(shapes, place, path, part);
    else for (const item of [part].flat()) addFields(shapes, `@${object}`, '', item);
  }
}

/** Returns the name of the common object that a field contains, alone or in a list. */
function findObjectName(field: string, value: unknown): string | undefined {
  const hasObjects = Array.isArray(value) ? value.some(isObject) : isObject(value);
  return hasObjects ? objectNames.get(field) : undefined;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}
